package engine

import (
	"context"
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
	"github.com/dynalite-go/dynalite/hashring"
)

// Query is a Query as a command.
type Query struct {
	Table, Index string // Index is empty for the table
	Key          *expr.KeyCondition
	Filter       *expr.Predicate // nil: none
	// FilterLegacy says that the filter came as QueryFilter, which errors
	// name.
	FilterLegacy bool
	// FilterKeys lets the filter name key attributes, as a PartiQL statement
	// may. In a Query of the API that is a fault.
	FilterKeys bool
	Projection *expr.Projection // nil: what Select says
	Select     api.Select
	Limit      int // items to evaluate, 0: no limit
	Consistent bool
	Backward   bool
	Start      *attr.Item // ExclusiveStartKey, nil: from the beginning
	Capacity   api.CapacityMode
}

// Query reads the items of one partition key in sort-key order, one page of
// them (behaviours/06).
func (r *Region) Query(ctx context.Context, cmd *Query) (*api.QueryOutput, error) {
	t, err := r.table(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	src, err := t.source(cmd.Index, cmd.Consistent)
	if err != nil {
		return nil, err
	}
	plan, err := src.planQuery(cmd)
	if err != nil {
		return nil, err
	}
	page := newPage(cmd.Limit)
	defer page.free()
	plan.walk(page, cmd.Backward)
	res := src.finish(page, cmd.Filter, plan.shown, cmd.Consistent, cmd.Capacity)
	return &api.QueryOutput{
		Items:            res.items,
		OmitItems:        plan.shown.count,
		Count:            res.matched,
		ScannedCount:     res.scanned,
		LastEvaluatedKey: res.last,
		ConsumedCapacity: res.capacity,
	}, nil
}

// source finds what a Query or Scan reads.
func (t *Table) source(name string, consistent bool) (source, *api.Error) {
	if name == "" {
		return source{table: t}, nil
	}
	ix := t.index(name)
	if ix == nil {
		return source{}, api.Validation("The table does not have the specified index: " + name)
	}
	if ix.global() {
		if consistent {
			return source{}, api.Validation("Consistent reads are not supported on global secondary indexes")
		}
		if !ix.readable(t.region.engine.clock) {
			return source{}, api.Validation("Cannot read from backfilling global secondary index: " + name)
		}
	}
	return source{t, ix}, nil
}

// queryPlan is where a Query walks.
type queryPlan struct {
	part  *store.Partition
	tree  func(*store.Partition) *store.Tree
	pos   hashring.Position
	pk    string
	span  store.Span
	shown shown
}

func (p *queryPlan) walk(page *page, backward bool) {
	p.part.RLock()
	defer p.part.RUnlock()
	p.tree(p.part).Collection(p.pos, p.pk, p.span, backward, page.take)
}

func itemTree(p *store.Partition) *store.Tree { return p.Items }

// planQuery runs the checks of behaviours/06 §6.5, in that order.
func (s source) planQuery(cmd *Query) (queryPlan, *api.Error) {
	var plan queryPlan
	if err := s.checkStartCount(cmd.Start, errStartKey); err != nil {
		return plan, err
	}
	keys, err := s.matchClauses(cmd.Key, cmd.Start)
	if err != nil {
		return plan, err
	}
	start, err := s.startRow(cmd.Start)
	if err != nil {
		return plan, err
	}
	plan.pk, plan.span = s.bounds(keys)
	plan.pos = hashring.Hash(plan.pk)
	if start != nil {
		if err := checkStartInside(start, &plan, len(keys) > len(s.key().Hash)); err != nil {
			return plan, err
		}
	}
	if err := s.checkQueryPaths(cmd); err != nil {
		return plan, err
	}
	if plan.shown, err = s.show(cmd.Select, cmd.Projection); err != nil {
		return plan, err
	}
	if err := s.table.checkCondition(cmd.Filter); err != nil {
		return plan, err
	}
	plan.setStart(start, cmd.Backward)
	plan.setTree(s)
	return plan, nil
}

func (p *queryPlan) setTree(s source) {
	p.tree = itemTree
	switch {
	case s.index == nil:
		p.part = s.table.partition(p.pos)
	case s.index.global():
		p.part = s.index.partition(p.pos)
	default:
		p.part = s.table.partition(p.pos)
		local := s.index.local
		p.tree = func(p *store.Partition) *store.Tree { return p.Locals[local] }
	}
}

// setStart moves the open end of the span to the row after which the page
// begins.
func (p *queryPlan) setStart(start *store.Row, backward bool) {
	switch {
	case start == nil:
	case backward:
		p.span.High = start.SK
		if start.SK == "" {
			p.span = emptySpan
		}
	default:
		p.span.Low = max(p.span.Low, start.SK+"\x00")
	}
}

// emptySpan holds no sort key: its end lies before its beginning.
var emptySpan = store.Span{Low: "\x01", High: "\x00"}

// checkQueryPaths refuses a projection below a key attribute and a filter on
// one.
func (s source) checkQueryPaths(cmd *Query) *api.Error {
	if err := s.table.checkProjection(cmd.Projection); err != nil {
		return err
	}
	if cmd.Filter == nil || cmd.FilterKeys {
		return nil
	}
	name := "Filter Expression"
	if cmd.FilterLegacy {
		name = "QueryFilter"
	}
	paths := cmd.Filter.Paths()
	for k := range s.key().all {
		for _, p := range paths {
			if p[0].Name() == k.Name {
				return api.Validation(name + " can only contain non-primary key attributes: Primary key attribute: " + k.Name)
			}
		}
	}
	return nil
}

// matchClauses pairs the conditions of a query with the key attributes of the
// schema, partition key first, and checks them (behaviours/04 §4.6 rows 10 to
// 15, 06 §6.4). Each attribute of the start key is checked before the condition
// on it (06 §6.5). The result may be shorter than the key.
func (s source) matchClauses(cond *expr.KeyCondition, start *attr.Item) ([]expr.KeyClause, *api.Error) {
	key := s.key()
	multi := key.Len() > 2 || len(key.Hash) > 1
	matched := make([]expr.KeyClause, 0, 2)
	i := 0
	for k := range key.all {
		hash := i < len(key.Hash)
		if err := checkStartMember(start, k, hash); err != nil {
			return nil, err
		}
		if i++; i == 1 {
			if err := checkClauseCount(key, cond); err != nil {
				return nil, err
			}
		}
		if multi {
			continue
		}
		c := findClause(cond, k.Name)
		if c == nil && !hash && len(cond.Clauses) < 2 {
			break // no condition on the sort key
		}
		if c == nil {
			return nil, errMissedKey(k)
		}
		if err := checkClause(k, c, hash); err != nil {
			return nil, err
		}
		matched = append(matched, *c)
	}
	if multi {
		return s.matchMulti(key, cond)
	}
	return matched, nil
}

func checkClauseCount(key KeySchema, cond *expr.KeyCondition) *api.Error {
	if n := len(cond.Clauses); n > key.Len() {
		return api.Validation("The number of query conditions (" + strconv.Itoa(n) +
			") exceeds the number of key attributes defined in the schema (" + strconv.Itoa(key.Len()) + ")")
	}
	return nil
}

func errMissedKey(k KeyAttribute) *api.Error {
	return api.Validation("Query condition missed key schema element: " + k.Name)
}

// matchMulti is matchClauses for a global index keyed by several attributes.
func (s source) matchMulti(key KeySchema, cond *expr.KeyCondition) ([]expr.KeyClause, *api.Error) {
	for i := range cond.Clauses {
		if name := cond.Clauses[i].Name; !key.has(name) {
			return nil, api.Validation("Query condition missed key schema element: " + key.Hash[0].Name)
		}
	}
	var matched []expr.KeyClause
	for _, k := range key.Hash {
		c := findClause(cond, k.Name)
		if c == nil || c.Op != expr.EQ {
			// That the text speaks of HASH and of equality is known.
			return nil, api.Validation("HASH key attributes " + k.Name + " must have equality conditions specified in the query")
		}
		if err := checkClause(k, c, true); err != nil {
			return nil, err
		}
		matched = append(matched, *c)
	}
	unequal := "" // the first RANGE attribute without an equality
	for _, k := range key.Range {
		c := findClause(cond, k.Name)
		if c != nil && unequal != "" {
			return nil, api.Validation("RANGE key attributes " + unequal + " must have equality conditions specified in the " +
				"query because a condition is present on key attribute " + k.Name)
		}
		if (c == nil || c.Op != expr.EQ) && unequal == "" {
			unequal = k.Name
		}
		if c == nil {
			continue
		}
		if err := checkClause(k, c, false); err != nil {
			return nil, err
		}
		matched = append(matched, *c)
	}
	return matched, nil
}

// findClause is the condition on an attribute, or nil.
func findClause(cond *expr.KeyCondition, name string) *expr.KeyClause {
	for i := range cond.Clauses {
		if c := &cond.Clauses[i]; c.Name == name {
			return c
		}
	}
	return nil
}

// indexable reports whether an operator picks a range of sort keys. Legacy
// KeyConditions can ask for others.
func indexable(op expr.KeyOp) bool {
	switch op {
	case expr.EQ, expr.LT, expr.LE, expr.GT, expr.GE, expr.Between, expr.BeginsWith:
		return true
	}
	return false
}

// checkClause checks the condition on one key attribute.
func checkClause(k KeyAttribute, c *expr.KeyClause, hash bool) *api.Error {
	if !indexable(c.Op) {
		return api.Validation("Attempted conditional constraint is not an indexable operation")
	}
	for _, v := range c.Values[:c.N] {
		if v.Type() != k.Type {
			return api.Validation(invalidParameter + "Condition parameter type does not match schema type")
		}
	}
	if hash && c.Op != expr.EQ {
		return api.Validation("Query key condition not supported")
	}
	limit := api.MaxRangeKeyBytes
	if hash {
		limit = api.MaxHashKeyBytes
	}
	for _, v := range c.Values[:c.N] {
		if f := checkKeyValue(k, v, limit); f != nil {
			return f.err
		}
	}
	return nil
}

// bounds turns matched conditions into a partition key and a half-open range
// of sort keys.
func (s source) bounds(matched []expr.KeyClause) (pk string, span store.Span) {
	hashes := len(s.key().Hash)
	switch {
	case s.index != nil && s.index.global() && hashes > 1:
		var buf []byte
		for _, c := range matched[:hashes] {
			buf = attr.AppendTuple(buf, attr.Key(c.Values[0]))
		}
		pk = string(buf)
	default:
		pk = attr.Key(matched[0].Values[0])
	}
	if s.index == nil {
		if len(matched) > 1 {
			span = tableSpan(&matched[1])
		}
		return pk, span
	}
	return pk, tupleSpan(matched[hashes:])
}

// tableSpan is the range of a condition on a table's sort key, which is stored
// as it is.
func tableSpan(c *expr.KeyClause) store.Span {
	v := attr.Key(c.Values[0])
	switch c.Op {
	case expr.EQ:
		return store.Span{Low: v, High: v + "\x00"}
	case expr.LT:
		return upTo("", v)
	case expr.LE:
		return store.Span{High: v + "\x00"}
	case expr.GT:
		return store.Span{Low: v + "\x00"}
	case expr.GE:
		return store.Span{Low: v}
	case expr.Between:
		return upTo(v, attr.Key(c.Values[1])+"\x00")
	default: // expr.BeginsWith
		return store.Span{Low: v, High: successor(v)}
	}
}

// tupleSpan is the range of conditions on the sort key of an index, which is a
// tuple that goes on with the key of the table. All conditions but the last
// are equalities.
func tupleSpan(clauses []expr.KeyClause) store.Span {
	if len(clauses) == 0 {
		return store.Span{}
	}
	var prefix []byte
	last := len(clauses) - 1
	for _, c := range clauses[:last] {
		prefix = attr.AppendTuple(prefix, attr.Key(c.Values[0]))
	}
	c := &clauses[last]
	at := func(v attr.Value) string {
		return string(attr.AppendTuple(prefix[:len(prefix):len(prefix)], attr.Key(v)))
	}
	end := successor(string(prefix))
	v := at(c.Values[0])
	switch c.Op {
	case expr.EQ:
		return store.Span{Low: v, High: successor(v)}
	case expr.LT:
		return upTo(string(prefix), v)
	case expr.LE:
		return store.Span{Low: string(prefix), High: successor(v)}
	case expr.GT:
		return store.Span{Low: successor(v), High: end}
	case expr.GE:
		return store.Span{Low: v, High: end}
	case expr.Between:
		return store.Span{Low: v, High: successor(at(c.Values[1]))}
	default: // expr.BeginsWith
		low := string(attr.AppendTuplePrefix(prefix[:len(prefix):len(prefix)], attr.Key(c.Values[0])))
		return store.Span{Low: low, High: successor(low)}
	}
}

// upTo is the range below high. An empty high would mean no end, and nothing
// lies below the empty key.
func upTo(low, high string) store.Span {
	if high == "" {
		return emptySpan
	}
	return store.Span{Low: low, High: high}
}

// successor is the first key after all keys that begin with prefix, or empty
// when there is none.
func successor(prefix string) string {
	for n := len(prefix); n > 0; n-- {
		if c := prefix[n-1]; c != 0xFF {
			return prefix[:n-1] + string([]byte{c + 1})
		}
	}
	return ""
}
