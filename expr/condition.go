package expr

import (
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/attr"
)

// cond is one node of a compiled condition. Evaluating it cannot fail: data
// of any type and missing attributes have a defined outcome (behaviours/04
// §4.5).
type cond interface {
	eval(e *env, it *attr.Item) bool
}

// operand is a path, a value, or the size of one of them, by its slot.
type operand struct {
	kind operandKind
	slot int
}

type operandKind uint8

const (
	opPath operandKind = iota
	opValue
	opSizePath
	opSizeValue
)

// plain returns the value that a path or value operand, or the operand of
// size, stands for.
func (e *env) plain(o operand, it *attr.Item) (attr.Value, bool) {
	if o.kind == opValue || o.kind == opSizeValue {
		v := e.values[o.slot]
		return v, !v.IsZero()
	}
	return e.paths[o.slot].Resolve(it)
}

// value returns what an operand stands for. The result of size becomes a
// number here, which allocates; comparisons take the short way of size.
func (e *env) value(o operand, it *attr.Item) (attr.Value, bool) {
	if o.kind < opSizePath {
		return e.plain(o, it)
	}
	n, ok := e.size(o, it)
	if !ok {
		return attr.Value{}, false
	}
	return attr.Int(int64(n)), true
}

// size returns the result of a size operand; a missing value and a value
// without a size give none.
func (e *env) size(o operand, it *attr.Item) (int, bool) {
	v, ok := e.plain(o, it)
	if !ok || !maskSized.has(v.Type()) {
		return 0, false
	}
	return v.Len(), true
}

type allOf []cond

func (n allOf) eval(e *env, it *attr.Item) bool {
	for _, c := range n {
		if !c.eval(e, it) {
			return false
		}
	}
	return true
}

type anyOf []cond

func (n anyOf) eval(e *env, it *attr.Item) bool {
	for _, c := range n {
		if c.eval(e, it) {
			return true
		}
	}
	return false
}

type negation struct{ cond cond }

func (n negation) eval(e *env, it *attr.Item) bool { return !n.cond.eval(e, it) }

// comparison is one of the six comparators.
type comparison struct {
	op          Operator
	left, right operand
}

func (n comparison) eval(e *env, it *attr.Item) bool {
	if n.left.kind >= opSizePath || n.right.kind >= opSizePath {
		return n.evalSize(e, it)
	}
	left, ok := e.plain(n.left, it)
	if !ok {
		return n.op == NE
	}
	right, ok := e.plain(n.right, it)
	if !ok {
		return n.op == NE
	}
	switch n.op {
	case EQ:
		return attr.Equal(left, right)
	case NE:
		return !attr.Equal(left, right)
	}
	c, ok := attr.Compare(left, right)
	return ok && n.op.holds(c)
}

// evalSize compares sizes without making values of them. Without a size the
// comparison is false, also for <>.
func (n comparison) evalSize(e *env, it *attr.Item) bool {
	op, left, right := n.op, n.left, n.right
	if left.kind < opSizePath {
		op, left, right = op.flipped(), right, left
	}
	size, ok := e.size(left, it)
	if !ok {
		return false
	}
	if right.kind >= opSizePath {
		other, ok := e.size(right, it)
		return ok && op.holds(size-other)
	}
	v, ok := e.plain(right, it)
	if !ok || v.Type() != attr.N {
		return op == NE
	}
	return op.holds(compareSize(size, v.NumberText()))
}

// compareSize compares a size with a number in its normal form: plain digits,
// an optional sign, an optional fraction without trailing zeros.
func compareSize(size int, number string) int {
	if number[0] == '-' {
		return 1
	}
	whole, fraction, _ := strings.Cut(number, ".")
	n, err := strconv.Atoi(whole)
	switch {
	case err != nil || size < n: // beyond the range of int
		return -1
	case size > n:
		return 1
	case fraction != "":
		return -1
	}
	return 0
}

// between is x BETWEEN lo AND hi.
type between struct{ x, lo, hi operand }

func (n between) eval(e *env, it *attr.Item) bool {
	if n.x.kind >= opSizePath || n.lo.kind >= opSizePath || n.hi.kind >= opSizePath {
		return comparison{GE, n.x, n.lo}.eval(e, it) && comparison{LE, n.x, n.hi}.eval(e, it)
	}
	x, ok := e.plain(n.x, it)
	if !ok {
		return false
	}
	lo, ok := e.plain(n.lo, it)
	if !ok {
		return false
	}
	if c, ok := attr.Compare(x, lo); !ok || c < 0 {
		return false
	}
	hi, ok := e.plain(n.hi, it)
	if !ok {
		return false
	}
	c, ok := attr.Compare(x, hi)
	return ok && c <= 0
}

// member is x IN (list).
type member struct {
	x    operand
	list []operand
}

func (n member) eval(e *env, it *attr.Item) bool {
	x, ok := e.value(n.x, it)
	if !ok {
		return false
	}
	for _, o := range n.list {
		if v, ok := e.value(o, it); ok && attr.Equal(x, v) {
			return true
		}
	}
	return false
}

// existence is attribute_exists, or with want false attribute_not_exists.
type existence struct {
	path int
	want bool
}

func (n existence) eval(e *env, it *attr.Item) bool {
	_, ok := e.paths[n.path].Resolve(it)
	return ok == n.want
}

// presence is NOT_NULL, or with want false NULL, of any operand.
type presence struct {
	x    operand
	want bool
}

func (n presence) eval(e *env, it *attr.Item) bool {
	_, ok := e.value(n.x, it)
	return ok == n.want
}

// typeTest is attribute_type; the type is named by a value.
type typeTest struct {
	x   operand
	tag int
}

func (n typeTest) eval(e *env, it *attr.Item) bool {
	v, ok := e.value(n.x, it)
	return ok && v.Type() == typeOf(e.values[n.tag].Str())
}

// prefix is begins_with.
type prefix struct{ x, start operand }

func (n prefix) eval(e *env, it *attr.Item) bool {
	x, ok := e.value(n.x, it)
	if !ok {
		return false
	}
	start, ok := e.value(n.start, it)
	return ok && attr.HasPrefix(x, start)
}

// containment is contains.
type containment struct{ x, part operand }

func (n containment) eval(e *env, it *attr.Item) bool {
	x, ok := e.value(n.x, it)
	if !ok {
		return false
	}
	v, ok := e.value(n.part, it)
	return ok && attr.Contains(x, v)
}

// exclusion is the legacy NOT_CONTAINS: a missing attribute makes it false,
// a type that contains cannot look into makes it true.
type exclusion struct{ containment }

func (n exclusion) eval(e *env, it *attr.Item) bool {
	_, ok := e.value(n.x, it)
	return ok && !n.containment.eval(e, it)
}

// scoped is a condition with an env of its own, inside one that was built from
// several.
type scoped struct {
	cond cond
	env  *env
}

func (n scoped) eval(_ *env, it *attr.Item) bool { return n.cond.eval(n.env, it) }
