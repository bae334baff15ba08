package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// condition is a legacy condition on the attribute x.
func condition(op string, values ...string) api.NamedCondition {
	return api.NamedCondition{Name: "x", Condition: api.Condition{ComparisonOperator: some(op), AttributeValueList: list(values...)}}
}

// TestConditionRules has the static rules of behaviours/05 §5.5, for both filters and for Expected, where the
// condition stands as a list.
func TestConditionRules(t *testing.T) {
	count := func(op string) texts {
		return enveloped(omitted + "Invalid number of argument(s) for the " + op + " ComparisonOperator")
	}
	badType := func(op, typ string) texts {
		return enveloped(omitted + "ComparisonOperator " + op + " is not valid for " + typ + " AttributeValue type")
	}
	const (
		a     = `{"S":"a"}`
		b     = `{"S":"b"}`
		one   = `{"N":"1"}`
		set   = `{"SS":["a"]}`
		isNo  = `{"BOOL":false}`
		elems = `{"L":[]}`
	)
	tests := []struct {
		name string
		cond api.NamedCondition
		want texts
	}{
		{"EQ", condition("EQ", a), texts{}},
		{"EQ set", condition("EQ", set), texts{}},
		{"EQ list", condition("EQ", elems), texts{}},
		{"NE boolean", condition("NE", isNo), texts{}},
		{"NULL", condition("NULL"), texts{}},
		{"IN", condition("IN", a, b, a), texts{}},
		{"equal bounds", condition("BETWEEN", a, a), texts{}},

		{"EQ none", condition("EQ"), count("EQ")},
		{"EQ two", condition("EQ", a, b), count("EQ")},
		{"NULL one", condition("NULL", a), count("NULL")},
		{"NOT_NULL one", condition("NOT_NULL", a), count("NOT_NULL")},
		{"IN none", condition("IN"), count("IN")},
		{"BETWEEN one", condition("BETWEEN", a), count("BETWEEN")},
		{"BETWEEN three", condition("BETWEEN", a, b, b), count("BETWEEN")},
		{"CONTAINS two", condition("CONTAINS", a, b), count("CONTAINS")},

		{"mixed types", condition("IN", a, one), enveloped(omitted + "AttributeValues inside AttributeValueList must be of same type")},
		{"LT set", condition("LT", set), badType("LT", "SS")},
		{"GE boolean", condition("GE", isNo), badType("GE", "BOOL")},
		{"BETWEEN list", condition("BETWEEN", elems, elems), badType("BETWEEN", "L")},
		{"IN set", condition("IN", set), badType("IN", "SS")},
		{"BEGINS_WITH number", condition("BEGINS_WITH", one), badType("BEGINS_WITH", "N")},
		{"CONTAINS set", condition("CONTAINS", set), badType("CONTAINS", "SS")},
		{"NOT_CONTAINS list", condition("NOT_CONTAINS", elems), badType("NOT_CONTAINS", "L")},
		{"reversed", condition("BETWEEN", b, a),
			enveloped("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")},

		// Value faults, count, same type, operator and type, order of bounds.
		{"value before count", condition("EQ", `{}`, a), plain(emptyValue)},
		{"count before type", condition("LT", set, one), count("LT")},
		{"same type before operator", condition("BETWEEN", set, one),
			enveloped(omitted + "AttributeValues inside AttributeValueList must be of same type")},
	}
	for _, test := range tests {
		conditions := []api.NamedCondition{test.cond}
		pk := []api.NamedCondition{{Name: "pk", Condition: condition("EQ", a).Condition}}
		t.Run("Scan/"+test.name, func(t *testing.T) {
			wantError(t, compile(single.Scan, api.ScanInput{TableName: table, ScanFilter: conditions}), test.want)
		})
		t.Run("Query/"+test.name, func(t *testing.T) {
			wantError(t, compile(single.Query, api.QueryInput{TableName: table, KeyConditions: pk, QueryFilter: conditions}), test.want)
		})
		t.Run("KeyConditions/"+test.name, func(t *testing.T) {
			wantError(t, compile(single.Query, api.QueryInput{TableName: table, KeyConditions: conditions}), test.want)
		})
		t.Run("Expected/"+test.name, func(t *testing.T) {
			expected := []api.NamedExpected{{Name: "x", ExpectedAttributeValue: api.ExpectedAttributeValue{
				ComparisonOperator: test.cond.ComparisonOperator, AttributeValueList: test.cond.AttributeValueList}}}
			wantError(t, compile(single.Delete, api.DeleteItemInput{TableName: table, Key: key, Expected: expected}), test.want)
		})
	}
}

// TestExpectedRules has the rest of behaviours/05 §5.4.
func TestExpectedRules(t *testing.T) {
	a, yes, no := value(`{"S":"a"}`), api.SomeBool(true), api.SomeBool(false)
	tests := []struct {
		name string
		in   api.ExpectedAttributeValue
		want texts
	}{
		{"equal", api.ExpectedAttributeValue{Value: a}, texts{}},
		{"exists and equal", api.ExpectedAttributeValue{Value: a, Exists: yes}, texts{}},
		{"absent", api.ExpectedAttributeValue{Exists: no}, texts{}},
		{"operator with value", api.ExpectedAttributeValue{Value: a, ComparisonOperator: some("LT")}, texts{}},
		{"NULL without list", api.ExpectedAttributeValue{ComparisonOperator: some("NULL")}, texts{}},

		{"value", api.ExpectedAttributeValue{Value: value(`{}`), AttributeValueList: list(`{"N":"x"}`)}, plain(emptyValue)},
		{"value in list", api.ExpectedAttributeValue{Value: a, AttributeValueList: list(`{"N":"x"}`)},
			enveloped("The parameter cannot be converted to a numeric value: x")},
		{"value and list", api.ExpectedAttributeValue{Value: a, AttributeValueList: list(), ComparisonOperator: some("EQ"), Exists: yes},
			enveloped(omitted + "Value and AttributeValueList cannot be used together for Attribute: x")},
		{"exists and operator", api.ExpectedAttributeValue{ComparisonOperator: some("EQ"), Exists: yes},
			enveloped(omitted + "Exists and ComparisonOperator cannot be used together for Attribute: x")},
		{"operator alone", api.ExpectedAttributeValue{ComparisonOperator: some("EQ")},
			enveloped(omitted + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: x")},
		{"operator with empty list", api.ExpectedAttributeValue{ComparisonOperator: some("EQ"), AttributeValueList: list()},
			enveloped(omitted + "Invalid number of argument(s) for the EQ ComparisonOperator")},
		{"value for NULL", api.ExpectedAttributeValue{ComparisonOperator: some("NULL"), Value: a},
			enveloped(omitted + "Invalid number of argument(s) for the NULL ComparisonOperator")},
		{"type of value", api.ExpectedAttributeValue{ComparisonOperator: some("LT"), Value: value(`{"SS":["a"]}`)},
			enveloped(omitted + "ComparisonOperator LT is not valid for SS AttributeValue type")},
		{"list alone", api.ExpectedAttributeValue{AttributeValueList: list(), Exists: no},
			enveloped(omitted + "AttributeValueList can only be used with a ComparisonOperator for Attribute: x")},
		{"nothing", api.ExpectedAttributeValue{}, enveloped(omitted + "Value must be provided when Exists is null for Attribute: x")},
		{"exists without value", api.ExpectedAttributeValue{Exists: yes},
			enveloped(omitted + "Value must be provided when Exists is true for Attribute: x")},
		{"absent with value", api.ExpectedAttributeValue{Exists: no, Value: a},
			enveloped(omitted + "Value cannot be used when Exists is false for Attribute: x")},
	}
	for _, test := range tests {
		expected := []api.NamedExpected{{Name: "x", ExpectedAttributeValue: test.in}}
		t.Run(test.name, func(t *testing.T) {
			wantError(t, compile(single.Put, api.PutItemInput{TableName: table, Item: key, Expected: expected}), test.want)
			wantError(t, compile(single.Update, api.UpdateItemInput{TableName: table, Key: key, Expected: expected}), test.want)
			wantError(t, compile(single.Delete, api.DeleteItemInput{TableName: table, Key: key, Expected: expected}), test.want)
		})
	}
}

func TestConditionalOperator(t *testing.T) {
	const (
		none = "ConditionalOperator cannot be used without Filter or Expected"
		one  = "ConditionalOperator can only be used when Filter or Expected has two or more elements"
	)
	and := some("AND")
	conditions := []api.NamedCondition{condition("NULL")}
	expected := []api.NamedExpected{{Name: "x", ExpectedAttributeValue: api.ExpectedAttributeValue{Exists: api.SomeBool(false)}}}
	tests := []struct {
		name string
		err  error
		want texts
	}{
		{"scan", compile(single.Scan, api.ScanInput{TableName: table, ConditionalOperator: and}), enveloped(none)},
		{"scan, empty", compile(single.Scan, api.ScanInput{TableName: table, ConditionalOperator: and, ScanFilter: []api.NamedCondition{}}), enveloped(none)},
		{"scan, one", compile(single.Scan, api.ScanInput{TableName: table, ConditionalOperator: and, ScanFilter: conditions}), enveloped(one)},
		{"query", compile(single.Query, api.QueryInput{TableName: table, ConditionalOperator: and, KeyConditions: conditions}), enveloped(none)},
		{"query without key condition", compile(single.Query, api.QueryInput{TableName: table, ConditionalOperator: and}), enveloped(none)},
		{"put", compile(single.Put, api.PutItemInput{TableName: table, Item: key, ConditionalOperator: and}), enveloped(none)},
		{"put, empty", compile(single.Put, api.PutItemInput{TableName: table, Item: key, ConditionalOperator: and,
			Expected: []api.NamedExpected{}}), enveloped(none)},
		{"put, one", compile(single.Put, api.PutItemInput{TableName: table, Item: key, ConditionalOperator: and, Expected: expected}), enveloped(one)},
		{"update", compile(single.Update, api.UpdateItemInput{TableName: table, Key: key, ConditionalOperator: and}), enveloped(none)},
		{"delete", compile(single.Delete, api.DeleteItemInput{TableName: table, Key: key, ConditionalOperator: and}), enveloped(none)},
		{"empty Expected alone", compile(single.Put, api.PutItemInput{TableName: table, Item: key, Expected: []api.NamedExpected{}}), texts{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantError(t, test.err, test.want) })
	}
}

// TestExpected judges items by Expected (behaviours/05 §5.4, §5.5).
func TestExpected(t *testing.T) {
	on := func(name, op string, values ...string) api.NamedExpected {
		e := api.NamedExpected{Name: name}
		e.ComparisonOperator, e.AttributeValueList = some(op), list(values...)
		return e
	}
	const (
		a   = `{"S":"a"}`
		one = `{"N":"1"}`
	)
	absent := api.NamedExpected{Name: "y", ExpectedAttributeValue: api.ExpectedAttributeValue{Exists: api.SomeBool(false)}}
	equal := api.NamedExpected{Name: "x", ExpectedAttributeValue: api.ExpectedAttributeValue{Value: value(a)}}
	const stored = `{"x":{"S":"a"},"null":{"NULL":true},"a.b":{"N":"1.0"},"size":{"L":[{"S":"a"}]}}`
	tests := []struct {
		name     string
		op       string
		expected []api.NamedExpected
		want     bool
	}{
		{"equal", "", []api.NamedExpected{equal}, true},
		{"absent", "", []api.NamedExpected{absent}, true},
		{"all", "", []api.NamedExpected{equal, absent, on("x", "NE", a)}, false},
		{"and", "AND", []api.NamedExpected{equal, on("x", "NE", a)}, false},
		{"or", "OR", []api.NamedExpected{on("x", "NE", a), equal}, true},
		{"or, none", "OR", []api.NamedExpected{on("x", "NE", a), on("x", "NULL")}, false},
		{"literal dot", "", []api.NamedExpected{on("a.b", "EQ", one)}, true},
		{"reserved word", "", []api.NamedExpected{on("size", "CONTAINS", a)}, true},
		{"missing NE", "", []api.NamedExpected{on("y", "NE", a)}, true},
		{"missing NOT_CONTAINS", "", []api.NamedExpected{on("y", "NOT_CONTAINS", a)}, false},
		{"missing EQ", "", []api.NamedExpected{on("y", "EQ", a)}, false},
		{"other type NOT_CONTAINS", "", []api.NamedExpected{on("x", "NOT_CONTAINS", one)}, true},
		{"other type NE", "", []api.NamedExpected{on("x", "NE", one)}, true},
		{"other type LT", "", []api.NamedExpected{on("x", "LT", one)}, false},
		{"stored NULL", "", []api.NamedExpected{on("null", "NOT_NULL")}, true},
		{"BETWEEN", "", []api.NamedExpected{on("x", "BETWEEN", a, `{"S":"b"}`)}, true},
		{"IN", "", []api.NamedExpected{on("x", "IN", `{"S":"b"}`, a)}, true},
		{"not IN", "", []api.NamedExpected{on("x", "IN", `{"S":"b"}`)}, false},
		{"BEGINS_WITH", "", []api.NamedExpected{on("x", "BEGINS_WITH", `{"S":""}`)}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd, err := single.Delete(&api.DeleteItemInput{TableName: table, Key: key, Expected: test.expected,
				ConditionalOperator: api.String{Value: test.op, Set: test.op != ""}}, scope)
			if err != nil {
				t.Fatal(err)
			}
			if got := cmd.Condition.Eval(item(stored).Item); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func update(name, action, value string) api.NamedUpdate {
	u := api.NamedUpdate{Name: name}
	u.Action = api.String{Value: action, Set: action != ""}
	if value != "" {
		u.Value = parsed(value)
	}
	return u
}

// parsed is value, for where that name is taken.
func parsed(text string) api.Value { return value(text) }

// TestAttributeUpdateRules has the static rules of behaviours/05 §5.3.
func TestAttributeUpdateRules(t *testing.T) {
	noValue := enveloped(omitted + "Only DELETE action is allowed when no attribute value is specified")
	badDelete := func(typ string) texts {
		return enveloped(omitted + "DELETE action with value is not supported for the type " + typ)
	}
	badAdd := func(typ string) texts { return enveloped(omitted + "ADD action is not supported for the type " + typ) }
	tests := []struct {
		name   string
		update api.NamedUpdate
		want   texts
	}{
		{"put", update("x", "PUT", `{"M":{}}`), texts{}},
		{"default", update("x", "", `{"M":{}}`), texts{}},
		{"add number", update("x", "ADD", `{"N":"1"}`), texts{}},
		{"add set", update("x", "ADD", `{"BS":["AA=="]}`), texts{}},
		{"add list", update("x", "ADD", `{"L":[]}`), texts{}},
		{"delete", update("x", "DELETE", ""), texts{}},
		{"delete set", update("x", "DELETE", `{"NS":["1"]}`), texts{}},
		{"reserved word", update("size", "DELETE", ""), texts{}},

		{"value", update("x", "DELETE", `{}`), plain(emptyValue)},
		{"empty name", update("", "DELETE", ""), enveloped("Empty attribute name")},
		{"put nothing", update("x", "PUT", ""), noValue},
		{"default nothing", update("x", "", ""), noValue},
		{"add nothing", update("x", "ADD", ""), noValue},
		{"delete string", update("x", "DELETE", `{"S":"a"}`), badDelete("S")},
		{"delete list", update("x", "DELETE", `{"L":[]}`), badDelete("L")},
		{"add string", update("x", "ADD", `{"S":"a"}`), badAdd("S")},
		{"add binary", update("x", "ADD", `{"B":""}`), badAdd("B")},
		{"add boolean", update("x", "ADD", `{"BOOL":true}`), badAdd("BOOL")},
		{"add null", update("x", "ADD", `{"NULL":true}`), badAdd("NULL")},
		{"add map", update("x", "ADD", `{"M":{}}`), badAdd("M")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, compile(single.Update, api.UpdateItemInput{TableName: table, Key: key,
				AttributeUpdates: []api.NamedUpdate{test.update}}), test.want)
		})
	}
}

// TestUpdateOrder has what UpdateItem finds first (behaviours/01 §1.6).
func TestUpdateOrder(t *testing.T) {
	null := enveloped(omitted + "Null attribute value types must have the value of true")
	badUpdate := []api.NamedUpdate{update("x", "ADD", "")}
	badExpected := []api.NamedExpected{{Name: "x"}}
	tests := []struct {
		name string
		in   api.UpdateItemInput
		want texts
	}{
		{"null in the key before mixing", api.UpdateItemInput{Key: item(`{"pk":{"NULL":false}}`),
			AttributeUpdates: badUpdate, UpdateExpression: some("")}, null},
		{"null in an update before mixing", api.UpdateItemInput{
			AttributeUpdates: []api.NamedUpdate{update("x", "PUT", `{"NULL":false}`)}, UpdateExpression: some("")}, null},
		{"null in Expected before mixing", api.UpdateItemInput{UpdateExpression: some(""),
			Expected: []api.NamedExpected{{Name: "x", ExpectedAttributeValue: api.ExpectedAttributeValue{AttributeValueList: list(`{"NULL":false}`)}}}}, null},
		{"null in a value", api.UpdateItemInput{UpdateExpression: some(""), ExpressionAttributeNames: names(),
			ExpressionAttributeValues: values(":v", `{"NULL":false}`)}, texts{
			classic: "ExpressionAttributeValues contains invalid value: " + omitted + "Null attribute value types must have the value of true for key :v",
			current: omitted + "Null attribute value types must have the value of true", env: true}},
		{"mixing before key", api.UpdateItemInput{Key: item(`{"pk":{}}`), AttributeUpdates: badUpdate, UpdateExpression: some("")},
			mixed("AttributeUpdates", "UpdateExpression")},
		{"placement before key", api.UpdateItemInput{Key: item(`{"pk":{}}`), ExpressionAttributeNames: names()},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"key before updates", api.UpdateItemInput{Key: item(`{"pk":{}}`), AttributeUpdates: badUpdate}, plain(emptyValue)},
		{"updates before Expected", api.UpdateItemInput{AttributeUpdates: badUpdate, Expected: badExpected},
			enveloped(omitted + "Only DELETE action is allowed when no attribute value is specified")},
		{"Expected", api.UpdateItemInput{Expected: badExpected},
			enveloped(omitted + "Value must be provided when Exists is null for Attribute: x")},
		{"any ReturnValues", api.UpdateItemInput{ReturnValues: some("UPDATED_NEW")}, texts{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			in.TableName = table
			if !in.Key.Set {
				in.Key = key
			}
			wantError(t, compile(single.Update, in), test.want)
		})
	}
}

// TestAttributeUpdates applies AttributeUpdates (behaviours/05 §5.3).
func TestAttributeUpdates(t *testing.T) {
	const stored = `{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"S":"p"}]},"ss":{"SS":["p","q"]},"s":{"S":"x"}}`
	tests := []struct {
		name    string
		updates []api.NamedUpdate
		want    string // item or error
	}{
		{"put", []api.NamedUpdate{update("a.b", "", `{"S":"new"}`)},
			`{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"S":"p"}]},"ss":{"SS":["p","q"]},"s":{"S":"x"},"a.b":{"S":"new"}}`},
		{"add", []api.NamedUpdate{update("n", "ADD", `{"N":"2"}`), update("l", "ADD", `{"L":[{"S":"q"}]}`), update("ss", "ADD", `{"SS":["r"]}`)},
			`{"pk":{"S":"a"},"n":{"N":"3"},"l":{"L":[{"S":"p"},{"S":"q"}]},"ss":{"SS":["p","q","r"]},"s":{"S":"x"}}`},
		{"add to missing", []api.NamedUpdate{update("m", "ADD", `{"L":[]}`), update("s", "DELETE", "")},
			`{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"S":"p"}]},"ss":{"SS":["p","q"]},"m":{"L":[]}}`},
		{"delete", []api.NamedUpdate{update("ss", "DELETE", `{"SS":["q","p","z"]}`), update("l", "DELETE", ""), update("none", "DELETE", "")},
			`{"pk":{"S":"a"},"n":{"N":"1"},"s":{"S":"x"}}`},
		{"add to other type", []api.NamedUpdate{update("s", "ADD", `{"N":"1"}`)}, "Type mismatch for attribute to update"},
		{"delete from other type", []api.NamedUpdate{update("s", "DELETE", `{"SS":["x"]}`)}, "Type mismatch for attribute to update"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd, err := single.Update(&api.UpdateItemInput{TableName: table, Key: key, AttributeUpdates: test.updates}, scope)
			if err != nil {
				t.Fatal(err)
			}
			after, err := cmd.Update.Apply(item(stored).Item, key.Item)
			if err != nil {
				if err.Error() != test.want {
					t.Errorf("got error %v, want %s", err, test.want)
				}
				return
			}
			want, _ := attr.ParseItem(test.want)
			if diff := cmp.Diff(want, after); diff != "" {
				t.Errorf("item (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoAttributeUpdates(t *testing.T) {
	for _, updates := range [][]api.NamedUpdate{nil, {}} {
		cmd, err := single.Update(&api.UpdateItemInput{TableName: table, Key: key, AttributeUpdates: updates}, scope)
		if err != nil || cmd.Update != nil || cmd.Condition != nil {
			t.Errorf("got %+v, %v", cmd, err)
		}
	}
}

func TestKeyConditions(t *testing.T) {
	cmd, err := single.Query(&api.QueryInput{TableName: table, QueryFilter: []api.NamedCondition{condition("NULL")},
		KeyConditions: []api.NamedCondition{
			{Name: "pk", Condition: condition("EQ", `{"S":"a"}`).Condition},
			{Name: "sk", Condition: condition("BETWEEN", `{"N":"1"}`, `{"N":"2"}`).Condition},
			{Name: "x", Condition: condition("IN", `{"N":"1"}`, `{"N":"2"}`, `{"N":"3"}`).Condition},
		}}, scope)
	if err != nil {
		t.Fatal(err)
	}
	one, two := value(`{"N":"1"}`).Value, value(`{"N":"2"}`).Value
	want := &expr.KeyCondition{Clauses: []expr.KeyClause{
		{Name: "pk", Op: expr.EQ, Values: [2]attr.Value{value(`{"S":"a"}`).Value}, N: 1},
		{Name: "sk", Op: expr.Between, Values: [2]attr.Value{one, two}, N: 2},
		{Name: "x", Op: expr.In, Values: [2]attr.Value{one, two}, N: 2},
	}}
	if diff := cmp.Diff(want, cmd.Key); diff != "" {
		t.Errorf("key condition (-want +got):\n%s", diff)
	}
	if !cmd.FilterLegacy || cmd.Filter == nil {
		t.Errorf("wrong filter in %+v", cmd)
	}
}
