package api

// Condition is a legacy comparison of KeyConditions, QueryFilter and ScanFilter (behaviours/05 §5.5).
type Condition struct {
	AttributeValueList []Value
	ComparisonOperator String
}

// NamedCondition is one entry of a map from attribute name to Condition.
type NamedCondition struct {
	Name string
	Condition
}

// ExpectedAttributeValue is a legacy condition of a write (behaviours/05 §5.4).
type ExpectedAttributeValue struct {
	Value              Value
	Exists             Bool
	ComparisonOperator String
	AttributeValueList []Value
}

// NamedExpected is one entry of Expected.
type NamedExpected struct {
	Name string
	ExpectedAttributeValue
}

// AttributeValueUpdate is a legacy update action (behaviours/05 §5.3).
type AttributeValueUpdate struct {
	Value  Value
	Action String
}

// NamedUpdate is one entry of AttributeUpdates.
type NamedUpdate struct {
	Name string
	AttributeValueUpdate
}
