package examples

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/server"
)

// local and global describe secondary indexes by their key attributes.
func local(name string, projection *types.Projection, keys ...string) types.LocalSecondaryIndex {
	_, schema := key(keys[0], keys[1:]...)
	return types.LocalSecondaryIndex{IndexName: aws.String(name), KeySchema: schema, Projection: projection}
}

func global(name string, projection *types.Projection, keys ...string) types.GlobalSecondaryIndex {
	_, schema := key(keys[0], keys[1:]...)
	return types.GlobalSecondaryIndex{IndexName: aws.String(name), KeySchema: schema, Projection: projection}
}

var (
	projectAll  = &types.Projection{ProjectionType: types.ProjectionTypeAll}
	projectKeys = &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
)

func include(names ...string) *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: names}
}

// addIndex adds a global secondary index to a table that exists.
func addIndex(t testing.TB, c *dynamodb.Client, table string, ix types.GlobalSecondaryIndex, defs ...string) error {
	attributes, _ := key(defs[0], defs[1:]...)
	_, err := c.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: aws.String(table), AttributeDefinitions: attributes,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
				ProvisionedThroughput: ix.ProvisionedThroughput,
			},
		}},
	})
	return err
}

// withoutRetries keeps the SDK from sending a request again that exceeded a limit.
func withoutRetries(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

const invalid = "One or more parameter values were invalid: "

func TestSeed16Local(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	in := tableInput("Orders", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "Amount:N")
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("by-amount", projectKeys, "PK", "Amount")}
	create(t, c, in)
	for i, amount := range []int{30, 10, 20} {
		put(t, c, "Orders", item{"PK": s("USER#ada"), "SK": s(fmt.Sprint(i)), "Amount": n(amount), "Note": s("x")})
	}
	put(t, c, "Orders", item{"PK": s("USER#ada"), "SK": s("9")}, item{"PK": s("USER#eve"), "SK": s("0"), "Amount": n(1)})
	read := func(in *dynamodb.QueryInput) *dynamodb.QueryOutput {
		in.TableName, in.IndexName = aws.String("Orders"), aws.String("by-amount")
		in.KeyConditionExpression = aws.String("PK = :pk")
		in.ExpressionAttributeValues = item{":pk": s("USER#ada")}
		return query(t, c, in)
	}
	// Strongly consistent, in the index's order, without the item that lacks the attribute.
	strong := read(&dynamodb.QueryInput{ConsistentRead: aws.Bool(true)})
	same(t, "order", []string{"1", "2", "0"}, each(strong.Items, "SK"))
	same(t, "projected", []string{"Amount", "PK", "SK"}, attributes(strong.Items[0]))
	// A local index fetches from the table what it doesn't hold.
	fetched := read(&dynamodb.QueryInput{Select: types.SelectAllAttributes})
	same(t, "all attributes", []string{"Amount", "Note", "PK", "SK"}, attributes(fetched.Items[0]))
}

func TestSeed16LocalRules(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	refused := func(in *dynamodb.CreateTableInput, message string) {
		t.Helper()
		_, err := c.CreateTable(t.Context(), in)
		wantError(t, err, "ValidationException", message)
	}
	in := tableInput("Orders", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "Amount:N")
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("wrong", projectAll, "Amount", "SK")}
	refused(in, invalid+"Index KeySchema does not have the same leading hash key as table KeySchema for index: wrong. "+
		"index hash key: Amount, table hash key: PK")

	in = tableInput("Orders", "PK:S", "SK:S")
	names := []string{"SK:S"}
	for i := range 6 {
		name := fmt.Sprint("A", i)
		names = append(names, name+":S")
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, local("by-"+name, projectAll, "PK", name))
	}
	in.AttributeDefinitions, _ = key("PK:S", names...)
	refused(in, invalid+"Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	in.LocalSecondaryIndexes = in.LocalSecondaryIndexes[:5]
	in.AttributeDefinitions = in.AttributeDefinitions[:7]
	create(t, c, in)

	in = tableInput("Hash", "PK:S")
	in.AttributeDefinitions, _ = key("PK:S", "A:S")
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("by-a", projectAll, "PK", "A")}
	refused(in, invalid+"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
}

// TestSeed16CollectionLimit fills an item collection. The service's limit is 10 GB; here it is 100 KB.
func TestSeed16CollectionLimit(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(server.New(server.Config{
		Source: server.Fixed(engine.New(engine.Options{CollectionBytes: 100 << 10})),
		Region: "us-east-1", Account: "123456789012",
	}))
	t.Cleanup(srv.Close)
	c := dynalitetest.Client(t, nil, func(o *dynamodb.Options) {
		o.BaseEndpoint, o.HTTPClient = aws.String(srv.URL), srv.Client()
	})
	in := tableInput("Orders", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "Amount:N")
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("by-amount", projectAll, "PK", "Amount")}
	create(t, c, in)
	add := func(user string, i int) error {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Orders"), Item: item{
			"PK": s(user), "SK": s(fmt.Sprint(i)), "Amount": n(i), "Data": s(strings.Repeat("x", 10_000)),
		}})
		return err
	}
	// The entry of the index counts too: five items of 10 KB take all there is.
	for i := range 5 {
		if err := add("USER#ada", i); err != nil {
			t.Fatal(err)
		}
	}
	err := add("USER#ada", 5)
	wantError(t, err, "ItemCollectionSizeLimitExceededException", "Collection size exceeded.")
	if err := add("USER#grace", 0); err != nil {
		t.Errorf("another collection: %v", err)
	}
	same(t, "items", 6, len(all(t, c, "Orders")))
}

func TestSeed16Global(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c, tableInput("Roles", "Actor:S", "Movie:S"))
	for i := range 10 {
		it := item{"Actor": s(fmt.Sprint("A", i)), "Movie": s("M"), "Role": s("R")}
		if i%2 == 0 {
			it["Genre"] = s("Drama")
		}
		put(t, c, "Roles", it)
	}
	// An index can come at any time and is filled with what is there.
	if err := addIndex(t, c, "Roles", global("by-genre", projectAll, "Genre", "Actor"), "Genre:S", "Actor:S"); err != nil {
		t.Fatal(err)
	}
	in := &dynamodb.QueryInput{
		TableName: aws.String("Roles"), IndexName: aws.String("by-genre"),
		KeyConditionExpression: aws.String("Genre = :g"), ExpressionAttributeValues: item{":g": s("Drama")},
	}
	same(t, "backfilled", []string{"A0", "A2", "A4", "A6", "A8"}, each(query(t, c, in).Items, "Actor"))
	put(t, c, "Roles", item{"Actor": s("A1"), "Movie": s("M"), "Genre": s("Drama")},
		item{"Actor": s("A2"), "Movie": s("M"), "Genre": s("Comedy")}, item{"Actor": s("A4"), "Movie": s("M")})
	same(t, "followed", []string{"A0", "A1", "A6", "A8"}, each(query(t, c, in).Items, "Actor"))

	in.ConsistentRead = aws.Bool(true)
	_, err := c.Query(t.Context(), in)
	wantError(t, err, "ValidationException", "Consistent reads are not supported on global secondary indexes")
	_, err = c.Scan(t.Context(), &dynamodb.ScanInput{
		TableName: aws.String("Roles"), IndexName: aws.String("by-genre"), ConsistentRead: aws.Bool(true),
	})
	wantError(t, err, "ValidationException", "Consistent reads are not supported on global secondary indexes")
}

func TestSeed16GlobalCapacity(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	in := tableInput("Roles", "Actor:S", "Movie:S")
	in.BillingMode = types.BillingModeProvisioned
	in.ProvisionedThroughput = throughput(20, 10)
	in.AttributeDefinitions, _ = key("Actor:S", "Movie:S", "Genre:S")
	ix := global("by-genre", projectAll, "Genre")
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{ix}
	if _, err := c.CreateTable(t.Context(), in); err == nil {
		t.Fatal("an index without capacity was created on a provisioned table")
	}
	ix.ProvisionedThroughput = throughput(5, 3)
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{ix}
	create(t, c, in)
	table := must[*dynamodb.DescribeTableOutput](t)(c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{
		TableName: aws.String("Roles"),
	})).Table
	got := table.GlobalSecondaryIndexes[0].ProvisionedThroughput
	same(t, "the index's own capacity", []int64{5, 3},
		[]int64{aws.ToInt64(got.ReadCapacityUnits), aws.ToInt64(got.WriteCapacityUnits)})

	out := must[*dynamodb.PutItemOutput](t)(c.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("Roles"), Item: item{"Actor": s("A"), "Movie": s("M"), "Genre": s("G")},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	}))
	same(t, "a write", map[string]float64{"total": 2, "table": 1, "by-genre": 1}, units(out.ConsumedCapacity))
	read := query(t, c, &dynamodb.QueryInput{
		TableName: aws.String("Roles"), IndexName: aws.String("by-genre"),
		KeyConditionExpression: aws.String("Genre = :g"), ExpressionAttributeValues: item{":g": s("G")},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	same(t, "a read", map[string]float64{"total": 0.5, "table": 0, "by-genre": 0.5}, units(read.ConsumedCapacity))
}

func TestSeed16TwentyGlobal(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil, withoutRetries)
	in := tableInput("Roles", "PK:S")
	var names []string
	for i := range 21 {
		name := fmt.Sprint("A", i)
		names = append(names, name+":S")
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, global("by-"+name, projectAll, name))
	}
	in.AttributeDefinitions, _ = key("PK:S", names...)
	_, err := c.CreateTable(t.Context(), in)
	const tooMany = "GlobalSecondaryIndex count exceeds the per-table limit of 20"
	wantError(t, err, "ValidationException", invalid+tooMany)
	in.GlobalSecondaryIndexes = in.GlobalSecondaryIndexes[:20]
	in.AttributeDefinitions = in.AttributeDefinitions[:21]
	create(t, c, in)
	var exceeded *types.LimitExceededException
	if err := addIndex(t, c, "Roles", global("one-more", projectAll, "B"), "B:S"); !errors.As(err, &exceeded) {
		t.Errorf("a 21st index: error %v, want LimitExceededException", err)
	}
}

func TestSeed16Projections(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	in := tableInput("Roles", "PK:S", "SK:S")
	in.AttributeDefinitions, _ = key("PK:S", "SK:S", "G:S")
	for name, p := range map[string]*types.Projection{"keys": projectKeys, "include": include("a", "b"), "all": projectAll} {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, global("g-"+name, p, "G"))
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, local("l-"+name, p, "PK", "G"))
	}
	create(t, c, in)
	put(t, c, "Roles", item{"PK": s("P"), "SK": s("S"), "G": s("G"), "a": n(1), "b": n(2), "c": n(3)})
	for index, want := range map[string][]string{
		"keys": {"G", "PK", "SK"}, "include": {"G", "PK", "SK", "a", "b"}, "all": {"G", "PK", "SK", "a", "b", "c"},
	} {
		for prefix, condition := range map[string]string{"g-": "G = :v", "l-": "PK = :v"} {
			v := map[string]string{"g-": "G", "l-": "P"}[prefix]
			out := query(t, c, &dynamodb.QueryInput{
				TableName: aws.String("Roles"), IndexName: aws.String(prefix + index),
				KeyConditionExpression: aws.String(condition), ExpressionAttributeValues: item{":v": s(v)},
			})
			if len(out.Items) != 1 {
				t.Errorf("%s%s: %d items", prefix, index, len(out.Items))
				continue
			}
			same(t, prefix+index, want, attributes(out.Items[0]))
		}
	}
	_, err := c.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("Roles"), IndexName: aws.String("g-keys"), Select: types.SelectAllAttributes,
		KeyConditionExpression: aws.String("G = :v"), ExpressionAttributeValues: item{":v": s("G")},
	})
	wantError(t, err, "ValidationException", invalid+"Select type ALL_ATTRIBUTES is not supported for global secondary "+
		"index g-keys because its projection type is not ALL")
}

func throughput(read, write int64) *types.ProvisionedThroughput {
	return &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(read), WriteCapacityUnits: aws.Int64(write)}
}
