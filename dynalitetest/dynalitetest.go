// Package dynalitetest makes clients of the official AWS SDK for Go that talk to a dynalite database in the same
// process.
//
//	func TestOrders(t *testing.T) {
//		client := dynalitetest.Client(t, nil) // with a database of its own
//		...
//	}
//
// It is apart from package dynalite because it compiles the SDK in.
package dynalitetest

import (
	"context"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/dynalite-go/dynalite"
)

// endpoint is what clients believe to talk to. Nothing resolves it.
const endpoint = "http://dynalite.localhost"

// Client returns a DynamoDB client for a database, without a socket between them. With a nil db it starts one that
// the test closes when it ends. The client signs with made-up credentials for the database's default account and
// region; optFns may change that and everything else.
//
// It is safe for tests that run in parallel.
func Client(tb dynalite.TB, db *dynalite.DB, optFns ...func(*dynamodb.Options)) *dynamodb.Client {
	tb.Helper()
	db = orStart(tb, db)
	return dynamodb.New(dynamodb.Options{
		Region:       db.Region(),
		Credentials:  credentials,
		BaseEndpoint: aws.String(endpoint),
		HTTPClient:   direct{db.Transport()},
	}, optFns...)
}

// Streams returns a DynamoDB Streams client for a database, as Client does.
func Streams(tb dynalite.TB, db *dynalite.DB, optFns ...func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	tb.Helper()
	db = orStart(tb, db)
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       db.Region(),
		Credentials:  credentials,
		BaseEndpoint: aws.String(endpoint),
		HTTPClient:   direct{db.Transport()},
	}, optFns...)
}

func orStart(tb dynalite.TB, db *dynalite.DB) *dynalite.DB {
	tb.Helper()
	if db == nil {
		return dynalite.Start(tb)
	}
	return db
}

// credentials sign requests. The emulator accepts any; an access key id of twelve digits would name an account.
var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "dynalite", SecretAccessKey: "dynalite", Source: "dynalitetest"}, nil
})

// direct gives the SDK the transport as it is. An http.Client around it would handle redirects and cookies, of which
// there are none.
type direct struct{ transport http.RoundTripper }

// Do answers one request.
func (d direct) Do(r *http.Request) (*http.Response, error) { return d.transport.RoundTrip(r) }
