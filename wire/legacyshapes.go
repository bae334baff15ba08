package wire

import "github.com/dynalite-go/dynalite/api"

// attributesToGet is the legacy projection.
func attributesToGet[T any](at func(*T) *[]string) member[T] {
	return texts("AttributesToGet", at, minLength(1).quiet(), eachLength(0, api.MaxAttributeNameBytes))
}

var condition = newShape("Condition", []member[api.Condition]{
	values("AttributeValueList", func(in *api.Condition) *[]api.Value { return &in.AttributeValueList }),
	text("ComparisonOperator", func(in *api.Condition) *api.String { return &in.ComparisonOperator },
		required(), comparisonEnum()),
})

// conditions is a map from attribute names to conditions.
func conditions[T any](name string, at func(*T) *[]api.NamedCondition) member[T] {
	return entries(name, condition, at, func(n *api.NamedCondition) (*string, *api.Condition) {
		return &n.Name, &n.Condition
	})
}

var expectedValue = newShape("ExpectedAttributeValue", []member[api.ExpectedAttributeValue]{
	value("Value", func(in *api.ExpectedAttributeValue) *api.Value { return &in.Value }),
	flag("Exists", func(in *api.ExpectedAttributeValue) *api.Bool { return &in.Exists }),
	text("ComparisonOperator", func(in *api.ExpectedAttributeValue) *api.String { return &in.ComparisonOperator },
		comparisonEnum()),
	values("AttributeValueList", func(in *api.ExpectedAttributeValue) *[]api.Value { return &in.AttributeValueList }),
})

func expected[T any](at func(*T) *[]api.NamedExpected) member[T] {
	return entries("Expected", expectedValue, at, func(n *api.NamedExpected) (*string, *api.ExpectedAttributeValue) {
		return &n.Name, &n.ExpectedAttributeValue
	})
}

var valueUpdate = newShape("AttributeValueUpdate", []member[api.AttributeValueUpdate]{
	value("Value", func(in *api.AttributeValueUpdate) *api.Value { return &in.Value }),
	text("Action", func(in *api.AttributeValueUpdate) *api.String { return &in.Action }, oneOf("ADD", "PUT", "DELETE")),
})

func attributeUpdates[T any](at func(*T) *[]api.NamedUpdate) member[T] {
	return entries("AttributeUpdates", valueUpdate, at, func(n *api.NamedUpdate) (*string, *api.AttributeValueUpdate) {
		return &n.Name, &n.AttributeValueUpdate
	})
}
