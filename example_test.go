package dynalite_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
)

var ctx = context.Background()

// sdk returns a client of the official SDK. In a test, dynalitetest.Client does this.
func sdk(url string, client *http.Client) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(url),
		HTTPClient:   client,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "any", SecretAccessKey: "any"}, nil
		}),
	})
}

// create makes a table with the partition key pk.
func create(c *dynamodb.Client, name string) {
	_, err := c.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// put writes an item that has only its key.
func put(c *dynamodb.Client, table, pk string) {
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(table),
		Item:      map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk}},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// count tells how many items a table holds.
func count(c *dynamodb.Client, table string) int32 {
	out, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(table), Select: types.SelectCount})
	if err != nil {
		log.Fatal(err)
	}
	return out.Count
}

// status tells what a table is doing.
func status(c *dynamodb.Client, table string) types.TableStatus {
	out, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	if err != nil {
		log.Fatal(err)
	}
	return out.Table.TableStatus
}

// A database outside of a test, with the official client and no socket between them.
func ExampleNew() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	client := sdk("http://dynamodb.localhost", db.Client())
	create(client, "Orders")
	put(client, "Orders", "o1")
	fmt.Println(count(client, "Orders"))
	// Output: 1
}

// Options are checked together.
func ExampleNew_wrongOptions() {
	_, err := dynalite.New(dynalite.WithAccount("12"), dynalite.WithPartitions(-1))
	fmt.Println(err)
	// Output:
	// dynalite: account "12": want twelve digits
	// dynalite: -1 partitions: want 0 to 10000
}

// Another process reaches the database over HTTP.
func ExampleDB_Listen() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	url, err := db.Listen("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	client := sdk(url, http.DefaultClient)
	create(client, "Orders")
	fmt.Println(status(client, "Orders"))
	// Output: ACTIVE
}

// A server of your own serves the database, here that of net/http/httptest.
func ExampleDB_Handler() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	server := httptest.NewServer(db.Handler())
	defer server.Close()
	client := sdk(server.URL, server.Client())
	create(client, "Orders")
	fmt.Println(count(client, "Orders"))
	// Output: 0
}

// Any HTTP client can use the database without a socket.
func ExampleDB_Transport() {
	db, err := dynalite.New(dynalite.WithRegion("eu-west-1"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	client := http.Client{Transport: db.Transport()}
	resp, err := client.Get("http://any.host/")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 200 OK
}

// A fork is an independent copy. Fill a database once and fork it for each subtest; with a testing.T the fork is
// closed at the end of its test.
func ExampleDB_Fork() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	client := sdk("http://dynamodb.localhost", db.Client())
	create(client, "Orders")
	put(client, "Orders", "o1")

	fork := db.Fork(nil)
	defer fork.Close()
	forked := sdk("http://dynamodb.localhost", fork.Client())
	put(forked, "Orders", "o2")

	fmt.Println(count(client, "Orders"), count(forked, "Orders"))
	// Output: 1 2
}

// A snapshot brings a database back to what it was.
func ExampleDB_Snapshot() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	client := sdk("http://dynamodb.localhost", db.Client())
	create(client, "Orders")

	empty := db.Snapshot()
	put(client, "Orders", "o1")
	fmt.Println(count(client, "Orders"))
	if err := db.Restore(empty); err != nil {
		log.Fatal(err)
	}
	fmt.Println(count(client, "Orders"))
	// Output:
	// 1
	// 0
}

// With a manual clock the test decides what time it is.
func ExampleDB_Advance() {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	db, err := dynalite.New(
		dynalite.WithClock(clock.NewManual(start)),
		dynalite.WithCreateDelay(10*time.Second),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	client := sdk("http://dynamodb.localhost", db.Client())
	create(client, "Orders")
	fmt.Println(status(client, "Orders"))
	db.Advance(10 * time.Second)
	fmt.Println(status(client, "Orders"))
	// Output:
	// CREATING
	// ACTIVE
}
