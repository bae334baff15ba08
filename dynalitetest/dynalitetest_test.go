package dynalitetest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/dynalitetest"
)

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

func create(tb testing.TB, c *dynamodb.Client) {
	tb.Helper()
	_, err := c.CreateTable(tb.Context(), &dynamodb.CreateTableInput{
		TableName:            aws.String("Things"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	if err != nil {
		tb.Fatal(err)
	}
}

var keyA = map[string]types.AttributeValue{"pk": s("a")}

func TestClient(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Client(t, nil)
	create(t, c)
	item := map[string]types.AttributeValue{
		"pk":   s("a"),
		"n":    &types.AttributeValueMemberN{Value: "1.5"},
		"b":    &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"bool": &types.AttributeValueMemberBOOL{Value: true},
		"null": &types.AttributeValueMemberNULL{Value: true},
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{s("x"), s("é\n\"")}},
		"map":  &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"k": s("v")}},
		"ss":   &types.AttributeValueMemberSS{Value: []string{"x", "y"}},
		"ns":   &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		"bs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
	}
	if _, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Things"), Item: item}); err != nil {
		t.Fatal(err)
	}
	out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("Things"), Key: keyA})
	if err != nil {
		t.Fatal(err)
	}
	unexported := cmpopts.IgnoreUnexported(
		types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
		types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberL{},
		types.AttributeValueMemberM{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
		types.AttributeValueMemberBS{})
	if diff := cmp.Diff(item, out.Item, unexported); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}

	_, err = c.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("Things"), Item: keyA, ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.ErrorMessage() != "The conditional request failed" {
		t.Errorf("error %v", err)
	}
}

// TestPrivate: clients without a database don't share one, in parallel.
func TestPrivate(t *testing.T) {
	for i := range 8 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			c := dynalitetest.Client(t, nil)
			create(t, c)
			out, err := c.ListTables(t.Context(), &dynamodb.ListTablesInput{})
			if err != nil || len(out.TableNames) != 1 {
				t.Errorf("%v %v", out, err)
			}
		})
	}
}

// TestShared: clients of one database see the same tables; accounts and regions are apart.
func TestShared(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithRegion("eu-west-1"))
	create(t, dynalitetest.Client(t, db))
	account := func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "111122223333", SecretAccessKey: "x"}, nil
		})
	}
	for _, tt := range []struct {
		name   string
		client *dynamodb.Client
		tables int
		arn    string
	}{
		{"same", dynalitetest.Client(t, db), 1, "arn:aws:dynamodb:eu-west-1:123456789012:table/Things"},
		{"other region", dynalitetest.Client(t, db, func(o *dynamodb.Options) { o.Region = "us-west-2" }), 0, ""},
		{"other account", dynalitetest.Client(t, db, account), 0, ""},
	} {
		out, err := tt.client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.TableNames) != tt.tables {
			t.Errorf("%s: tables %v, want %d", tt.name, out.TableNames, tt.tables)
		}
		if tt.arn == "" {
			continue
		}
		table, err := tt.client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Things")})
		if err != nil {
			t.Fatal(err)
		}
		if got := aws.ToString(table.Table.TableArn); got != tt.arn {
			t.Errorf("%s: ARN %s, want %s", tt.name, got, tt.arn)
		}
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	c := dynalitetest.Streams(t, nil)
	out, err := c.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
	if err != nil || len(out.Streams) != 0 {
		t.Errorf("%v %v", out, err)
	}
}

// canned answers every request with the same bytes.
type canned []byte

func (b canned) RoundTrip(r *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, r.Body)
	r.Body.Close()
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{
			"Content-Type":     {"application/x-amz-json-1.0"},
			"X-Amzn-Requestid": {"A"},
			"X-Amz-Crc32":      {strconv.FormatUint(uint64(crc32.ChecksumIEEE(b)), 10)},
		},
		Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)),
	}, nil
}

// bigItem has ten attributes and about 1 KB.
func bigItem() (map[string]types.AttributeValue, canned) {
	item := map[string]types.AttributeValue{"pk": s("a")}
	var text strings.Builder
	text.WriteString(`{"Item":{"pk":{"S":"a"}`)
	for i := range 9 {
		name, value := fmt.Sprint("attribute", i), strings.Repeat(strconv.Itoa(i), 102)
		item[name] = s(value)
		fmt.Fprintf(&text, `,%q:{"S":%q}`, name, value)
	}
	text.WriteString("}}")
	return item, canned(text.String())
}

// BenchmarkClient compares calls through the SDK with the same calls answered by canned bytes, which is the floor: the
// SDK's own work.
func BenchmarkClient(b *testing.B) {
	item, reply := bigItem()
	floor := func(body canned) func(*dynamodb.Options) {
		return func(o *dynamodb.Options) { o.HTTPClient = &http.Client{Transport: body} }
	}
	db := dynalite.Start(b)
	real := dynalitetest.Client(b, db)
	create(b, real)
	if _, err := real.PutItem(b.Context(), &dynamodb.PutItemInput{TableName: aws.String("Things"), Item: item}); err != nil {
		b.Fatal(err)
	}
	get := func(b *testing.B, c *dynamodb.Client) {
		b.ReportAllocs()
		for b.Loop() {
			out, err := c.GetItem(b.Context(), &dynamodb.GetItemInput{TableName: aws.String("Things"), Key: keyA})
			if err != nil || len(out.Item) != len(item) {
				b.Fatal(out, err)
			}
		}
	}
	put := func(b *testing.B, c *dynamodb.Client) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.PutItem(b.Context(), &dynamodb.PutItemInput{TableName: aws.String("Things"), Item: item}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("GetItem/canned", func(b *testing.B) { get(b, dynalitetest.Client(b, db, floor(reply))) })
	b.Run("GetItem/dynalite", func(b *testing.B) { get(b, real) })
	b.Run("PutItem/canned", func(b *testing.B) { put(b, dynalitetest.Client(b, db, floor(canned("{}")))) })
	b.Run("PutItem/dynalite", func(b *testing.B) { put(b, real) })
}

func ExampleClient() {
	// In a test: client := dynalitetest.Client(t, nil)
	client := dynalitetest.Client(exampleTB{}, nil)

	_, err := client.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:            aws.String("Users"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("name"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("name"), KeyType: "HASH"}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	if err != nil {
		fmt.Println(err)
	}
	user := map[string]types.AttributeValue{"name": &types.AttributeValueMemberS{Value: "ada"}}
	for range 2 {
		_, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{
			TableName:           aws.String("Users"),
			Item:                user,
			ConditionExpression: aws.String("attribute_not_exists(#n)"),
			ExpressionAttributeNames: map[string]string{
				"#n": "name",
			},
		})
		var taken *types.ConditionalCheckFailedException
		fmt.Println("taken:", errors.As(err, &taken))
	}
	// Output:
	// taken: false
	// taken: true
}

// exampleTB stands in for the testing.T that an example doesn't have.
type exampleTB struct{ dynalite.TB }

func (exampleTB) Helper()        {}
func (exampleTB) Cleanup(func()) {}
