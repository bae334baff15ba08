package partiql

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// compile takes a text through the stages that need nothing else.
func compile(text string) (*statement, *api.Error) {
	tree, params, err := parse(text)
	if err != nil {
		return nil, api.Validation(err.Error())
	}
	l := lowerer{text: text}
	st, refused := l.statement(tree)
	if refused != nil {
		return nil, refused
	}
	st.text, st.params = text, params
	return st, nil
}

// lowerer works out what a tree means. It refuses what the service does not
// know.
type lowerer struct{ text string }

func (l *lowerer) statement(n node) (*statement, *api.Error) {
	switch n := n.(type) {
	case *selectNode:
		return l.selectStatement(n)
	case *insertNode:
		return l.insertStatement(n)
	case *updateNode:
		return l.updateStatement(n)
	case *deleteNode:
		return l.deleteStatement(n)
	case *callNode:
		if n.name != "exists" || len(n.args) != 1 {
			break
		}
		if s, ok := n.args[0].(*selectNode); ok {
			st, err := l.selectStatement(s)
			if err == nil {
				st.kind = stmtExists
			}
			return st, err
		}
	}
	return nil, unsupported(n)
}

// unsupported refuses an expression where the service knows none. It names
// the kinds of nodes as the open parser's tree does.
func unsupported(n node) *api.Error {
	name := ""
	switch n := n.(type) {
	case *nameNode:
		name = "Id"
	case *literalNode:
		name = "Lit"
		if n.kind == litMissing {
			name = "Missing"
		}
	case *paramNode:
		name = "Parameter"
	case *pathNode:
		name = "Path"
	case *callNode:
		name = "Call"
		if aggregate(n.name) {
			name = "CallAgg"
		}
	case *unaryNode:
		name = map[string]string{"not": "Not", "-": "Neg", "+": "Pos", "@": "Id"}[n.op]
	case *binaryNode:
		name = binaryName(n.op)
	case *betweenNode:
		name = "Between"
	case *isNode:
		name = "IsType"
	case *listNode:
		name = "List"
	case *bagNode:
		name = "Bag"
	case *structNode:
		name = "Struct"
	case *selectNode:
		name = "Select"
	default:
		name = "Dml"
	}
	return api.Validation("Unsupported operation: " + name)
}

func binaryName(op string) string {
	switch op {
	case "and":
		return "And"
	case "or":
		return "Or"
	case "=":
		return "Eq"
	case "<>":
		return "Ne"
	case "<":
		return "Lt"
	case "<=":
		return "Lte"
	case ">":
		return "Gt"
	case ">=":
		return "Gte"
	case "+":
		return "Plus"
	case "-":
		return "Minus"
	case "*":
		return "Times"
	case "/":
		return "Divide"
	case "%":
		return "Modulo"
	case "||":
		return "Concat"
	case "in":
		return "InCollection"
	case "like":
		return "Like"
	}
	return "BagOp"
}

func (l *lowerer) selectStatement(n *selectNode) (*statement, *api.Error) {
	st := &statement{kind: stmtSelect}
	if err := l.source(&n.from, st); err != nil {
		return nil, err
	}
	if err := l.columns(n, st); err != nil {
		return nil, err
	}
	if err := l.where(n.where, st); err != nil {
		return nil, err
	}
	for _, o := range n.order {
		name, ok := o.expr.(*nameNode)
		if !ok {
			return nil, api.Validation("ORDER BY accepts only the names of key attributes; another expression stands at " + position(l.text, o.expr.at()))
		}
		st.order = append(st.order, ordering{name.name, o.desc})
	}
	switch {
	case n.distinct:
		return nil, api.Validation("Unsupported clause: DISTINCT at " + position(l.text, n.at()))
	case len(n.others) > 0:
		c := n.others[0]
		return nil, api.Validation("Unsupported clause: " + c.name + " at " + position(l.text, c.args[0].at()))
	}
	st.simple = st.isSimple()
	return st, nil
}

// source finds the table and the index that a statement names.
func (l *lowerer) source(s *source, st *statement) *api.Error {
	if len(s.joined) > 0 {
		return l.singleTable(s.span)
	}
	if s.aliased {
		return errAlias
	}
	names, ok := sourceNames(s.expr)
	if !ok {
		return l.singleTable(s.span)
	}
	for _, name := range names {
		if name == "" {
			return errEmptyComponent
		}
	}
	if len(names) > 2 {
		return errLongSource
	}
	st.table = names[0]
	if len(names) == 2 {
		st.index = names[1]
	}
	return nil
}

func (l *lowerer) singleTable(at span) *api.Error {
	return api.Validation("FROM clause may only contain a single table name in data manipulation statements at " +
		position(l.text, at))
}

func sourceNames(n node) (names []string, ok bool) {
	switch n := n.(type) {
	case *nameNode:
		return []string{n.name}, true
	case *pathNode:
		root, isName := n.root.(*nameNode)
		if !isName {
			return nil, false
		}
		names = append(names, root.name)
		for _, s := range n.steps {
			if !s.dot || s.star {
				return nil, false
			}
			names = append(names, s.name)
		}
		return names, true
	}
	return nil, false
}

// columns finds the attributes that a SELECT returns.
func (l *lowerer) columns(n *selectNode, st *statement) *api.Error {
	if n.value != nil {
		return api.Validation("Unsupported clause: VALUE at " + position(l.text, n.value.at()))
	}
	st.flat = true
	paths := make([]attr.Path, 0, len(n.columns))
	for _, c := range n.columns {
		if c.aliased {
			return errAlias
		}
		path, bad := documentPath(c.expr)
		if path == nil {
			if st.columnsErr == nil {
				st.columnsErr = l.unexpected(bad)
			}
			continue
		}
		col := selected{columnName(path), path}
		for _, other := range st.columns {
			if other.name == col.name {
				return api.Validation("Duplicate identifiers in select clause: " + col.name)
			}
		}
		st.columns = append(st.columns, col)
		st.flat = st.flat && len(path) == 1
		paths = append(paths, path)
	}
	if len(st.columns) > 0 {
		st.projection = expr.NewProjection(paths...)
	}
	return nil
}

func (l *lowerer) unexpected(at span) *api.Error {
	return api.Validation("Unexpected path component at " + position(l.text, at))
}

// columnName is the name under which a column is returned: its last name,
// with the indexes behind it.
func columnName(p attr.Path) string {
	suffix := ""
	for i := len(p) - 1; i >= 0; i-- {
		if !p[i].IsIndex() {
			return p[i].Name() + suffix
		}
		suffix = p[i].String() + suffix
	}
	return suffix
}

// documentPath turns an expression into a document path. It returns nil and
// the offending place for what is none.
func documentPath(n node) (attr.Path, span) {
	switch n := n.(type) {
	case *nameNode:
		return attr.NamePath(n.name), span{}
	case *pathNode:
		root, ok := n.root.(*nameNode)
		if !ok {
			return nil, n.root.at()
		}
		path := make(attr.Path, 1, len(n.steps)+1)
		path[0] = attr.NameElem(root.name)
		for i := range n.steps {
			elem, ok := pathElem(&n.steps[i])
			if !ok {
				return nil, n.steps[i].span
			}
			path = append(path, elem)
		}
		return path, span{}
	}
	return nil, n.at()
}

func pathElem(s *step) (attr.Elem, bool) {
	if s.star {
		return attr.Elem{}, false
	}
	if s.dot {
		return attr.NameElem(s.name), true
	}
	index, ok := s.index.(*literalNode)
	if !ok {
		return attr.Elem{}, false
	}
	switch index.kind {
	case litString:
		return attr.NameElem(index.text), true
	case litNumber:
		n := 0
		for i := range len(index.text) {
			if !isDigit(index.text[i]) || n > expr.MaxListIndex/10 {
				return attr.Elem{}, false
			}
			n = n*10 + int(index.text[i]-'0')
		}
		return attr.IndexElem(n), true
	}
	return attr.Elem{}, false
}

func (l *lowerer) insertStatement(n *insertNode) (*statement, *api.Error) {
	st := &statement{kind: stmtInsert}
	if err := l.source(&source{span: n.target.at(), expr: n.target}, st); err != nil {
		return nil, err
	}
	if st.index != "" {
		return nil, l.singleTable(n.target.at())
	}
	item, ok := n.value.(*structNode)
	if !ok || n.form == "" {
		return nil, api.Validation("The value of an INSERT statement must be a map at " + position(l.text, n.value.at()))
	}
	lit := &literal{kind: shapeStruct, fields: make([]literalField, len(item.fields))}
	for i, f := range item.fields {
		key, ok := f.key.(*literalNode)
		if !ok || key.kind != litString {
			return nil, api.Validation("The key of a map must be a string at " + position(l.text, f.key.at()))
		}
		if fault := attr.NameFault(key.text); fault != nil {
			return nil, api.Validation(fault.Error())
		}
		// The attribute's name is no part of the place that texts print.
		value, err := l.lowerLiteral(f.value, "")
		if err != nil {
			return nil, err
		}
		lit.fields[i] = literalField{key.text, value}
	}
	st.item = lit
	return st, nil
}

func (l *lowerer) deleteStatement(n *deleteNode) (*statement, *api.Error) {
	st := &statement{kind: stmtDelete}
	if err := l.source(&n.target, st); err != nil {
		return nil, err
	}
	if err := l.where(n.where, st); err != nil {
		return nil, err
	}
	if err := l.returning(n.returning, st); err != nil {
		return nil, err
	}
	if st.returning != api.ReturnNone && st.returning != api.ReturnAllOld {
		st.returningErr = api.Validation("Invalid returning clause: RETURNING " + n.returning[0].words() +
			" *. Only RETURNING ALL OLD * is allowed in DELETE statements.")
	}
	return st, nil
}

// returning finds what a write returns.
func (l *lowerer) returning(list []returningElem, st *statement) *api.Error {
	if len(list) == 0 {
		return nil
	}
	e := &list[0]
	if len(list) > 1 || e.column != nil {
		return api.Validation("Invalid returning clause: only one element with * is supported at " + position(l.text, e.span))
	}
	switch {
	case e.modified && e.old:
		st.returning = api.ReturnUpdatedOld
	case e.modified:
		st.returning = api.ReturnUpdatedNew
	case e.old:
		st.returning = api.ReturnAllOld
	default:
		st.returning = api.ReturnAllNew
	}
	return nil
}
