package examples

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// item is an item, a key, or the values of an expression.
type item = map[string]types.AttributeValue

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

func n(v int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(v)} }

// with returns a copy of an item with more attributes.
func with(base, more item) item {
	all := maps.Clone(base)
	maps.Copy(all, more)
	return all
}

// sString and sInt read attributes that a test has written itself; anything else shows as a value no test expects.
func sString(it item, name string) string {
	if v, ok := it[name].(*types.AttributeValueMemberS); ok {
		return v.Value
	}
	return "<no string>"
}

func sInt(it item, name string) int {
	if v, ok := it[name].(*types.AttributeValueMemberN); ok {
		if i, err := strconv.Atoi(v.Value); err == nil {
			return i
		}
	}
	return -1 << 40
}

// each lists one string attribute of many items.
func each(items []item, name string) []string {
	var values []string
	for _, it := range items {
		values = append(values, sString(it, name))
	}
	return values
}

// attributes are the names of an item's attributes, sorted.
func attributes(it item) []string { return slices.Sorted(maps.Keys(it)) }

// sameValues compares attribute values without the SDK's private fields.
var sameValues = cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
	types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberL{},
	types.AttributeValueMemberM{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
	types.AttributeValueMemberBS{})

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, sameValues, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// key turns "PK:S" and "SK:N" into a key schema with its definitions.
func key(hash string, rng ...string) ([]types.AttributeDefinition, []types.KeySchemaElement) {
	var defs []types.AttributeDefinition
	var schema []types.KeySchemaElement
	for i, spec := range append([]string{hash}, rng...) {
		name, typ, _ := strings.Cut(spec, ":")
		role := types.KeyTypeHash
		if i > 0 {
			role = types.KeyTypeRange
		}
		defs = append(defs, types.AttributeDefinition{
			AttributeName: aws.String(name), AttributeType: types.ScalarAttributeType(typ),
		})
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: role})
	}
	return defs, schema
}

// tableInput describes an on-demand table with a partition key and perhaps a sort key.
func tableInput(name, hash string, rng ...string) *dynamodb.CreateTableInput {
	defs, schema := key(hash, rng...)
	return &dynamodb.CreateTableInput{
		TableName: aws.String(name), AttributeDefinitions: defs, KeySchema: schema,
		BillingMode: types.BillingModePayPerRequest,
	}
}

func create(t testing.TB, c *dynamodb.Client, in *dynamodb.CreateTableInput) {
	t.Helper()
	if _, err := c.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, c *dynamodb.Client, table string, items ...item) {
	t.Helper()
	for _, it := range items {
		if _, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: it}); err != nil {
			t.Fatal(err)
		}
	}
}

// get reads an item, nil when there is none.
func get(t testing.TB, c *dynamodb.Client, table string, k item) item {
	t.Helper()
	out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(table), Key: k, ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item
}

func query(t testing.TB, c *dynamodb.Client, in *dynamodb.QueryInput) *dynamodb.QueryOutput {
	t.Helper()
	out, err := c.Query(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// all reads a whole table.
func all(t testing.TB, c *dynamodb.Client, table string) []item {
	t.Helper()
	var items []item
	pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{TableName: aws.String(table)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Items...)
	}
	return items
}

// must fails the test when a call failed.
func must[T any](t testing.TB) func(out T, err error) T {
	return func(out T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// wantError demands an error of the service, by code and text.
func wantError(t testing.TB, err error, code, message string) {
	t.Helper()
	var fault smithy.APIError
	if !errors.As(err, &fault) {
		t.Errorf("error %v, want %s", err, code)
		return
	}
	same(t, "error", []string{code, message}, []string{fault.ErrorCode(), fault.ErrorMessage()})
}

// reasons demands a cancelled transaction and returns why each of its actions was.
func reasons(t testing.TB, err error) []string {
	t.Helper()
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("error %v, want TransactionCanceledException", err)
	}
	var codes []string
	for _, r := range cancelled.CancellationReasons {
		codes = append(codes, aws.ToString(r.Code))
	}
	want := "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]"
	same(t, "message", want, cancelled.ErrorMessage())
	return codes
}

// together runs n calls at once and waits for all.
func together(n int, call func(i int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			call(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}
