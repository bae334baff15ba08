package examples

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

// sized is an item of exactly so many bytes, as the service counts them, under a key of pair's kind.
func sized(v string, bytes int) item {
	it := pair(v)
	rest := bytes - 2*(len("PK")+len(v)) - len("Data")
	it["Data"] = s(strings.Repeat("x", rest))
	return it
}

// units are the numbers of a consumed capacity that are set.
func units(c *types.ConsumedCapacity) map[string]float64 {
	got := map[string]float64{}
	set := func(name string, v *float64) {
		if v != nil {
			got[name] = *v
		}
	}
	arm := func(name string, a types.Capacity) {
		set(name, a.CapacityUnits)
		set(name+" read", a.ReadCapacityUnits)
		set(name+" write", a.WriteCapacityUnits)
	}
	set("total", c.CapacityUnits)
	set("total read", c.ReadCapacityUnits)
	set("total write", c.WriteCapacityUnits)
	if c.Table != nil {
		arm("table", *c.Table)
	}
	for name, a := range c.LocalSecondaryIndexes {
		arm(name, a)
	}
	for name, a := range c.GlobalSecondaryIndexes {
		arm(name, a)
	}
	return got
}

func TestSeed09CostOfTransaction(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	in := tableInput("Users", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "Email:S")
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: aws.String("by-email"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("Email"), KeyType: types.KeyTypeHash}},
	}}
	create(t, c, in)
	send := func(mode types.ReturnConsumedCapacity, actions ...types.TransactWriteItem) map[string]float64 {
		t.Helper()
		out := must[*dynamodb.TransactWriteItemsOutput](t)(c.TransactWriteItems(t.Context(),
			&dynamodb.TransactWriteItemsInput{TransactItems: actions, ReturnConsumedCapacity: mode}))
		if len(out.ConsumedCapacity) == 0 {
			return nil
		}
		same(t, "entries", 1, len(out.ConsumedCapacity))
		return units(&out.ConsumedCapacity[0])
	}
	single := must[*dynamodb.PutItemOutput](t)(c.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("Users"), Item: pair("ONE"), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}))
	same(t, "one put", map[string]float64{"total": 1}, units(single.ConsumedCapacity))
	same(t, "two puts in a transaction", map[string]float64{"total": 4, "total write": 4},
		send(types.ReturnConsumedCapacityTotal, putNew("Users", pair("A")), putNew("Users", pair("B"))))
	same(t, "items of 1 KB and a byte more", map[string]float64{"total": 6, "total write": 6},
		send(types.ReturnConsumedCapacityTotal, putNew("Users", sized("C", 1024)), putNew("Users", sized("D", 1025))))
	same(t, "not asked for", map[string]float64(nil), send(types.ReturnConsumedCapacityNone, putNew("Users", pair("E"))))
	// Only the table's part is doubled.
	same(t, "with an index entry", map[string]float64{
		"total": 5, "total write": 5, "table": 4, "table write": 4, "by-email": 1, "by-email write": 1,
	}, send(types.ReturnConsumedCapacityIndexes,
		putNew("Users", with(pair("F"), item{"Email": s("f@x")})), putNew("Users", pair("G"))))
	same(t, "a condition check counts", map[string]float64{"total": 4, "total write": 4},
		send(types.ReturnConsumedCapacityTotal, putNew("Users", pair("H")), types.TransactWriteItem{
			ConditionCheck: &types.ConditionCheck{
				TableName: aws.String("Users"), Key: pair("A"), ConditionExpression: aws.String("attribute_exists(PK)"),
			},
		}))

	read := must[*dynamodb.TransactGetItemsOutput](t)(c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: aws.String("Users"), Key: pair("A")}},
			{Get: &types.Get{TableName: aws.String("Users"), Key: pair("B")}},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}))
	same(t, "reads", map[string]float64{"total": 4, "total read": 4}, units(&read.ConsumedCapacity[0]))
}

// TestSeed09Replay: a request sent again with its token is charged as a read.
func TestSeed09Replay(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken:     aws.String("token"),
		TransactItems:          []types.TransactWriteItem{putNew("Users", sized("A", 5000)), putNew("Users", pair("B"))},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	for _, want := range []map[string]float64{
		{"total": 12, "total write": 12}, // 2 × 5 + 2 × 1
		{"total": 6, "total read": 6},    // 2 × 2 + 2 × 1
		{"total": 6, "total read": 6},
	} {
		out := must[*dynamodb.TransactWriteItemsOutput](t)(c.TransactWriteItems(t.Context(), in))
		same(t, "units", want, units(&out.ConsumedCapacity[0]))
	}
}

func TestSeed10HundredActions(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Users", "PK:S", "SK:S"))
	actions := func(prefix string, count int) (list []types.TransactWriteItem) {
		for i := range count {
			list = append(list, putNew("Users", pair(fmt.Sprint(prefix, i))))
		}
		return list
	}
	if err := transact(t, c, actions("A", 100)...); err != nil {
		t.Errorf("100 actions: %v", err)
	}
	same(t, "items", 100, len(all(t, c, "Users")))

	err := transact(t, c, actions("B", 101)...)
	var fault smithy.APIError
	if !errors.As(err, &fault) {
		t.Fatalf("101 actions: error %v", err)
	}
	same(t, "code", "ValidationException", fault.ErrorCode())
	// What stands between the brackets is a dump of the actions, which nobody should depend on.
	message := regexp.MustCompile(`(?s)^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy ` +
		`constraint: Member must have length less than or equal to 100$`)
	if !message.MatchString(fault.ErrorMessage()) {
		t.Errorf("101 actions: %.200s", fault.ErrorMessage())
	}
	same(t, "items", 100, len(all(t, c, "Users")))

	// All or nothing holds for a hundred, too.
	last := append(actions("C", 99), putNew("Users", pair("A7")))
	want := make([]string, 100)
	for i := range want {
		want[i] = "None"
	}
	want[99] = "ConditionalCheckFailed"
	same(t, "reasons", want, reasons(t, transact(t, c, last...)))
	same(t, "items", 100, len(all(t, c, "Users")))
}
