package request

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

func actionPut(a api.Put) api.TransactWriteItem {
	a.TableName = table
	if !a.Item.Set {
		a.Item = key
	}
	return api.TransactWriteItem{Put: &a}
}

func actionUpdate(a api.Update) api.TransactWriteItem {
	a.TableName = table
	if !a.Key.Set {
		a.Key = key
	}
	return api.TransactWriteItem{Update: &a}
}

func actionDelete(a api.Delete) api.TransactWriteItem {
	a.TableName = table
	if !a.Key.Set {
		a.Key = key
	}
	return api.TransactWriteItem{Delete: &a}
}

func actionCheck(a api.ConditionCheck) api.TransactWriteItem {
	a.TableName = table
	if !a.Key.Set {
		a.Key = key
	}
	return api.TransactWriteItem{ConditionCheck: &a}
}

func TestTransactWriteErrors(t *testing.T) {
	puts := func(n, kilobytes int) []api.TransactWriteItem {
		var list []api.TransactWriteItem
		for i := range n {
			list = append(list, actionPut(api.Put{Item: item(fmt.Sprintf(`{"pk":{"N":"%d"},"x":{"S":"%s"}}`, i, strings.Repeat("y", kilobytes<<10)))}))
		}
		return list
	}
	many := actionPut(api.Put{})
	many.Delete = actionDelete(api.Delete{}).Delete
	const (
		one  = "TransactItems can only contain one of Check, Put, Update or Delete"
		none = "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
		deep = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	)
	tests := []struct {
		name    string
		actions []api.TransactWriteItem
		want    texts
	}{
		{"plain", []api.TransactWriteItem{actionPut(api.Put{})}, texts{}},
		{"several kinds", []api.TransactWriteItem{many}, plain(one)},
		{"no kind", []api.TransactWriteItem{{}}, plain(none)},
		{"value", []api.TransactWriteItem{actionPut(api.Put{Item: item(`{"pk":{"NS":["1","1"]}}`)})}, texts{
			classic: "Input collection contains duplicates", current: omitted + "Input collection contains duplicates.", env: true}},
		{"key value", []api.TransactWriteItem{actionDelete(api.Delete{Key: item(`{"pk":{}}`)})}, plain(emptyValue)},
		{"deep", []api.TransactWriteItem{actionPut(api.Put{Item: item(`{"pk":` + nested(32) + `}`)})}, enveloped(deep)},
		{"large", []api.TransactWriteItem{actionPut(api.Put{Item: sized(409601)})}, plain("Item size has exceeded the maximum allowed size")},
		{"lone names", []api.TransactWriteItem{actionPut(api.Put{ExpressionAttributeNames: names("#a", "a")})},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"lone values", []api.TransactWriteItem{actionDelete(api.Delete{ExpressionAttributeValues: values(":a", `{"S":""}`)})}, texts{
			classic: "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
			current: "ExpressionAttributeValues can only be specified when using expressions", env: true}},
		{"empty names", []api.TransactWriteItem{actionUpdate(api.Update{UpdateExpression: some(""), ExpressionAttributeNames: names()})},
			enveloped("ExpressionAttributeNames must not be empty")},
		{"bad value", []api.TransactWriteItem{actionUpdate(api.Update{UpdateExpression: some(""), ExpressionAttributeValues: values(":v", `{}`)})},
			both("ExpressionAttributeValues contains invalid value: "+emptyValue+" for key :v", emptyValue)},
		{"update", []api.TransactWriteItem{actionUpdate(api.Update{UpdateExpression: some("")})},
			enveloped("Invalid UpdateExpression: The expression can not be empty;")},
		{"check", []api.TransactWriteItem{actionCheck(api.ConditionCheck{ConditionExpression: some("a = :v")})}, enveloped("Invalid ConditionExpression: " +
			"An expression attribute value used in expression is not defined; attribute value: :v")},
		{"reserved", []api.TransactWriteItem{actionPut(api.Put{ConditionExpression: some("attribute_exists(size)")})},
			enveloped("Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: size")},
		{"unused", []api.TransactWriteItem{actionUpdate(api.Update{UpdateExpression: some("REMOVE a"), ExpressionAttributeNames: names("#a", "a")})},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}")},

		{"first action before second", []api.TransactWriteItem{
			actionUpdate(api.Update{UpdateExpression: some("REMOVE a"), ExpressionAttributeNames: names("#a", "a")}), {}},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}")},
		{"second action", []api.TransactWriteItem{actionPut(api.Put{}), {}}, plain(none)},

		{"3 MB", puts(30, 100), texts{}},
		{"5 MB", puts(50, 100), plain("Transaction payload size cannot exceed 4MB. Payload Size: : Transaction payload size cannot exceed 4MB. Payload Size: 5120249")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := single.TransactWrite(&api.TransactWriteItemsInput{TransactItems: test.actions}, scope)
			wantError(t, err, test.want)
		})
	}
}

func TestTransactWrite(t *testing.T) {
	allOld := some("ALL_OLD")
	cmd, err := caching.TransactWrite(&api.TransactWriteItemsInput{
		TransactItems: []api.TransactWriteItem{
			actionPut(api.Put{ReturnValuesOnConditionCheckFailure: allOld}),
			actionUpdate(api.Update{UpdateExpression: some("SET a = :a"), ConditionExpression: some("b = :a"),
				ExpressionAttributeValues: values(":a", `{"S":"a"}`)}),
			actionDelete(api.Delete{ConditionExpression: some("attribute_exists(a)")}),
			actionCheck(api.ConditionCheck{ConditionExpression: some("attribute_exists(a)")}),
		},
		ReturnConsumedCapacity:      some("TOTAL"),
		ReturnItemCollectionMetrics: some("SIZE"),
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	type summary struct {
		Kind                         engine.ActionKind
		Update, Condition, OnFailure bool
	}
	var got []summary
	for _, a := range cmd.Actions {
		got = append(got, summary{a.Kind, a.Update != nil, a.Condition != nil, a.ReturnOnFailure})
		if a.Table != "T" || a.Item.Text() != `{"pk":{"S":"a"}}` {
			t.Errorf("wrong target %q %v", a.Table, a.Item)
		}
	}
	want := []summary{
		{engine.ActionPut, false, false, true},
		{engine.ActionUpdate, true, true, false},
		{engine.ActionDelete, false, true, false},
		{engine.ActionCheck, false, true, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if cmd.Token != "" || cmd.Digest != [32]byte{} || cmd.Capacity != api.CapacityTotal || !cmd.Metrics {
		t.Errorf("wrong command %+v", cmd)
	}
}

// TestDigest says which requests count as the same under one token (behaviours/08 §8.5).
func TestDigest(t *testing.T) {
	base := func() *api.TransactWriteItemsInput {
		return &api.TransactWriteItemsInput{
			ClientRequestToken: some("token"),
			TransactItems: []api.TransactWriteItem{
				actionPut(api.Put{Item: item(`{"pk":{"S":"a"},"m":{"M":{"x":{"N":"1"},"y":{"SS":["p","q"]}}},"l":{"L":[{"S":"1"},{"S":"2"}]}}`)}),
				actionUpdate(api.Update{UpdateExpression: some("SET #a = :a, #b = :b"), ExpressionAttributeNames: names("#a", "a", "#b", "b"),
					ExpressionAttributeValues: values(":a", `{"S":"a"}`, ":b", `{"S":"b"}`)}),
			},
		}
	}
	of := func(in *api.TransactWriteItemsInput) [32]byte {
		cmd, err := single.TransactWrite(in, scope)
		if err != nil {
			t.Fatal(err)
		}
		return cmd.Digest
	}
	tests := []struct {
		name   string
		change func(*api.TransactWriteItemsInput)
		same   bool
	}{
		{"capacity", func(in *api.TransactWriteItemsInput) { in.ReturnConsumedCapacity = some("TOTAL") }, true},
		{"spelling", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[0].Put.Item = item(`{"l":{"L":[{"S":"1"},{"S":"2"}]},"m":{"M":{"y":{"SS":["q","p"]},"x":{"N":"1.0"}}},"pk":{"S":"a"}}`)
		}, true},
		{"maps", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[1].Update.ExpressionAttributeNames = names("#b", "b", "#a", "a")
			in.TransactItems[1].Update.ExpressionAttributeValues = values(":b", `{"S":"b"}`, ":a", `{"S":"a"}`)
		}, true},
		{"ARN", func(in *api.TransactWriteItemsInput) { in.TransactItems[0].Put.TableName = some(tableARN + "T") }, true},
		{"metrics", func(in *api.TransactWriteItemsInput) { in.ReturnItemCollectionMetrics = some("SIZE") }, false},
		{"table", func(in *api.TransactWriteItemsInput) { in.TransactItems[0].Put.TableName = some("U") }, false},
		{"list order", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[0].Put.Item = item(`{"pk":{"S":"a"},"m":{"M":{"x":{"N":"1"},"y":{"SS":["p","q"]}}},"l":{"L":[{"S":"2"},{"S":"1"}]}}`)
		}, false},
		{"type", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[0].Put.Item = item(`{"pk":{"S":"a"},"m":{"M":{"x":{"S":"1"},"y":{"SS":["p","q"]}}},"l":{"L":[{"S":"1"},{"S":"2"}]}}`)
		}, false},
		{"condition", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[0].Put.ConditionExpression = some("attribute_exists(a)")
		}, false},
		{"name", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[1].Update.ExpressionAttributeNames = names("#a", "a", "#b", "c")
		}, false},
		{"value", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[1].Update.ExpressionAttributeValues = values(":a", `{"S":"a"}`, ":b", `{"S":"c"}`)
		}, false},
		{"on failure", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[1].Update.ReturnValuesOnConditionCheckFailure = some("ALL_OLD")
		}, false},
		{"kind", func(in *api.TransactWriteItemsInput) { in.TransactItems = in.TransactItems[:1] }, false},
		{"order", func(in *api.TransactWriteItemsInput) {
			in.TransactItems[0], in.TransactItems[1] = in.TransactItems[1], in.TransactItems[0]
		}, false},
	}
	want := of(base())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := base()
			test.change(in)
			if got := of(in); (got == want) != test.same {
				t.Errorf("same digest: %v, want %v", got == want, test.same)
			}
		})
	}
}

func TestTransactGet(t *testing.T) {
	get := func(g api.Get) api.TransactGetItem {
		g.TableName = table
		return api.TransactGetItem{Get: &g}
	}
	tests := []struct {
		name string
		gets []api.TransactGetItem
		want texts
	}{
		{"plain", []api.TransactGetItem{get(api.Get{Key: key, ProjectionExpression: some("a")})}, texts{}},
		{"empty key", []api.TransactGetItem{get(api.Get{Key: item(`{}`)})}, texts{}},
		{"no get", []api.TransactGetItem{{}}, texts{}},
		{"value", []api.TransactGetItem{get(api.Get{Key: item(`{"pk":{}}`)})}, plain(emptyValue)},
		{"syntax", []api.TransactGetItem{get(api.Get{Key: key, ProjectionExpression: some("!!!")})},
			enveloped(`Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"`)},
		{"lone names", []api.TransactGetItem{get(api.Get{Key: key, ExpressionAttributeNames: names("#a", "a")})},
			enveloped("ExpressionAttributeNames can only be specified when using expressions")},
		{"unused", []api.TransactGetItem{get(api.Get{Key: key, ProjectionExpression: some("a"), ExpressionAttributeNames: names("#a", "a")})},
			enveloped("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}")},
		{"first before second", []api.TransactGetItem{
			get(api.Get{Key: key, ProjectionExpression: some("")}), get(api.Get{Key: item(`{"pk":{}}`)})},
			enveloped("Invalid ProjectionExpression: The expression can not be empty;")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd, err := single.TransactGet(&api.TransactGetItemsInput{TransactItems: test.gets}, scope)
			wantError(t, err, test.want)
			if err == nil && (len(cmd.Items) != len(test.gets) || cmd.Items[0].Key == nil) {
				t.Errorf("wrong command %+v", cmd)
			}
		})
	}
}
