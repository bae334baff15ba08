package expr

// Kind tells the five kinds of expressions apart.
type Kind uint8

// The kinds. Three carry a suffix because their plain names are types.
const (
	Condition Kind = iota
	Filter
	KeyConditionKind
	UpdateKind
	ProjectionKind
)

// String returns the name of the request parameter, as error texts print it.
func (k Kind) String() string {
	switch k {
	case Condition:
		return "ConditionExpression"
	case Filter:
		return "FilterExpression"
	case KeyConditionKind:
		return "KeyConditionExpression"
	case UpdateKind:
		return "UpdateExpression"
	case ProjectionKind:
		return "ProjectionExpression"
	}
	return "Expression"
}

// Limits of an expression (limits §4, behaviours/04 §4.2 and §4.4).
const (
	// MaxExpressionBytes is the longest text, placeholders not substituted.
	// It also bounds the depth of every tree, since each level of nesting
	// takes at least one byte: no input can exhaust the stack.
	MaxExpressionBytes = 4096
	// MaxOperators counts comparators, AND, OR, NOT, BETWEEN, IN, + and -.
	MaxOperators = 300
	// MaxInOperands counts the operands of IN, the left side included.
	MaxInOperands = 100
	// MaxPathDepth is the number of elements that a document path may have.
	MaxPathDepth = 32
	// MaxListIndex is the largest index that a document path may hold.
	MaxListIndex = 1<<31 - 1
	// MaxPlaceholderBytes is the longest placeholder, the sigil included.
	MaxPlaceholderBytes = 255
)
