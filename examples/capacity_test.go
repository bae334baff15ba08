package examples

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

func TestSeed20CapacityModes(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Carts", "PK:S", "SK:S"))
	// mode returns the billing mode and the provisioned units, as DescribeTable shows them.
	mode := func() (types.BillingMode, []int64) {
		t.Helper()
		table := must[*dynamodb.DescribeTableOutput](t)(c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
			TableName: aws.String("Carts"),
		})).Table
		same(t, "status", types.TableStatusActive, table.TableStatus)
		p := table.ProvisionedThroughput
		if table.BillingModeSummary == nil {
			t.Fatal("no BillingModeSummary")
		}
		return table.BillingModeSummary.BillingMode, []int64{*p.ReadCapacityUnits, *p.WriteCapacityUnits}
	}
	update := func(in *dynamodb.UpdateTableInput) error {
		in.TableName = aws.String("Carts")
		_, err := c.UpdateTable(t.Context(), in)
		return err
	}
	check := func(wantMode types.BillingMode, read, write int64) {
		t.Helper()
		gotMode, gotUnits := mode()
		same(t, "mode", wantMode, gotMode)
		same(t, "units", []int64{read, write}, gotUnits)
	}
	check(types.BillingModePayPerRequest, 0, 0)
	wantError(t, update(&dynamodb.UpdateTableInput{BillingMode: types.BillingModeProvisioned}), "ValidationException",
		invalid+"ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	toProvisioned := &dynamodb.UpdateTableInput{
		BillingMode: types.BillingModeProvisioned, ProvisionedThroughput: throughput(20, 10),
	}
	for range 2 {
		if err := update(toProvisioned); err != nil {
			t.Fatal(err)
		}
		check(types.BillingModeProvisioned, 20, 10)
		if err := update(&dynamodb.UpdateTableInput{BillingMode: types.BillingModePayPerRequest}); err != nil {
			t.Fatal(err)
		}
		check(types.BillingModePayPerRequest, 0, 0)
	}
}

func TestSeed20Units(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Carts", "PK:S", "SK:S"))
	total := types.ReturnConsumedCapacityTotal
	for _, tt := range []struct {
		name                    string
		bytes                   int
		write, strong, eventual float64
	}{
		{"tiny", 100, 1, 1, 0.5},
		{"1 KB", 1024, 1, 1, 0.5},
		{"a byte more", 1025, 2, 1, 0.5},
		{"4 KB", 4096, 4, 1, 0.5},
		{"a byte more", 4097, 5, 2, 1},
		{"10 KB", 10240, 10, 3, 1.5},
		{"400 KB", 409600, 400, 100, 50},
	} {
		t.Log(tt.name)
		wrote := must[*dynamodb.PutItemOutput](t)(c.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String("Carts"), Item: sized("A", tt.bytes), ReturnConsumedCapacity: total,
		}))
		same(t, "put", tt.write, *wrote.ConsumedCapacity.CapacityUnits)
		for strong, want := range map[bool]float64{true: tt.strong, false: tt.eventual} {
			read := must[*dynamodb.GetItemOutput](t)(c.GetItem(t.Context(), &dynamodb.GetItemInput{
				TableName: aws.String("Carts"), Key: pair("A"), ConsistentRead: aws.Bool(strong),
				ReturnConsumedCapacity: total,
			}))
			same(t, "get", want, *read.ConsumedCapacity.CapacityUnits)
			found := query(t, c, &dynamodb.QueryInput{
				TableName: aws.String("Carts"), KeyConditionExpression: aws.String("PK = :pk"),
				ExpressionAttributeValues: item{":pk": s("A")}, ConsistentRead: aws.Bool(strong),
				ReturnConsumedCapacity: total,
			})
			same(t, "query", want, *found.ConsumedCapacity.CapacityUnits)
		}
		gone := must[*dynamodb.DeleteItemOutput](t)(c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: aws.String("Carts"), Key: pair("A"), ReturnConsumedCapacity: total,
		}))
		same(t, "delete", tt.write, *gone.ConsumedCapacity.CapacityUnits)
	}
	missing := must[*dynamodb.GetItemOutput](t)(c.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("Carts"), Key: pair("A"), ReturnConsumedCapacity: total,
	}))
	same(t, "get of nothing", 0.5, *missing.ConsumedCapacity.CapacityUnits)
}
