package partiql

import (
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// literal is a value of the text. One without parameters is a finished value;
// one with parameters is built for each request.
type literal struct {
	kind   literalShape
	value  attr.Value // of shapeValue
	param  int        // of shapeParam
	elems  []literal  // of shapeList and shapeBag
	fields []literalField
}

type literalField struct {
	name  string
	value literal
}

type literalShape uint8

const (
	shapeValue literalShape = iota
	shapeParam
	shapeList
	shapeBag
	shapeStruct
)

// build returns the value of a literal.
func (l *literal) build(params []api.Value) (attr.Value, *api.Error) {
	switch l.kind {
	case shapeValue:
		return l.value, nil
	case shapeParam:
		return params[l.param].Value, nil
	case shapeStruct:
		fields, err := l.buildFields(params)
		if err != nil {
			return attr.Value{}, err
		}
		return checkDepth(attr.Map(fields...))
	}
	elems := make([]attr.Value, len(l.elems))
	for i := range l.elems {
		var err *api.Error
		if elems[i], err = l.elems[i].build(params); err != nil {
			return attr.Value{}, err
		}
	}
	if l.kind == shapeBag {
		return bag(elems)
	}
	return checkDepth(attr.List(elems...))
}

func (l *literal) buildFields(params []api.Value) ([]attr.Field, *api.Error) {
	fields := make([]attr.Field, len(l.fields))
	for i := range l.fields {
		v, err := l.fields[i].value.build(params)
		if err != nil {
			return nil, err
		}
		fields[i] = attr.Field{Name: l.fields[i].name, Value: v}
	}
	return fields, nil
}

func checkDepth(v attr.Value) (attr.Value, *api.Error) {
	if v.Depth() > attr.MaxDepth {
		return v, api.Validation(attr.DepthFault().Error())
	}
	return v, nil
}

// bag makes a set of the elements of <<…>>.
func bag(elems []attr.Value) (attr.Value, *api.Error) {
	if len(elems) == 0 {
		return attr.Value{}, errEmptyBag
	}
	t := elems[0].Type()
	var text strings.Builder
	text.WriteString(`{"` + t.String() + `S":[`)
	for i, e := range elems {
		if !e.Type().IsScalar() || e.Type() != t {
			return attr.Value{}, errBagType
		}
		if i > 0 {
			text.WriteByte(',')
		}
		// What {"S":…} holds is what a set of strings holds.
		inner := e.Text()
		text.WriteString(inner[len(`{"S":`) : len(inner)-len(`}`)])
	}
	text.WriteString(`]}`)
	v, err := attr.ParseValue(text.String())
	if err != nil {
		return attr.Value{}, api.Validation(err.Error())
	}
	return v, nil
}

// errBagType: that a set holds values of one type follows from the data
// model, the text is not recorded.
var errBagType = api.Validation("The members of a bag must be strings, numbers or binary values of one type")

// lowerLiteral turns an expression into a value. place is where it stands in
// the literal around it, as texts print it: ".x" or "[1]".
func (l *lowerer) lowerLiteral(n node, place string) (literal, *api.Error) {
	switch n := n.(type) {
	case *literalNode:
		v, err := scalar(n, place)
		if err == nil && v.IsZero() {
			err = l.unsupportedValue(n, "missing", place)
		}
		return literal{value: v}, err
	case *paramNode:
		return literal{kind: shapeParam, param: n.number}, nil
	case *listNode:
		return l.lowerElems(shapeList, n.elems, place)
	case *bagNode:
		if len(n.elems) == 0 {
			return literal{}, errEmptyBag
		}
		return l.lowerElems(shapeBag, n.elems, place)
	case *structNode:
		return l.lowerStruct(n, place)
	case *callNode:
		return literal{}, l.unsupportedValue(n, n.name, place)
	}
	return literal{}, l.unsupportedValue(n, l.text[n.at().pos:n.at().end], place)
}

func (l *lowerer) unsupportedValue(n node, what, place string) *api.Error {
	return api.Validation("Unsupported data type: " + what + " under key root" + place + " at " + position(l.text, n.at()))
}

// scalar returns the value of a scalar literal, the zero value for MISSING.
func scalar(n *literalNode, place string) (attr.Value, *api.Error) {
	switch n.kind {
	case litString:
		return attr.String(n.text), nil
	case litTrue, litFalse:
		return attr.Bool(n.kind == litTrue), nil
	case litNull:
		return attr.Null(), nil
	case litMissing:
		return attr.Value{}, nil
	}
	v, fault := attr.NumberValue(n.text)
	if fault != nil {
		return v, api.Validation(fault.Error() + " under root" + place)
	}
	return v, nil
}

func (l *lowerer) lowerElems(kind literalShape, nodes []node, place string) (literal, *api.Error) {
	lit := literal{kind: kind, elems: make([]literal, len(nodes))}
	static := true
	for i, n := range nodes {
		var err *api.Error
		if lit.elems[i], err = l.lowerLiteral(n, place+"["+strconv.Itoa(i)+"]"); err != nil {
			return lit, err
		}
		static = static && lit.elems[i].kind == shapeValue
	}
	return lit.fold(static)
}

func (l *lowerer) lowerStruct(n *structNode, place string) (literal, *api.Error) {
	lit := literal{kind: shapeStruct, fields: make([]literalField, len(n.fields))}
	static := true
	for i, f := range n.fields {
		key, ok := f.key.(*literalNode)
		if !ok || key.kind != litString {
			return lit, api.Validation("The key of a map must be a string at " + position(l.text, f.key.at()))
		}
		if fault := attr.NameFault(key.text); fault != nil {
			return lit, api.Validation(fault.Error())
		}
		value, err := l.lowerLiteral(f.value, place+"."+key.text)
		if err != nil {
			return lit, err
		}
		lit.fields[i] = literalField{key.text, value}
		static = static && value.kind == shapeValue
	}
	return lit.fold(static)
}

// fold builds a literal once and for all if it holds no parameters.
func (lit literal) fold(static bool) (literal, *api.Error) {
	if !static {
		return lit, nil
	}
	v, err := lit.build(nil)
	return literal{value: v}, err
}
