package partiql_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynalite-go/dynalite/dynalitetest"
)

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }

// music is a client for a database with the table Music.
func music(t *testing.T) *dynamodb.Client {
	t.Helper()
	c := dynalitetest.Client(t, nil)
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("Music"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("Artist"), AttributeType: "S"}, {AttributeName: aws.String("SongTitle"), AttributeType: "S"},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("Artist"), KeyType: "HASH"}, {AttributeName: aws.String("SongTitle"), KeyType: "RANGE"},
		},
		BillingMode: types.BillingModePayPerRequest,
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		_, err := c.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{
			Statement:  aws.String(`INSERT INTO Music VALUE {'Artist': ?, 'SongTitle': ?, 'Awards': ?}`),
			Parameters: []types.AttributeValue{s("Acme"), s(fmt.Sprint("Song ", i)), n(fmt.Sprint(i))},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestClient walks through the operations with the official client.
func TestClient(t *testing.T) {
	t.Parallel()
	c := music(t)
	in := &dynamodb.ExecuteStatementInput{
		Statement:  aws.String(`SELECT SongTitle FROM "Music" WHERE Artist = ? AND Awards > ? ORDER BY SongTitle DESC`),
		Parameters: []types.AttributeValue{s("Acme"), n("1")},
		Limit:      aws.Int32(2),
	}
	var titles []string
	for {
		out, err := c.ExecuteStatement(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			titles = append(titles, item["SongTitle"].(*types.AttributeValueMemberS).Value)
		}
		if out.NextToken == nil {
			break
		}
		in.NextToken = out.NextToken
	}
	if got, want := fmt.Sprint(titles), "[Song 6 Song 5 Song 4 Song 3 Song 2]"; got != want {
		t.Errorf("titles %s, want %s", got, want)
	}

	_, err := c.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{
		Statement: aws.String(`INSERT INTO Music VALUE {'Artist': 'Acme', 'SongTitle': 'Song 1'}`),
	})
	var duplicate *types.DuplicateItemException
	if !errors.As(err, &duplicate) || duplicate.ErrorMessage() != "Duplicate primary key exists in table" {
		t.Errorf("INSERT: %v", err)
	}
	_, err = c.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{
		Statement:                           aws.String(`UPDATE Music SET Awards = 9 WHERE Artist = 'Acme' AND SongTitle = 'Song 1' AND Awards = 8`),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || len(failed.Item) != 3 {
		t.Errorf("UPDATE: %v", err)
	}
}

func TestClientBatch(t *testing.T) {
	t.Parallel()
	c := music(t)
	out, err := c.BatchExecuteStatement(t.Context(), &dynamodb.BatchExecuteStatementInput{
		Statements: []types.BatchStatementRequest{
			{Statement: aws.String(`SELECT Awards FROM Music WHERE Artist = 'Acme' AND SongTitle = ?`), Parameters: []types.AttributeValue{s("Song 3")}},
			{Statement: aws.String(`SELECT * FROM Music WHERE Artist = 'Acme'`)},
			{Statement: aws.String(`SELECT * FROM Nowhere WHERE Artist = 'Acme'`)},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := out.Responses
	if len(r) != 3 || r[0].Item["Awards"].(*types.AttributeValueMemberN).Value != "3" || aws.ToString(r[0].TableName) != "Music" {
		t.Errorf("responses %+v", r)
	}
	if r[1].Error == nil || r[1].Error.Code != types.BatchStatementErrorCodeEnumValidationError || r[1].TableName != nil {
		t.Errorf("second response %+v", r[1])
	}
	if r[2].Error == nil || r[2].Error.Code != types.BatchStatementErrorCodeEnumResourceNotFound {
		t.Errorf("third response %+v", r[2].Error)
	}
	if len(out.ConsumedCapacity) != 1 || *out.ConsumedCapacity[0].CapacityUnits != 0.5 {
		t.Errorf("capacity %+v", out.ConsumedCapacity)
	}
}

func TestClientTransaction(t *testing.T) {
	t.Parallel()
	c := music(t)
	statements := func(texts ...string) (list []types.ParameterizedStatement) {
		for _, text := range texts {
			list = append(list, types.ParameterizedStatement{Statement: aws.String(text)})
		}
		return list
	}
	_, err := c.ExecuteTransaction(t.Context(), &dynamodb.ExecuteTransactionInput{TransactStatements: statements(
		`INSERT INTO Music VALUE {'Artist': 'Acme', 'SongTitle': 'New'}`,
		`INSERT INTO Music VALUE {'Artist': 'Acme', 'SongTitle': 'Song 1'}`,
	)})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || aws.ToString(cancelled.CancellationReasons[1].Code) != "DuplicateItem" {
		t.Errorf("transaction: %v", err)
	}
	for range 2 { // the SDK sends a token of its own choice unless it is given one
		out, err := c.ExecuteTransaction(t.Context(), &dynamodb.ExecuteTransactionInput{
			ClientRequestToken: aws.String("once"),
			TransactStatements: statements(`UPDATE Music SET Awards = Awards + 1 WHERE Artist = 'Acme' AND SongTitle = 'Song 1'`),
		})
		if err != nil || len(out.Responses) != 0 {
			t.Errorf("transaction: %v, %v", out, err)
		}
	}
	out, err := c.ExecuteTransaction(t.Context(), &dynamodb.ExecuteTransactionInput{TransactStatements: statements(
		`SELECT Awards FROM Music WHERE Artist = 'Acme' AND SongTitle = 'Song 1'`,
		`SELECT * FROM Music WHERE Artist = 'Acme' AND SongTitle = 'New'`,
	)})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Responses) != 2 || out.Responses[0].Item["Awards"].(*types.AttributeValueMemberN).Value != "2" || out.Responses[1].Item != nil {
		t.Errorf("responses %+v", out.Responses)
	}
}
