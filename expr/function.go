package expr

// function is one of the service's functions.
type function uint8

const (
	fnUnknown function = iota
	fnExists
	fnNotExists
	fnType
	fnBeginsWith
	fnContains
	fnSize
	fnIfNotExists
	fnListAppend
)

// functionOf finds a function by its name, which is case-sensitive.
func functionOf(name string) function {
	switch name {
	case "attribute_exists":
		return fnExists
	case "attribute_not_exists":
		return fnNotExists
	case "attribute_type":
		return fnType
	case "begins_with":
		return fnBeginsWith
	case "contains":
		return fnContains
	case "size":
		return fnSize
	case "if_not_exists":
		return fnIfNotExists
	case "list_append":
		return fnListAppend
	}
	return fnUnknown
}

// isCondition reports whether the function makes a condition.
func (f function) isCondition() bool { return fnExists <= f && f <= fnContains }

// isUpdate reports whether the function belongs to update expressions.
func (f function) isUpdate() bool { return f == fnIfNotExists || f == fnListAppend }

// operands is the number of operands that the function takes.
func (f function) operands() int {
	switch f {
	case fnExists, fnNotExists, fnSize:
		return 1
	}
	return 2
}
