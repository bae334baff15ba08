package request

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

const omitted = "One or more parameter values were invalid: "

// nested is a value with a scalar inside n lists.
func nested(n int) string {
	return strings.Repeat(`{"L":[`, n) + `{"S":"x"}` + strings.Repeat(`]}`, n)
}

// sized is an item of exactly n bytes, as the service counts them.
func sized(n int) api.Item {
	return item(`{"pk":{"S":"a"},"x":{"S":"` + strings.Repeat("y", n-len("pkax")) + `"}}`)
}

func TestPutErrors(t *testing.T) {
	const exists = "attribute_exists(pk)"
	tests := []struct {
		name string
		in   api.PutItemInput
		want texts
	}{
		{"plain", api.PutItemInput{}, texts{}},
		{"largest item", api.PutItemInput{Item: sized(409600)}, texts{}},
		{"condition", api.PutItemInput{ConditionExpression: some(exists)}, texts{}},
		{"all old", api.PutItemInput{ReturnValues: some("ALL_OLD")}, texts{}},

		// Values (behaviours/03 §3.1, §3.2).
		{"empty value", api.PutItemInput{Item: item(`{"pk":{}}`)},
			plain("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")},
		{"two types", api.PutItemInput{Item: item(`{"pk":{"S":"a","N":"1"}}`)},
			plain("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")},
		{"null false", api.PutItemInput{Item: item(`{"pk":{"NULL":false}}`)},
			enveloped(omitted + "Null attribute value types must have the value of true")},
		{"empty string set", api.PutItemInput{Item: item(`{"pk":{"SS":[]}}`)},
			enveloped(omitted + "An string set  may not be empty")},
		{"empty number set", api.PutItemInput{Item: item(`{"pk":{"NS":[]}}`)},
			enveloped(omitted + "An number set  may not be empty")},
		{"empty binary set", api.PutItemInput{Item: item(`{"pk":{"BS":[]}}`)},
			enveloped(omitted + "Binary sets should not be empty")},
		{"duplicates", api.PutItemInput{Item: item(`{"pk":{"SS":["a","a"]}}`)}, texts{
			classic: omitted + "Input collection [a, a] contains duplicates.",
			current: omitted + `Input collection ["a", "a"] contains duplicates.`, env: true}},
		{"duplicate bytes", api.PutItemInput{Item: item(`{"pk":{"BS":["AA==","AA=="]}}`)}, texts{
			classic: omitted + "Input collection [AA==, AA==]of type BS contains duplicates.",
			current: omitted + `Input collection ["AA==","AA=="]of type BS contains duplicates.`, env: true}},
		{"duplicate numbers", api.PutItemInput{Item: item(`{"pk":{"NS":["1","1.0"]}}`)}, texts{
			classic: "Input collection contains duplicates",
			current: omitted + "Input collection contains duplicates.", env: true}},
		{"number", api.PutItemInput{Item: item(`{"pk":{"N":"b"}}`)},
			enveloped("The parameter cannot be converted to a numeric value: b")},
		{"empty number", api.PutItemInput{Item: item(`{"pk":{"N":""}}`)}, texts{
			classic: "The parameter cannot be converted to a numeric value",
			current: "The parameter cannot be converted to a numeric value: ", env: true}},
		{"digits", api.PutItemInput{Item: item(`{"pk":{"N":"123456789012345678901234567890123456789"}}`)},
			enveloped("Attempting to store more than 38 significant digits in a Number")},
		{"empty name", api.PutItemInput{Item: item(`{"":{"S":"a"}}`)}, enveloped("Empty attribute name")},
		{"deepest item", api.PutItemInput{Item: item(`{"pk":` + nested(31) + `}`)}, texts{}},
		{"too deep", api.PutItemInput{Item: item(`{"pk":` + nested(32) + `}`)}, enveloped("Nesting Levels have exceeded supported limits: " +
			"Attributes in the item have nested levels beyond supported limit")},

		// Mixing and placement.
		{"mixed", api.PutItemInput{Expected: []api.NamedExpected{}, ConditionExpression: some(exists)},
			enveloped("Can not use both expression and non-expression parameters in the same request: " +
				"Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}")},
		{"operator mixed", api.PutItemInput{ConditionalOperator: some("AND"), ConditionExpression: some(exists)},
			enveloped("Can not use both expression and non-expression parameters in the same request: " +
				"Non-expression parameters: {ConditionalOperator} Expression parameters: {ConditionExpression}")},
		{"lone names", api.PutItemInput{ExpressionAttributeNames: names()},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"lone values", api.PutItemInput{ExpressionAttributeValues: values()}, texts{
			classic: "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
			current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},

		{"return values", api.PutItemInput{ReturnValues: some("ALL_NEW")}, enveloped("ReturnValues can only be ALL_OLD or NONE")},
		{"too large", api.PutItemInput{Item: sized(409601)}, plain("Item size has exceeded the maximum allowed size")},

		// One before the other (behaviours/01 §1.6).
		{"values before Expected",
			api.PutItemInput{Item: item(`{"pk":{}}`), Expected: []api.NamedExpected{{Name: "x"}}},
			plain("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")},
		{"Expected before mixing",
			api.PutItemInput{Expected: []api.NamedExpected{{Name: "x"}}, ConditionExpression: some(exists)},
			enveloped(omitted + "Value must be provided when Exists is null for Attribute: x")},
		{"mixing before placement",
			api.PutItemInput{Expected: []api.NamedExpected{}, ConditionExpression: some(""), ExpressionAttributeNames: names()},
			enveloped("Can not use both expression and non-expression parameters in the same request: " +
				"Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}")},
		{"placement before ReturnValues",
			api.PutItemInput{ExpressionAttributeNames: names(), ReturnValues: some("ALL_NEW")},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"ReturnValues before placeholders",
			api.PutItemInput{ConditionExpression: some(""), ExpressionAttributeNames: names(), ReturnValues: some("ALL_NEW")},
			enveloped("ReturnValues can only be ALL_OLD or NONE")},
		{"placeholders before condition",
			api.PutItemInput{ConditionExpression: some(""), ExpressionAttributeNames: names()},
			enveloped("ExpressionAttributeNames must not be empty")},
		{"condition before unused",
			api.PutItemInput{ConditionExpression: some(""), ExpressionAttributeNames: names("#a", "a")},
			enveloped("Invalid ConditionExpression: The expression can not be empty;")},
		{"unused before size",
			api.PutItemInput{Item: sized(409601), ConditionExpression: some(exists), ExpressionAttributeNames: names("#a", "a")},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			in.TableName = table
			if !in.Item.Set {
				in.Item = key
			}
			_, err := single.Put(&in, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestPut(t *testing.T) {
	in := api.PutItemInput{
		TableName:                           some("arn:aws:dynamodb:us-east-1:000000000000:table/T"),
		Item:                                item(`{"pk":{"S":"a"}}`),
		ConditionExpression:                 some("#n = :v"),
		ExpressionAttributeNames:            names("#n", "n"),
		ExpressionAttributeValues:           values(":v", `{"N":"1"}`),
		ReturnValues:                        some("ALL_OLD"),
		ReturnValuesOnConditionCheckFailure: some("ALL_OLD"),
		ReturnConsumedCapacity:              some("INDEXES"),
		ReturnItemCollectionMetrics:         some("SIZE"),
	}
	cmd, err := caching.Put(&in, scope)
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Table != "T" || !attr.EqualItems(cmd.Item, in.Item.Item) || !cmd.ReturnOld || !cmd.ReturnOnFailure ||
		cmd.Capacity != api.CapacityIndexes || !cmd.Metrics {
		t.Errorf("wrong command %+v", cmd)
	}
	got := map[string]bool{}
	for _, text := range []string{`{"n":{"N":"1.0"}}`, `{"n":{"N":"2"}}`} {
		got[text] = cmd.Condition.Eval(item(text).Item)
	}
	if diff := cmp.Diff(map[string]bool{`{"n":{"N":"1.0"}}`: true, `{"n":{"N":"2"}}`: false}, got); diff != "" {
		t.Errorf("condition (-want +got):\n%s", diff)
	}
}
