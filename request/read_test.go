package request

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

const emptyValue = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"

func TestGetErrors(t *testing.T) {
	tests := []struct {
		name string
		in   api.GetItemInput
		want texts
	}{
		{"key", api.GetItemInput{Key: item(`{"pk":{"N":""}}`)}, texts{
			classic: "The parameter cannot be converted to a numeric value",
			current: "The parameter cannot be converted to a numeric value: ", env: true}},
		{"no key at all", api.GetItemInput{}, texts{}},
		{"duplicate", api.GetItemInput{AttributesToGet: []string{"a", "b", "a"}}, plain(omitted + "Duplicate value in attribute name: a")},
		{"empty projection", api.GetItemInput{ProjectionExpression: some("")},
			enveloped("Invalid ProjectionExpression: The expression can not be empty;")},
		{"syntax", api.GetItemInput{ProjectionExpression: some("!!! INVALID !!!")},
			enveloped(`Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"`)},
		{"overlap", api.GetItemInput{ProjectionExpression: some("a, a.b")}, enveloped("Invalid ProjectionExpression: " +
			"Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]")},
		{"unused", api.GetItemInput{ProjectionExpression: some("a"), ExpressionAttributeNames: names("#b", "b")},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}")},

		{"mixing before key", api.GetItemInput{Key: item(`{"pk":{}}`), AttributesToGet: []string{"a"}, ProjectionExpression: some("")},
			mixed("AttributesToGet", "ProjectionExpression")},
		{"key before duplicates", api.GetItemInput{Key: item(`{"pk":{}}`), AttributesToGet: []string{"a", "a"}}, plain(emptyValue)},
		{"key before names", api.GetItemInput{Key: item(`{"pk":{}}`), ProjectionExpression: some(""), ExpressionAttributeNames: names()},
			plain(emptyValue)},
		{"names before projection", api.GetItemInput{ProjectionExpression: some(""), ExpressionAttributeNames: names()},
			enveloped("ExpressionAttributeNames must not be empty")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			in.TableName = table
			_, err := single.Get(&in, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestDuplicateNameInLongList(t *testing.T) {
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprint("a", i))
	}
	if err := duplicateName(list); err != nil {
		t.Error(err)
	}
	wantError(t, duplicateName(append(list, "a7")), plain(omitted+"Duplicate value in attribute name: a7"))
}

// paths prints the paths of a projection.
func paths(p *expr.Projection) []string {
	if p == nil {
		return nil
	}
	list := []string{}
	for _, path := range p.Paths {
		list = append(list, path.String())
	}
	return list
}

func TestGet(t *testing.T) {
	tests := []struct {
		in    api.GetItemInput
		paths []string
	}{
		{api.GetItemInput{}, nil},
		{api.GetItemInput{ProjectionExpression: some("a, #b.c[1]"), ExpressionAttributeNames: names("#b", "b.b")}, []string{"[a]", "[b.b, c, [1]]"}},
		{api.GetItemInput{AttributesToGet: []string{"a.b", "size"}}, []string{"[a.b]", "[size]"}},
	}
	for _, test := range tests {
		in := test.in
		in.TableName, in.Key = table, key
		in.ConsistentRead = api.SomeBool(true)
		in.ReturnConsumedCapacity = some("TOTAL")
		cmd, err := caching.Get(&in, scope)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.paths, paths(cmd.Projection)); diff != "" {
			t.Errorf("paths (-want +got):\n%s", diff)
		}
		if cmd.Table != "T" || !attr.EqualItems(cmd.Key, key.Item) || !cmd.Consistent || cmd.Capacity != api.CapacityTotal {
			t.Errorf("wrong command %+v", cmd)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	pk := values(":p", `{"S":"a"}`)
	with := func(more ...string) []api.NamedValue { return append(values(":p", `{"S":"a"}`), values(more...)...) }
	const nothing = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
	tests := []struct {
		name string
		in   api.QueryInput
		want texts
	}{
		{"plain", api.QueryInput{KeyConditionExpression: some("pk = :p"), ExpressionAttributeValues: pk}, texts{}},
		{"no key condition", api.QueryInput{}, plain(nothing)},
		{"empty key conditions", api.QueryInput{KeyConditions: []api.NamedCondition{}}, plain(nothing)},
		{"empty", api.QueryInput{KeyConditionExpression: some(""), ExpressionAttributeValues: pk},
			enveloped("Invalid KeyConditionExpression: The expression can not be empty;")},
		{"unused name", api.QueryInput{KeyConditionExpression: some("pk = :p"), ExpressionAttributeValues: pk,
			ExpressionAttributeNames: names("#unused", "someattr")},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}")},
		{"undefined in filter", api.QueryInput{KeyConditionExpression: some("pk = :p"), FilterExpression: some("#missing = :f"),
			ExpressionAttributeValues: with(":f", `{"S":"x"}`)}, enveloped("Invalid FilterExpression: " +
			"An expression attribute name used in the document path is not defined; attribute name: #missing")},
		{"operand type", api.QueryInput{KeyConditionExpression: some("pk = :p AND begins_with(sk, :n)"),
			ExpressionAttributeValues: with(":n", `{"N":"1"}`)}, enveloped("Invalid KeyConditionExpression: " +
			"Incorrect operand type for operator or function; operator or function: begins_with, operand type: N")},
		{"shape", api.QueryInput{KeyConditionExpression: some("pk = :p OR sk = :p"), ExpressionAttributeValues: pk},
			enveloped("Invalid operator used in KeyConditionExpression: OR")},

		// Start keys (behaviours/06 §6.6).
		{"start value", api.QueryInput{ExclusiveStartKey: item(`{"pk":{}}`)},
			both("The provided starting key is invalid: "+emptyValue, emptyValue)},
		{"start number", api.QueryInput{ExclusiveStartKey: item(`{"pk":{"N":"x"}}`)},
			plain("The parameter cannot be converted to a numeric value: x")},
		{"start duplicates", api.QueryInput{ExclusiveStartKey: item(`{"pk":{"SS":["a","a"]}}`)}, both(
			omitted+"Input collection [a, a] contains duplicates.", omitted+`Input collection ["a", "a"] contains duplicates.`)},
		{"start set", api.QueryInput{ExclusiveStartKey: item(`{"pk":{"NS":[]}}`)}, plain(omitted + "An number set  may not be empty")},

		// One before the other (behaviours/01 §1.6).
		{"duplicate attributes before start", api.QueryInput{AttributesToGet: []string{"a", "a"}, ExclusiveStartKey: item(`{"pk":{}}`)},
			plain(omitted + "Duplicate value in attribute name: a")},
		{"filter before duplicate attributes", api.QueryInput{AttributesToGet: []string{"a", "a"},
			QueryFilter: []api.NamedCondition{{Name: "x", Condition: api.Condition{ComparisonOperator: some("EQ")}}}},
			enveloped(omitted + "Invalid number of argument(s) for the EQ ComparisonOperator")},
		{"start before presence", api.QueryInput{ExclusiveStartKey: item(`{"pk":{}}`)},
			both("The provided starting key is invalid: "+emptyValue, emptyValue)},
		{"presence before placeholders", api.QueryInput{FilterExpression: some(""), ExpressionAttributeNames: names()}, plain(nothing)},
		{"key condition before filter", api.QueryInput{KeyConditionExpression: some("pk"), FilterExpression: some("")},
			enveloped(`Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "pk"`)},
		{"filter before projection", api.QueryInput{KeyConditionExpression: some("pk = :p"), FilterExpression: some(""),
			ProjectionExpression: some(""), ExpressionAttributeValues: pk},
			enveloped("Invalid FilterExpression: The expression can not be empty;")},
		{"filter before shape", api.QueryInput{KeyConditionExpression: some("pk = :p OR sk = :p"), FilterExpression: some(""),
			ExpressionAttributeValues: pk}, enveloped("Invalid FilterExpression: The expression can not be empty;")},
		{"unused before shape", api.QueryInput{KeyConditionExpression: some("pk = :p OR sk = :p"),
			ExpressionAttributeValues: with(":q", `{"S":""}`)},
			enveloped("Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}")},
		{"shape before Select", api.QueryInput{KeyConditionExpression: some("pk = :p OR sk = :p"), ExpressionAttributeValues: pk,
			Select: some("SPECIFIC_ATTRIBUTES")}, enveloped("Invalid operator used in KeyConditionExpression: OR")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			in.TableName = table
			_, err := single.Query(&in, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestQuery(t *testing.T) {
	cmd, err := caching.Query(&api.QueryInput{
		TableName:                 table,
		IndexName:                 some("i"),
		KeyConditionExpression:    some("pk = :p AND :low < #s"),
		FilterExpression:          some("x = :p"),
		ProjectionExpression:      some("x"),
		ExpressionAttributeNames:  names("#s", "sk"),
		ExpressionAttributeValues: values(":p", `{"S":"a"}`, ":low", `{"N":"1"}`),
		ExclusiveStartKey:         item(`{"pk":{"S":"a"},"sk":{"N":"5"}}`),
		Limit:                     api.SomeInt(7),
		ConsistentRead:            api.SomeBool(true),
		ScanIndexForward:          api.SomeBool(false),
		Select:                    some("SPECIFIC_ATTRIBUTES"),
		ReturnConsumedCapacity:    some("TOTAL"),
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	want := &expr.KeyCondition{Clauses: []expr.KeyClause{
		{Name: "pk", Op: expr.EQ, Values: [2]attr.Value{value(`{"S":"a"}`).Value}, N: 1},
		{Name: "sk", Op: expr.GT, Values: [2]attr.Value{value(`{"N":"1"}`).Value}, N: 1},
	}}
	if diff := cmp.Diff(want, cmd.Key); diff != "" {
		t.Errorf("key condition (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"[x]"}, paths(cmd.Projection)); diff != "" {
		t.Errorf("projection (-want +got):\n%s", diff)
	}
	if cmd.Filter == nil || !cmd.Filter.Eval(item(`{"x":{"S":"a"}}`).Item) {
		t.Error("wrong filter")
	}
	if cmd.Table != "T" || cmd.Index != "i" || cmd.Limit != 7 || !cmd.Consistent || !cmd.Backward || cmd.FilterLegacy ||
		cmd.Select != api.SelectSpecificAttributes || cmd.Capacity != api.CapacityTotal || cmd.Start.Len() != 2 {
		t.Errorf("wrong command %+v", cmd)
	}
}

func TestForwardIsTheDefault(t *testing.T) {
	for _, forward := range []api.Bool{{}, api.SomeBool(true)} {
		cmd, err := single.Query(&api.QueryInput{TableName: table, KeyConditionExpression: some("pk = :p"),
			ExpressionAttributeValues: values(":p", `{"S":"a"}`), ScanIndexForward: forward}, scope)
		if err != nil || cmd.Backward {
			t.Errorf("%v: backward, error %v", forward, err)
		}
	}
}

func TestScanErrors(t *testing.T) {
	const required = " parameter is required but was not present in the request when "
	n := api.SomeInt
	tests := []struct {
		name string
		in   api.ScanInput
		want texts
	}{
		{"plain", api.ScanInput{}, texts{}},
		{"segment", api.ScanInput{Segment: n(4), TotalSegments: n(5)}, texts{}},
		{"segment without total", api.ScanInput{Segment: n(0)}, plain("The TotalSegments" + required + "Segment parameter is present")},
		{"total without segment", api.ScanInput{TotalSegments: n(4)}, plain("The Segment" + required + "parameter TotalSegments is present")},
		{"segment too large", api.ScanInput{Segment: n(5), TotalSegments: n(5)}, both(
			"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5",
			"The Segment parameter is zero-based and must be less than parameter TotalSegments")},
		{"start value", api.ScanInput{ExclusiveStartKey: item(`{"pk":{}}`)}, plain("The provided starting key is invalid: " + emptyValue)},
		{"start set", api.ScanInput{ExclusiveStartKey: item(`{"pk":{"SS":[]}}`)},
			plain("The provided starting key is invalid: " + omitted + "An string set  may not be empty")},
		{"start number", api.ScanInput{ExclusiveStartKey: item(`{"pk":{"N":"x"}}`)},
			plain("The parameter cannot be converted to a numeric value: x")},
		{"filter", api.ScanInput{FilterExpression: some("a")}, enveloped(`Invalid FilterExpression: Syntax error; token: "<EOF>", near: "a"`)},

		{"attributes before filter", api.ScanInput{AttributesToGet: []string{"a", "a"},
			ScanFilter: []api.NamedCondition{{Name: "x", Condition: api.Condition{ComparisonOperator: some("EQ")}}}},
			plain(omitted + "Duplicate value in attribute name: a")},
		{"filter before start", api.ScanInput{ExclusiveStartKey: item(`{"pk":{}}`),
			ScanFilter: []api.NamedCondition{{Name: "x", Condition: api.Condition{ComparisonOperator: some("EQ")}}}},
			enveloped(omitted + "Invalid number of argument(s) for the EQ ComparisonOperator")},
		{"start before segment", api.ScanInput{Segment: n(0), ExclusiveStartKey: item(`{"pk":{}}`)},
			plain("The provided starting key is invalid: " + emptyValue)},
		{"segment before expressions", api.ScanInput{Segment: n(0), FilterExpression: some("")},
			plain("The TotalSegments" + required + "Segment parameter is present")},
		{"expressions before Select", api.ScanInput{Select: some("SPECIFIC_ATTRIBUTES"), FilterExpression: some("")},
			enveloped("Invalid FilterExpression: The expression can not be empty;")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			in.TableName = table
			_, err := single.Scan(&in, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestScan(t *testing.T) {
	cmd, err := caching.Scan(&api.ScanInput{
		TableName:                 table,
		IndexName:                 some("i"),
		FilterExpression:          some("x = :p"),
		AttributesToGet:           nil,
		ProjectionExpression:      some("x"),
		ExpressionAttributeValues: values(":p", `{"S":"a"}`),
		ExclusiveStartKey:         item(`{"pk":{"S":"a"}}`),
		Limit:                     api.SomeInt(7),
		Segment:                   api.SomeInt(0),
		TotalSegments:             api.SomeInt(2),
		ConsistentRead:            api.SomeBool(true),
		ReturnConsumedCapacity:    some("TOTAL"),
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Filter == nil || !cmd.Filter.Eval(item(`{"x":{"S":"a"}}`).Item) {
		t.Error("wrong filter")
	}
	if cmd.Table != "T" || cmd.Index != "i" || cmd.Limit != 7 || !cmd.Consistent || cmd.Segment != 0 || cmd.TotalSegments != 2 ||
		cmd.Select != api.SelectDefault || cmd.Capacity != api.CapacityTotal || cmd.Start.Len() != 1 ||
		!cmp.Equal(paths(cmd.Projection), []string{"[x]"}) {
		t.Errorf("wrong command %+v", cmd)
	}
}

// TestSelect has the rows of behaviours/06 §6.3 that need no table.
func TestSelect(t *testing.T) {
	const (
		nothing  = "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
		notIndex = "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
	)
	index, projection, toGet := some("i"), some("a"), []string{"a"}
	tests := []struct {
		sel               string
		index, projection api.String
		toGet             []string
		want              texts
	}{
		{sel: "ALL_ATTRIBUTES"},
		{sel: "COUNT"},
		{sel: "ALL_PROJECTED_ATTRIBUTES", index: index},
		{sel: "SPECIFIC_ATTRIBUTES", projection: projection},
		{sel: "SPECIFIC_ATTRIBUTES", toGet: toGet},
		{sel: "", projection: projection},
		{sel: "SPECIFIC_ATTRIBUTES", want: both(nothing, envelope+nothing)},
		{sel: "ALL_PROJECTED_ATTRIBUTES", want: both(notIndex, envelope+notIndex)},
		{sel: "ALL_ATTRIBUTES", projection: projection, want: plain("Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES")},
		{sel: "ALL_PROJECTED_ATTRIBUTES", projection: projection, index: index,
			want: plain("Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES")},
		{sel: "ALL_PROJECTED_ATTRIBUTES", projection: projection,
			want: plain("Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES")},
		{sel: "COUNT", projection: projection, want: plain("Cannot specify the ProjectionExpression when choosing to get only the Count")},
		{sel: "ALL_ATTRIBUTES", toGet: toGet, want: plain("Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES")},
		{sel: "COUNT", toGet: toGet, want: plain("Cannot specify the AttributesToGet when choosing to get only the Count")},
	}
	for _, test := range tests {
		sel := api.String{Value: test.sel, Set: test.sel != ""}
		conditions := []api.NamedCondition{{Name: "pk", Condition: api.Condition{ComparisonOperator: some("EQ"), AttributeValueList: list(`{"S":"a"}`)}}}
		t.Run("Query "+test.sel, func(t *testing.T) {
			wantError(t, compile(single.Query, api.QueryInput{TableName: table, IndexName: test.index, Select: sel,
				ProjectionExpression: test.projection, AttributesToGet: test.toGet, KeyConditions: conditions}), test.want)
		})
		t.Run("Scan "+test.sel, func(t *testing.T) {
			wantError(t, compile(single.Scan, api.ScanInput{TableName: table, IndexName: test.index, Select: sel,
				ProjectionExpression: test.projection, AttributesToGet: test.toGet}), test.want)
		})
	}
}
