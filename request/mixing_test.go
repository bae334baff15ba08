package request

import (
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

func mixed(legacy, expressions string) texts {
	return enveloped("Can not use both expression and non-expression parameters in the same request: " +
		"Non-expression parameters: {" + legacy + "} Expression parameters: {" + expressions + "}")
}

// compile runs one method of a Compiler for its error.
func compile[I, C any](method func(*I, Scope) (C, error), in I) error {
	_, err := method(&in, scope)
	return err
}

func TestMixing(t *testing.T) {
	someNames := names("#a", "a")
	someValues := values(":a", `{"S":"a"}`)
	eq := api.Condition{ComparisonOperator: some("EQ"), AttributeValueList: list(`{"S":"a"}`)}
	conditions := []api.NamedCondition{{Name: "pk", Condition: eq}}
	tests := []struct {
		name string
		err  error
		want texts
	}{
		{"update", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key,
			AttributeUpdates: []api.NamedUpdate{}, Expected: []api.NamedExpected{}, ConditionalOperator: some("OR"),
			UpdateExpression: some(""), ConditionExpression: some("")}),
			mixed("AttributeUpdates, Expected, ConditionalOperator", "UpdateExpression, ConditionExpression")},
		{"update C601", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key,
			UpdateExpression: some("SET attr1 = :v"), ExpressionAttributeValues: values(":v", `{"S":"val"}`),
			AttributeUpdates: []api.NamedUpdate{{Name: "attr1"}}}),
			mixed("AttributeUpdates", "UpdateExpression")},
		{"condition with AttributeUpdates", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key,
			AttributeUpdates: []api.NamedUpdate{}, ConditionExpression: some("")}),
			mixed("AttributeUpdates", "ConditionExpression")},
		{"update names", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key,
			AttributeUpdates: []api.NamedUpdate{}, ExpressionAttributeNames: someNames}),
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"update values", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key, ExpressionAttributeValues: someValues}),
			texts{classic: "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null",
				current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},
		{"delete", compile(single.Delete, api.DeleteItemInput{TableName: table, Key: key,
			Expected: []api.NamedExpected{}, ConditionExpression: some("")}),
			mixed("Expected", "ConditionExpression")},
		{"delete values", compile(single.Delete, api.DeleteItemInput{TableName: table, Key: key, ExpressionAttributeValues: someValues}),
			texts{classic: "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
				current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},
		{"get", compile(single.Get, api.GetItemInput{TableName: table, Key: key,
			AttributesToGet: []string{"a"}, ProjectionExpression: some("")}),
			mixed("AttributesToGet", "ProjectionExpression")},
		{"get names", compile(single.Get, api.GetItemInput{TableName: table, Key: key,
			AttributesToGet: []string{"a"}, ExpressionAttributeNames: someNames}),
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},

		{"query", compile(single.Query, api.QueryInput{TableName: table, AttributesToGet: []string{}, QueryFilter: conditions,
			ConditionalOperator: some("OR"), KeyConditions: conditions,
			ProjectionExpression: some(""), FilterExpression: some(""), KeyConditionExpression: some("")}),
			mixed("AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
				"ProjectionExpression, FilterExpression, KeyConditionExpression")},
		{"query key conditions with filter", compile(single.Query, api.QueryInput{TableName: table, KeyConditions: conditions,
			FilterExpression: some("b = :a"), ExpressionAttributeValues: someValues}), texts{}},
		{"query key conditions with projection", compile(single.Query, api.QueryInput{TableName: table, KeyConditions: conditions,
			ProjectionExpression: some("b")}), texts{}},
		{"query both kinds of key condition", compile(single.Query, api.QueryInput{TableName: table, KeyConditions: conditions,
			KeyConditionExpression: some("")}), mixed("KeyConditions", "KeyConditionExpression")},
		{"query expression with filter", compile(single.Query, api.QueryInput{TableName: table, QueryFilter: conditions,
			KeyConditionExpression: some("")}), mixed("QueryFilter", "KeyConditionExpression")},
		{"query expression with attributes", compile(single.Query, api.QueryInput{TableName: table, AttributesToGet: []string{"a"},
			KeyConditionExpression: some("")}), mixed("AttributesToGet", "KeyConditionExpression")},
		{"query legacy only", compile(single.Query, api.QueryInput{TableName: table, AttributesToGet: []string{"a"},
			KeyConditions: conditions, QueryFilter: conditions}), texts{}},
		{"query values", compile(single.Query, api.QueryInput{TableName: table, KeyConditions: conditions,
			ProjectionExpression: some("a"), ExpressionAttributeValues: someValues}),
			texts{classic: "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null",
				current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},

		{"scan", compile(single.Scan, api.ScanInput{TableName: table, AttributesToGet: []string{"a"}, ScanFilter: conditions,
			ConditionalOperator: some("OR"), ProjectionExpression: some(""), FilterExpression: some("")}),
			mixed("AttributesToGet, ScanFilter, ConditionalOperator", "ProjectionExpression, FilterExpression")},
		{"scan projection with operator", compile(single.Scan, api.ScanInput{TableName: table,
			ConditionalOperator: some("OR"), ProjectionExpression: some("")}),
			mixed("ConditionalOperator", "ProjectionExpression")},
		{"scan values", compile(single.Scan, api.ScanInput{TableName: table, ExpressionAttributeValues: someValues}),
			texts{classic: "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
				current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},
		{"scan names", compile(single.Scan, api.ScanInput{TableName: table, ExpressionAttributeNames: someNames}),
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantError(t, test.err, test.want) })
	}
}
