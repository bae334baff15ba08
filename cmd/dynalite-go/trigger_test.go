package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestParseTrigger(t *testing.T) {
	for _, tt := range []struct {
		text, table, url string
		opts             int
		fault            string
	}{
		{text: "orders=http://127.0.0.1:9000/2015-03-31/functions/function/invocations", table: "orders",
			url: "http://127.0.0.1:9000/2015-03-31/functions/function/invocations"},
		{text: "orders=https://h/?a=b&c=http://x", table: "orders", url: "https://h/?a=b&c=http://x"},
		{text: "a,batch=10,window=1s,from=LATEST,retries=3,bisect,report-failures,max-age=1m,parallel=2,timeout=5s=http://h", table: "a", url: "http://h", opts: 9},
		{text: "arn:aws:dynamodb:eu-west-1:123456789012:table/a=http://h", table: "arn:aws:dynamodb:eu-west-1:123456789012:table/a", url: "http://h"},
		{text: "orders", fault: `"orders" is not TABLE=URL`},
		{text: "orders=localhost:9000", fault: "is not TABLE=URL"},
		{text: "orders,batch=x=http://h", fault: `"batch=x"`},
		{text: "orders,window=1=http://h", fault: "missing unit"},
		{text: "orders,color=red=http://h", fault: "want batch, window,"},
	} {
		got, err := parseTrigger(tt.text)
		switch {
		case tt.fault != "":
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: got error %v, want %q", tt.text, err, tt.fault)
			}
		case err != nil || got.table != tt.table || got.url != tt.url || len(got.opts) != tt.opts:
			t.Errorf("%s: got %q, %q and %d options, %v", tt.text, got.table, got.url, len(got.opts), err)
		}
	}
}

// The trigger is there before its table, and before the function answers.
func TestServeWithTrigger(t *testing.T) {
	posts := make(chan string)
	fail := true
	function := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if fail {
			w.WriteHeader(http.StatusBadGateway)
			fail = false
		}
		posts <- string(body)
	}))
	defer function.Close()
	ctx, stop := context.WithCancel(t.Context())
	out, lines := io.Pipe()
	ended := make(chan error)
	f := serveFlags{host: defaultHost, region: "us-east-1", account: "123456789012", logLevel: "error", wording: "current", triggers: []string{"orders=" + function.URL}}
	go func() { ended <- serve(ctx, &f, lines, io.Discard) }()
	text := make([]byte, 1000)
	n, err := out.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	url := regexp.MustCompile(`http://\S+`).FindString(string(text[:n]))
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: &url, Credentials: aws.CredentialsProviderFunc(
		func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
		})})
	if _, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("orders"), Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}},
	}); err != nil {
		t.Fatal(err)
	}
	first, second := <-posts, <-posts
	if first != second || !strings.Contains(first, `"NewImage":{"pk":{"S":"a"}}`) {
		t.Errorf("posted\n%s\nand\n%s", first, second)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestServeRefusesTriggers(t *testing.T) {
	for text, want := range map[string]string{
		"orders":                "is not TABLE=URL",
		"orders,batch=0=http:/": "is not TABLE=URL",
		"o,batch=0=http://h":    "batch size 0: want 1 to 10000",
	} {
		f := serveFlags{host: defaultHost, region: "us-east-1", account: "123456789012", logLevel: "error", wording: "current", triggers: []string{"ok=http://h", text}}
		if err := serve(t.Context(), &f, io.Discard, io.Discard); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}
