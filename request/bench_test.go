package request

import (
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

func BenchmarkGet(b *testing.B) {
	in := &api.GetItemInput{TableName: table, Key: key}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Get(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetProjection(b *testing.B) {
	in := &api.GetItemInput{TableName: table, Key: key, ProjectionExpression: some("a, #b.c"), ExpressionAttributeNames: names("#b", "b")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Get(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	in := &api.PutItemInput{TableName: table, Item: item(`{"pk":{"S":"a"},"n":{"N":"1"}}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Put(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPutCondition(b *testing.B) {
	in := &api.PutItemInput{
		TableName:                 table,
		Item:                      item(`{"pk":{"S":"a"},"n":{"N":"1"}}`),
		ConditionExpression:       some("attribute_not_exists(pk) OR #n < :n"),
		ExpressionAttributeNames:  names("#n", "n"),
		ExpressionAttributeValues: values(":n", `{"N":"1"}`),
		ReturnValues:              some("ALL_OLD"),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Put(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	in := &api.UpdateItemInput{
		TableName:                 table,
		Key:                       key,
		UpdateExpression:          some("SET #a = :a, b = if_not_exists(b, :zero) + :one REMOVE c"),
		ExpressionAttributeNames:  names("#a", "a"),
		ExpressionAttributeValues: values(":a", `{"S":"x"}`, ":zero", `{"N":"0"}`, ":one", `{"N":"1"}`),
		ReturnValues:              some("ALL_NEW"),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Update(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	in := &api.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    some("pk = :p AND begins_with(sk, :s)"),
		FilterExpression:          some("#n > :n"),
		ExpressionAttributeNames:  names("#n", "n"),
		ExpressionAttributeValues: values(":p", `{"S":"a"}`, ":s", `{"S":"b"}`, ":n", `{"N":"1"}`),
		Limit:                     api.SomeInt(10),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.Query(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTransactWriteWithToken(b *testing.B) {
	in := &api.TransactWriteItemsInput{ClientRequestToken: some("token")}
	for range 4 {
		in.TransactItems = append(in.TransactItems, actionPut(api.Put{Item: item(`{"pk":{"S":"a"},"sk":{"S":"b"},"n":{"N":"1"},"m":{"M":{"x":{"S":"y"}}}}`)}))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := caching.TransactWrite(in, scope); err != nil {
			b.Fatal(err)
		}
	}
}
