package partiql

import (
	"slices"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// plan is how a SELECT reads: by keys, or everything.
type plan struct {
	reads    []read // nil: a scan
	backward bool
	fan      bool // several partition keys of one IN
}

// read is one walk through a partition: all of it, or one range of sort keys.
type read struct {
	hash   attr.Value
	clause *expr.KeyClause // on the sort key; nil: none
	span   keySpan         // of clause
	// filter holds alternatives, each a list of conditions that all hold.
	// An alternative without conditions makes the filter true.
	filter [][]*condition
	exempt bool // holds a negated condition on the sort key
}

// keySpan is a half-open range of sort keys in their order-preserving form.
// An empty high is no end.
type keySpan struct{ low, high string }

func (s keySpan) overlaps(t keySpan) bool {
	return (t.high == "" || s.low < t.high) && (s.high == "" || t.low < s.high)
}

const (
	// maxHashValues is the most partition keys that one IN may list
	// (limits.md §5).
	maxHashValues = 50
	// fanPageItems is the most items of a page of such a read (limits.md §5).
	fanPageItems = 10
	// maxReads is the most reads of a plan: as many keys as an IN on the
	// partition key beside one on the sort key can name.
	maxReads = maxHashValues * 100
)

// planner knows the key that a statement reads by.
type planner struct {
	bound
	hash, sort engine.KeyAttribute // sort has no name if there is none
}

func newPlanner(b bound, s engine.Schema) *planner {
	key := s.Key
	if s.Index != nil {
		key = s.Index.Key
	}
	p := &planner{bound: b, hash: key.Hash[0]}
	if len(key.Range) > 0 {
		p.sort = key.Range[0]
	}
	return p
}

// plan finds out how to read (behaviours/09 §9.6).
func (p *planner) plan() (plan, *api.Error) {
	var pl plan
	branches, ok := p.branches(p.where)
	for i := 0; ok && i < len(branches); i++ {
		var found bool
		var err *api.Error
		found, err = p.addReads(&pl, branches[i])
		if err != nil {
			return pl, err
		}
		ok = found
	}
	if !ok || len(branches) == 0 {
		pl = plan{}
	}
	if err := pl.merge(); err != nil {
		return pl, err
	}
	return pl, p.order(&pl)
}

// maxBranches bounds the alternatives that a WHERE is taken apart into. One
// with more is a filter.
const maxBranches = 256

// branches takes a WHERE apart into alternatives, each a list of conditions
// that all hold. Conditions that do not speak of keys stay whole.
func (p *planner) branches(c *condition) ([][]*condition, bool) {
	switch {
	case c == nil:
		return nil, true
	case c.kind == condOr && p.speaksOfKeys(c):
		var all [][]*condition
		for _, sub := range c.subs {
			list, ok := p.branches(sub)
			if !ok || len(all)+len(list) > maxBranches {
				return nil, false
			}
			all = append(all, list...)
		}
		return all, true
	case c.kind == condAnd:
		all := [][]*condition{nil}
		for _, sub := range c.subs {
			list, ok := p.branches(sub)
			if !ok || len(all)*len(list) > maxBranches {
				return nil, false
			}
			all = product(all, list)
		}
		return all, true
	}
	return [][]*condition{{c}}, true
}

func product(left, right [][]*condition) [][]*condition {
	if len(right) == 1 {
		for i := range left {
			left[i] = append(left[i], right[0]...)
		}
		return left
	}
	all := make([][]*condition, 0, len(left)*len(right))
	for _, l := range left {
		for _, r := range right {
			all = append(all, slices.Concat(l, r))
		}
	}
	return all
}

// speaksOfKeys reports whether a condition holds one that a read can be keyed
// by.
func (p *planner) speaksOfKeys(c *condition) bool {
	switch c.kind {
	case condAnd, condOr:
		return slices.ContainsFunc(c.subs, p.speaksOfKeys)
	}
	return p.hashValues(c) != nil || p.sortClause(c) || p.isNegatedSort(c)
}

// on reports whether a condition compares the attribute with values.
func (c *condition) on(name string) bool {
	if c.kind == condNot || len(c.args) == 0 {
		return false
	}
	first, rest := 0, c.args[1:]
	if c.kind == condCompare && c.args[0].kind != operandPath {
		first, rest = 1, c.args[:1]
	}
	if got, ok := c.args[first].attribute(); !ok || got != name {
		return false
	}
	for i := range rest {
		if rest[i].kind == operandPath || rest[i].size {
			return false
		}
	}
	return true
}

// hashValues returns the operands that a condition allows for the partition
// key, nil for a condition that is no equality.
func (p *planner) hashValues(c *condition) []operand {
	return equalTo(c, p.hash.Name)
}

// equalTo returns the values of attribute = value and attribute IN values.
func equalTo(c *condition, name string) []operand {
	switch {
	case !c.on(name):
		return nil
	case c.kind == condIn:
		return c.args[1:]
	case c.kind != condCompare || c.op != expr.EQ:
		return nil
	case c.args[0].kind == operandPath:
		return c.args[1:]
	}
	return c.args[:1]
}

// sortClause reports whether a condition can be a condition of a Query on the
// sort key.
func (p *planner) sortClause(c *condition) bool {
	if p.sort.Name == "" || !c.on(p.sort.Name) {
		return false
	}
	switch c.kind {
	case condIn, condBetween, condBeginsWith:
		return true
	}
	return c.kind == condCompare && c.op != expr.NE
}

// isNegatedSort recognizes conditions such as NOT sk = 'a' and sk <> 'a'.
func (p *planner) isNegatedSort(c *condition) bool {
	if p.sort.Name == "" {
		return false
	}
	if c.kind == condNot {
		return mentions(c, p.sort.Name)
	}
	return c.kind == condCompare && c.op == expr.NE && c.on(p.sort.Name)
}

// mentions reports whether a condition names a top-level attribute.
func mentions(c *condition, name string) bool {
	for i := range c.args {
		if c.args[i].kind == operandPath && c.args[i].path[0].Name() == name {
			return true
		}
	}
	return slices.ContainsFunc(c.subs, func(sub *condition) bool { return mentions(sub, name) })
}

// addReads adds the reads of one alternative. It reports false when the
// partition key is not bound.
func (p *planner) addReads(pl *plan, branch []*condition) (bool, *api.Error) {
	hashAt := slices.IndexFunc(branch, func(c *condition) bool { return p.hashValues(c) != nil })
	if hashAt < 0 {
		return false, nil
	}
	hashes, err := p.distinct(p.hashValues(branch[hashAt]), p.hash)
	if err != nil {
		return false, err
	}
	if branch[hashAt].kind == condIn {
		if len(hashes) > maxHashValues {
			return false, errManyReads
		}
		pl.fan = pl.fan || len(hashes) > 1
	}
	sortAt := p.bestSort(branch)
	base := read{filter: [][]*condition{p.rest(branch, hashAt, sortAt)}}
	base.exempt = sortAt < 0 && slices.ContainsFunc(branch, p.isNegatedSort)
	ranges := []read{base}
	if sortAt >= 0 {
		if ranges, err = p.sortReads(base, branch[sortAt]); err != nil {
			return false, err
		}
	}
	if len(pl.reads)+len(hashes)*len(ranges) > maxReads {
		return false, errManyReads
	}
	for _, hash := range hashes {
		for _, r := range ranges {
			r.hash = hash
			pl.reads = append(pl.reads, r)
		}
	}
	return true, nil
}

// bestSort is the position of the condition on the sort key to read by: an
// equality if there is one, or -1.
func (p *planner) bestSort(branch []*condition) int {
	best := -1
	for i, c := range branch {
		if p.sortClause(c) && (best < 0 || equalTo(branch[best], p.sort.Name) == nil && equalTo(c, p.sort.Name) != nil) {
			best = i
		}
	}
	return best
}

func (p *planner) rest(branch []*condition, hashAt, sortAt int) []*condition {
	var rest []*condition
	for i, c := range branch {
		if i != hashAt && i != sortAt {
			rest = append(rest, c)
		}
	}
	return rest
}

// distinct returns the values of operands without repeats, after checking
// that they have the type of the key attribute.
func (p *planner) distinct(list []operand, k engine.KeyAttribute) ([]attr.Value, *api.Error) {
	values := make([]attr.Value, 0, len(list))
	for i := range list {
		v := p.known(&list[i])
		if v.Type() != k.Type {
			return nil, errKeyType(k)
		}
		if !slices.ContainsFunc(values, func(w attr.Value) bool { return attr.Equal(v, w) }) {
			values = append(values, v)
		}
	}
	return values, nil
}

// errKeyType: that key types are checked is recorded, the text is that of
// the downloadable edition.
func errKeyType(k engine.KeyAttribute) *api.Error {
	return api.Validation("Key attribute's data type should match its data type in table's schema: Key " + k.Name)
}

// sortReads splits a read by a condition on the sort key: one for each value
// of an equality, else one.
func (p *planner) sortReads(base read, c *condition) ([]read, *api.Error) {
	if equal := equalTo(c, p.sort.Name); equal != nil {
		values, err := p.distinct(equal, p.sort)
		if err != nil {
			return nil, err
		}
		reads := make([]read, len(values))
		for i, v := range values {
			reads[i] = base.by(expr.KeyClause{Name: p.sort.Name, Op: expr.EQ, Values: [2]attr.Value{v}, N: 1})
		}
		return reads, nil
	}
	clause := expr.KeyClause{Name: p.sort.Name, Op: c.op}
	args := c.args[1:]
	switch c.kind {
	case condBetween:
		clause.Op = expr.Between
	case condBeginsWith:
		clause.Op = expr.BeginsWith
	default:
		if c.args[0].kind != operandPath {
			args, clause.Op = c.args[:1], flipped(c.op)
		}
	}
	for i := range args {
		v := p.known(&args[i])
		if v.Type() != p.sort.Type {
			return nil, errKeyType(p.sort)
		}
		clause.Values[i] = v
		clause.N++
	}
	return []read{base.by(clause)}, nil
}

func flipped(op expr.Operator) expr.Operator {
	switch op {
	case expr.LT:
		return expr.GT
	case expr.LE:
		return expr.GE
	case expr.GT:
		return expr.LT
	case expr.GE:
		return expr.LE
	}
	return op
}

func (r read) by(c expr.KeyClause) read {
	r.clause, r.span = &c, spanOf(&c)
	return r
}

// spanOf is the range of sort keys that a clause allows.
func spanOf(c *expr.KeyClause) keySpan {
	v := attr.Key(c.Values[0])
	switch c.Op {
	case expr.EQ:
		return keySpan{v, v + "\x00"}
	case expr.LT:
		return keySpan{"", v}
	case expr.LE:
		return keySpan{"", v + "\x00"}
	case expr.GT:
		return keySpan{v + "\x00", ""}
	case expr.GE:
		return keySpan{v, ""}
	case expr.Between:
		return keySpan{v, attr.Key(c.Values[1]) + "\x00"}
	}
	return keySpan{v, successor(v)}
}

// successor is the first key after those that begin with prefix, or empty
// when there is none.
func successor(prefix string) string {
	for n := len(prefix); n > 0; n-- {
		if c := prefix[n-1]; c != 0xFF {
			return prefix[:n-1] + string([]byte{c + 1})
		}
	}
	return ""
}

// exact reports whether the read finds at most one item.
func (p *planner) exact(r *read) bool {
	return p.sort.Name == "" || r.clause != nil && r.clause.Op == expr.EQ
}
