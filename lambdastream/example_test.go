package lambdastream_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/lambdastream"
)

// client is a client of the SDK for a database. In a test, dynalitetest.Client makes one.
func client(db *dynalite.DB) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region: db.Region(), BaseEndpoint: aws.String("http://dynalite.localhost"), HTTPClient: db.Client(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "any", SecretAccessKey: "any"}, nil
		}),
	})
}

// createOrders makes a table with the partition key pk and a stream.
func createOrders(c *dynamodb.Client) {
	_, err := c.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:            aws.String("Orders"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		BillingMode:          types.BillingModePayPerRequest,
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	})
	if err != nil {
		log.Fatal(err)
	}
}

func putOrder(c *dynamodb.Client, pk, state string) {
	_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{
		TableName: aws.String("Orders"),
		Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: pk}, "state": &types.AttributeValueMemberS{Value: state},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// A function that greets each new order, under test. Filters keep the other changes away from it.
func Example() {
	db, err := dynalite.New()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	orders := client(db)
	createOrders(orders)

	greet := func(_ context.Context, e events.DynamoDBEvent) error {
		for _, record := range e.Records {
			fmt.Println("thanks for order", record.Change.Keys["pk"].String())
		}
		return nil
	}
	consumer, err := lambdastream.New(db, "Orders", lambdastream.ErrorHandler(greet),
		lambdastream.WithFilters(`{"eventName": ["INSERT"]}`))
	if err != nil {
		log.Fatal(err)
	}
	defer consumer.Close()

	putOrder(orders, "42", "open")
	putOrder(orders, "42", "paid")
	if err := consumer.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output: thanks for order 42
}

// A function that fails is called again by the database's clock, which the test moves. After the last try the
// records go where Lambda would send a message.
func ExampleWithRetries() {
	db, err := dynalite.New(dynalite.WithClock(clock.NewManual(time.Date(2026, 10, 8, 0, 0, 0, 0, time.UTC))))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	orders := client(db)
	createOrders(orders)

	fail := func(context.Context, events.DynamoDBEvent) error {
		fmt.Println("called")
		return errors.New("out of paper")
	}
	consumer, err := lambdastream.New(db, "Orders", lambdastream.ErrorHandler(fail),
		lambdastream.WithRetries(1), lambdastream.WithOnFailure(func(f lambdastream.Failure) {
			fmt.Println(f.Condition, "after", f.InvokeCount, "calls:", f.Err)
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer consumer.Close()

	putOrder(orders, "42", "open")
	for range 2 {
		if err := consumer.Wait(context.Background()); err != nil {
			log.Fatal(err)
		}
		db.Advance(time.Second)
	}
	// Output:
	// called
	// called
	// RetryAttemptsExhausted after 2 calls: out of paper
}
