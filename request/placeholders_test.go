package request

import (
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

// TestPlaceholders uses an UpdateItem, whose two expressions show that use is judged over all of them
// (behaviours/04 §4.3).
func TestPlaceholders(t *testing.T) {
	const emptyValue = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	long := strings.Repeat("a", 255)
	tests := []struct {
		name      string
		update    string
		condition api.String
		names     []api.Name
		values    []api.NamedValue
		want      texts
	}{
		{name: "used in two expressions", update: "SET #a = :a", condition: some("#b = :b"),
			names: names("#a", "a", "#b", "b"), values: values(":a", `{"S":""}`, ":b", `{"S":""}`)},
		{name: "used twice", update: "SET #a = :a, b = :a", condition: some("#a = :a"),
			names: names("#a", "a"), values: values(":a", `{"S":""}`)},
		{name: "digits and underscore", update: "SET #0_ = :0", names: names("#0_", "a"), values: values(":0", `{"S":""}`)},
		{name: "longest name", update: "SET #n = :v", names: names("#n", strings.Repeat("a", 65535)), values: values(":v", `{"S":""}`)},

		{name: "empty names", update: "", names: names(), values: values(), want: enveloped("ExpressionAttributeNames must not be empty")},
		{name: "bad name key", update: "", names: names("a", "a"), values: values(),
			want: enveloped(`ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`)},
		{name: "bare number sign", update: "", names: names("#", "a"),
			want: enveloped(`ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`)},
		{name: "colon among names", update: "", names: names(":a", "a"),
			want: enveloped(`ExpressionAttributeNames contains invalid key: Syntax error; key: ":a"`)},
		{name: "dash", update: "", names: names("#a-b", "a"),
			want: enveloped(`ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`)},
		{name: "long name key", update: "", names: names("#"+long, "a"),
			want: enveloped("ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256")},
		{name: "empty target", update: "", names: names("#x", ""), values: values(),
			want: enveloped("ExpressionAttributeNames contains invalid value: Empty attribute name for key #x")},
		{name: "many names", update: "", names: names("#x", strings.Repeat("a", 2<<20)), want: enveloped("ExpressionAttributeNames exceeds max size")},

		{name: "empty values", update: "", names: names("#a", "a"), values: values(), want: enveloped("ExpressionAttributeValues must not be empty")},
		{name: "bad value key", update: "", values: values("v", `{}`),
			want: enveloped(`ExpressionAttributeValues contains invalid key: Syntax error; key: "v"`)},
		{name: "key before value", update: "", values: values(":v", `{}`, "#w", `{"S":""}`),
			want: enveloped(`ExpressionAttributeValues contains invalid key: Syntax error; key: "#w"`)},
		{name: "bad value", update: "", values: values(":v", `{}`), want: both(
			"ExpressionAttributeValues contains invalid value: "+emptyValue+" for key :v", emptyValue)},
		{name: "bad set", update: "", values: values(":v", `{"SS":["a","a"]}`), want: texts{
			classic: "ExpressionAttributeValues contains invalid value: " + omitted + "Input collection [a, a] contains duplicates. for key :v",
			current: omitted + `Input collection ["a", "a"] contains duplicates.`, env: true}},
		{name: "deep value", update: "", values: values(":v", nested(32)), want: texts{
			classic: "ExpressionAttributeValues contains invalid value: Nesting Levels have exceeded supported limits: " +
				"Attributes in the item have nested levels beyond supported limit for key :v",
			current: "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit", env: true}},

		{name: "undefined name", update: "SET #x = :v", values: values(":v", `{"S":""}`), want: enveloped(
			"Invalid UpdateExpression: An expression attribute name used in the document path is not defined; attribute name: #x")},
		{name: "undefined value", update: "SET x = :v", want: enveloped(
			"Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v")},
		{name: "update before condition", update: "", condition: some(""), want: enveloped("Invalid UpdateExpression: The expression can not be empty;")},
		{name: "condition", update: "REMOVE a", condition: some(""), want: enveloped("Invalid ConditionExpression: The expression can not be empty;")},
		{name: "size", update: "REMOVE " + strings.Repeat("a", 4090), want: texts{
			classic: "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;",
			current: "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size; expression size: 4097", env: true}},
		{name: "syntax", update: "INVALID SYNTAX HERE", values: values(":v", `{"S":"val"}`),
			want: enveloped(`Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"`)},

		{name: "unused name", update: "REMOVE a", names: names("#b", "a", "#a", "b"), values: values(":a", `{"S":""}`),
			want: enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}")},
		{name: "unused value", update: "REMOVE a", values: values(":b", `{"S":""}`, ":a", `{"S":""}`),
			want: enveloped("Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :b}")},
		{name: "condition before unused", update: "REMOVE a", condition: some("#x = :v"), values: values(":v", `{"S":""}`, ":w", `{"S":""}`),
			want: enveloped("Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #x")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := single.Update(&api.UpdateItemInput{
				TableName:                 table,
				Key:                       key,
				UpdateExpression:          some(test.update),
				ConditionExpression:       test.condition,
				ExpressionAttributeNames:  test.names,
				ExpressionAttributeValues: test.values,
			}, scope)
			wantError(t, err, test.want)
		})
	}
}
