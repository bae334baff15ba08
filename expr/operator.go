package expr

// Operator is a comparison, named as the legacy ComparisonOperator member
// names it.
type Operator uint8

// The operators of behaviours/05 §5.5.
const (
	EQ Operator = iota + 1
	NE
	LT
	LE
	GT
	GE
	Between
	In
	BeginsWith
	Contains
	NotContains
	Null
	NotNull
)

var operatorNames = [...]string{
	"", "EQ", "NE", "LT", "LE", "GT", "GE", "BETWEEN", "IN", "BEGINS_WITH", "CONTAINS", "NOT_CONTAINS", "NULL", "NOT_NULL",
}

// String returns the operator's name on the wire.
func (o Operator) String() string { return operatorNames[o] }

// ParseOperator finds an operator by its name on the wire.
func ParseOperator(name string) (o Operator, ok bool) {
	for o := EQ; o <= NotNull; o++ {
		if operatorNames[o] == name {
			return o, true
		}
	}
	return 0, false
}

// operatorOf finds a comparator by its symbol.
func operatorOf(symbol string) Operator {
	switch symbol {
	case "=":
		return EQ
	case "<>":
		return NE
	case "<":
		return LT
	case "<=":
		return LE
	case ">":
		return GT
	default:
		return GE
	}
}

// holds reports whether a comparator is true of the outcome c of comparing
// its operands, as of [cmp.Compare].
func (o Operator) holds(c int) bool {
	switch o {
	case EQ:
		return c == 0
	case NE:
		return c != 0
	case LT:
		return c < 0
	case LE:
		return c <= 0
	case GT:
		return c > 0
	default:
		return c >= 0
	}
}

// flipped returns the comparator that says the same with its operands
// exchanged.
func (o Operator) flipped() Operator {
	switch o {
	case LT:
		return GT
	case LE:
		return GE
	case GT:
		return LT
	case GE:
		return LE
	}
	return o
}
