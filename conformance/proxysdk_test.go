package conformance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// TestProxyWithSDK: the official client works through the proxy, packed answers and all, with keys that the endpoint
// doesn't know; what it said replays.
func TestProxyWithSDK(t *testing.T) {
	t.Parallel()
	target := served(t, dynalite.WithStrictAuth(map[string]string{"AKIDAKIDAKIDAKID": "secret"}))
	p := record(t, conformance.ProxyConfig{Target: target, Keys: fixedKeys{"AKIDAKIDAKIDAKID", "secret"}})
	client := dynamodb.New(dynamodb.Options{
		Region: "eu-west-1", BaseEndpoint: &p.url, EnableAcceptEncodingGzip: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "anything", SecretAccessKey: "at all"}, nil
		}),
	})
	ctx := t.Context()
	if _, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}, {AttributeName: aws.String("sk"), AttributeType: "N"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"}},
	}); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "a"}, "sk": &types.AttributeValueMemberN{Value: fmt.Sprint(i)},
			"v": &types.AttributeValueMemberS{Value: strings.Repeat("long ", 100)},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	out, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("orders"), KeyConditionExpression: aws.String("pk = :pk"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: "a"}},
	})
	if err != nil || out.Count != 20 {
		t.Fatalf("%d items, %v", out.Count, err)
	}
	traffic, stats := p.end(t)
	if len(traffic.Exchanges) != 22 || stats.Partial > 0 || len(stats.Notes) > 0 {
		t.Errorf("%+v", stats)
	}
	query := traffic.Exchanges[len(traffic.Exchanges)-1]
	if !strings.Contains(string(query.Response), "long long") || query.Header["X-Amz-Crc32"] != "" {
		t.Errorf("the packed answer: %v %.100s", query.Header, query.Response)
	}
	if r, text := replayText(t, conformance.InProcess(dynalite.Start(t).Transport()), traffic); r.Failed() {
		t.Error(text)
	}
}
