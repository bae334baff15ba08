package dynalite_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/dynalitetest"
)

// One database, many clients, everything at once. Each kind of client knows something that must hold whatever the
// others do: money moves but stays, counters count every success, untouched items are seen once by every scan, an
// index agrees with its table. At the end the engine compares all that it keeps twice.

const (
	bankAccounts = 20
	bankTotal    = bankAccounts * 100
	stillItems   = 60
)

// crowd is what the clients share.
type crowd struct {
	t  *testing.T
	db *dynalite.DB
	c  *dynamodb.Client

	counted, versions atomic.Int64
}

func text(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func count64(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}

type attributes = map[string]types.AttributeValue

func intOf(t testing.TB, it attributes, name string) int64 {
	t.Helper()
	v, ok := it[name].(*types.AttributeValueMemberN)
	if !ok {
		t.Errorf("item %v has no number %s", it, name)
		return 0
	}
	i, err := strconv.ParseInt(v.Value, 10, 64)
	if err != nil {
		t.Error(err)
	}
	return i
}

// failed reports whether a call failed. Errors of the given codes are part of the game, others fail the test.
func (w *crowd) failed(err error, codes ...string) bool {
	w.t.Helper()
	if err == nil {
		return false
	}
	var fault smithy.APIError
	if !errors.As(err, &fault) || !slices.Contains(codes, fault.ErrorCode()) {
		w.t.Error(err)
	}
	return true
}

func (w *crowd) createTable(in *dynamodb.CreateTableInput) {
	if _, err := w.c.CreateTable(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
}

// crowdTable describes a table with the keys pk (a string) and sk (a number), a stream and no indexes.
func crowdTable(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: "S"}, {AttributeName: aws.String("sk"), AttributeType: "N"},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"},
		},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	}
}

func newCrowd(t *testing.T) *crowd {
	db := dynalite.Start(t, dynalite.WithPartitions(4))
	w := &crowd{t: t, db: db, c: dynalitetest.Client(t, db, func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })}
	w.createTable(crowdTable("Bank"))
	for i := range bankAccounts {
		w.put("Bank", attributes{"pk": text(account(i)), "sk": count64(0), "balance": count64(100)})
	}
	in := crowdTable("Items")
	in.AttributeDefinitions = append(in.AttributeDefinitions,
		types.AttributeDefinition{AttributeName: aws.String("color"), AttributeType: "S"},
		types.AttributeDefinition{AttributeName: aws.String("size"), AttributeType: "N"})
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: aws.String("by-color"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("color"), KeyType: "HASH"}, {AttributeName: aws.String("size"), KeyType: "RANGE"},
		},
	}}
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{
		IndexName: aws.String("by-size"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("size"), KeyType: "RANGE"},
		},
	}}
	w.createTable(in)
	for i := range stillItems {
		w.put("Items", attributes{"pk": text(fmt.Sprint("still", i%7)), "sk": count64(int64(i)), "color": text("grey"), "size": count64(int64(i))})
	}
	return w
}

func account(i int) string { return fmt.Sprint("account", i) }

func (w *crowd) put(table string, it attributes) {
	_, err := w.c.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: it})
	w.failed(err)
}

// transfer moves money if there is enough, in a transaction that is sometimes sent twice.
func (w *crowd) transfer(r *rand.Rand) {
	from, to := r.IntN(bankAccounts), r.IntN(bankAccounts-1)
	if to >= from {
		to++
	}
	move := func(i int, update, condition string, amount int64) types.TransactWriteItem {
		u := &types.Update{
			TableName: aws.String("Bank"), Key: attributes{"pk": text(account(i)), "sk": count64(0)},
			UpdateExpression: aws.String(update), ExpressionAttributeValues: attributes{":n": count64(amount)},
		}
		if condition != "" {
			u.ConditionExpression = aws.String(condition)
		}
		return types.TransactWriteItem{Update: u}
	}
	amount := 1 + r.Int64N(60)
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(strconv.FormatUint(r.Uint64(), 36)),
		TransactItems: []types.TransactWriteItem{
			move(from, "SET balance = balance - :n", "balance >= :n", amount),
			move(to, "ADD balance :n", "", amount),
		},
	}
	_, err := w.c.TransactWriteItems(w.t.Context(), in)
	if w.failed(err, "TransactionCanceledException") {
		return
	}
	if r.IntN(3) == 0 {
		_, err = w.c.TransactWriteItems(w.t.Context(), in)
		w.failed(err)
	}
}

// audit adds up all accounts in one transaction.
func (w *crowd) audit(r *rand.Rand) {
	in := &dynamodb.TransactGetItemsInput{}
	for _, i := range r.Perm(bankAccounts) {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{
			TableName: aws.String("Bank"), Key: attributes{"pk": text(account(i)), "sk": count64(0)},
		}})
	}
	out, err := w.c.TransactGetItems(w.t.Context(), in)
	if w.failed(err) {
		return
	}
	sum := int64(0)
	for _, resp := range out.Responses {
		balance := intOf(w.t, resp.Item, "balance")
		if balance < 0 {
			w.t.Errorf("balance %d", balance)
		}
		sum += balance
	}
	if sum != bankTotal {
		w.t.Errorf("a transaction sees a total of %d, want %d", sum, bankTotal)
	}
}

// fork copies the whole database, looks at the copy and writes to it.
func (w *crowd) fork(r *rand.Rand) {
	if r.IntN(4) > 0 {
		return // it is the dearest of all
	}
	f := w.db.Fork(nil)
	defer f.Close()
	c := dynalitetest.Client(w.t, f)
	sum, items := int64(0), 0
	pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{TableName: aws.String("Bank"), Limit: aws.Int32(7)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.t.Context())
		if w.failed(err) {
			return
		}
		for _, it := range page.Items {
			items++
			sum += intOf(w.t, it, "balance")
		}
	}
	if items != bankAccounts || sum != bankTotal {
		w.t.Errorf("a fork has %d accounts with a total of %d", items, sum)
	}
	for i := range 5 {
		_, err := c.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Items"), Item: attributes{
			"pk": text("fork"), "sk": count64(int64(i)), "color": text("blue"), "size": count64(r.Int64N(10)),
		}})
		w.failed(err)
	}
	if err := f.CheckInvariants(); err != nil {
		w.t.Errorf("fork: %v", err)
	}
}

// count raises a counter, and a version by optimistic locking.
func (w *crowd) count(r *rand.Rand) {
	ctx := w.t.Context()
	key := attributes{"pk": text("counter"), "sk": count64(1)}
	out, err := w.c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("Items"), Key: key, UpdateExpression: aws.String("ADD hits :one"),
		ExpressionAttributeValues: attributes{":one": count64(1)}, ReturnValues: types.ReturnValueUpdatedNew,
	})
	if !w.failed(err) && intOf(w.t, out.Attributes, "hits") > 0 {
		w.counted.Add(1)
	}
	got, err := w.c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Items"), Key: key, ConsistentRead: aws.Bool(r.IntN(2) == 0)})
	if w.failed(err) {
		return
	}
	version := int64(0)
	if got.Item["version"] != nil {
		version = intOf(w.t, got.Item, "version")
	}
	_, err = w.c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("Items"), Key: key, UpdateExpression: aws.String("SET version = :new"),
		ConditionExpression:       aws.String("version = :old OR attribute_not_exists(version)"),
		ExpressionAttributeValues: attributes{":old": count64(version), ":new": count64(version + 1)},
	})
	if !w.failed(err, "ConditionalCheckFailedException") {
		w.versions.Add(1)
	}
}

// churn puts, replaces, moves in the indexes and deletes a few items that many fight for.
func (w *crowd) churn(r *rand.Rand) {
	ctx := w.t.Context()
	key := attributes{"pk": text(fmt.Sprint("churn", r.IntN(3))), "sk": count64(r.Int64N(10))}
	colored := func() attributes {
		it := attributes{"pk": key["pk"], "sk": key["sk"], "color": text([]string{"red", "green"}[r.IntN(2)])}
		if r.IntN(3) > 0 {
			it["size"] = count64(r.Int64N(20))
		}
		return it
	}
	var err error
	switch r.IntN(5) {
	case 0:
		_, err = w.c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Items"), Item: colored()})
	case 1:
		_, err = w.c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("Items"), Key: key})
	case 2:
		_, err = w.c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("Items"), Key: key, UpdateExpression: aws.String("SET #s = if_not_exists(#s, :n) + :n, color = :c"),
			ConditionExpression:       aws.String("attribute_exists(pk) AND color <> :c"),
			ExpressionAttributeNames:  map[string]string{"#s": "size"},
			ExpressionAttributeValues: attributes{":n": count64(3), ":c": text("green")},
		})
	case 3:
		_, err = w.c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"Items": {
			{PutRequest: &types.PutRequest{Item: colored()}},
			{DeleteRequest: &types.DeleteRequest{Key: attributes{"pk": text("churn3"), "sk": count64(r.Int64N(10))}}},
		}}})
	case 4:
		_, err = w.c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("Items"), Item: colored(), ConditionExpression: aws.String("attribute_not_exists(pk)")}},
			{Put: &types.Put{TableName: aws.String("Items"), Item: attributes{"pk": text("churn3"), "sk": count64(r.Int64N(10)), "color": text("red"), "size": count64(1)}}},
		}})
	}
	w.failed(err, "ConditionalCheckFailedException", "TransactionCanceledException")
}

// look queries the indexes: entries fit the condition and stand in order.
func (w *crowd) look(r *rand.Rand) {
	color, forward := []string{"red", "green", "grey"}[r.IntN(3)], r.IntN(2) == 0
	pages := dynamodb.NewQueryPaginator(w.c, &dynamodb.QueryInput{
		TableName: aws.String("Items"), IndexName: aws.String("by-color"), Limit: aws.Int32(1 + r.Int32N(20)),
		KeyConditionExpression: aws.String("color = :c AND #s >= :n"), ScanIndexForward: aws.Bool(forward),
		ExpressionAttributeNames:  map[string]string{"#s": "size"},
		ExpressionAttributeValues: attributes{":c": text(color), ":n": count64(2)},
	})
	before, still := int64(-1), 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.t.Context())
		if w.failed(err) {
			return
		}
		for _, it := range page.Items {
			size := intOf(w.t, it, "size")
			if got := it["color"].(*types.AttributeValueMemberS).Value; got != color || size < 2 {
				w.t.Errorf("index entry %s, %d for %s", got, size, color)
			}
			if before >= 0 && (size < before) == forward && size != before {
				w.t.Errorf("size %d after %d", size, before)
			}
			before = size
			still++
		}
	}
	if color == "grey" && still != stillItems-2 {
		w.t.Errorf("%d of the untouched items are in the index", still)
	}
}

// scan reads the table in segments and pages: untouched items come once each.
func (w *crowd) scan(r *rand.Rand) {
	segments := 1 + r.Int32N(5)
	seen := map[int64]int{}
	for segment := range segments {
		pages := dynamodb.NewScanPaginator(w.c, &dynamodb.ScanInput{
			TableName: aws.String("Items"), Segment: aws.Int32(segment), TotalSegments: aws.Int32(segments),
			Limit: aws.Int32(1 + r.Int32N(40)), FilterExpression: aws.String("color = :grey"),
			ExpressionAttributeValues: attributes{":grey": text("grey")}, ConsistentRead: aws.Bool(r.IntN(2) == 0),
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(w.t.Context())
			if w.failed(err) {
				return
			}
			for _, it := range page.Items {
				seen[intOf(w.t, it, "sk")]++
			}
		}
	}
	for i := range int64(stillItems) {
		if seen[i] != 1 {
			w.t.Errorf("a scan of %d segments sees the untouched item %d %d times", segments, i, seen[i])
		}
	}
}

// tables creates and deletes tables that others create and delete too.
func (w *crowd) tables(r *rand.Rand) {
	ctx := w.t.Context()
	name := fmt.Sprint("Passing", r.IntN(3))
	_, err := w.c.CreateTable(ctx, crowdTable(name))
	w.failed(err, "ResourceInUseException")
	for i := range 5 {
		_, err = w.c.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: aws.String(name), Item: attributes{"pk": text("p"), "sk": count64(int64(i))},
		})
		w.failed(err, "ResourceNotFoundException")
	}
	_, err = w.c.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String(name), KeyConditionExpression: aws.String("pk = :p"),
		ExpressionAttributeValues: attributes{":p": text("p")},
	})
	w.failed(err, "ResourceNotFoundException")
	_, err = w.c.ListTables(ctx, &dynamodb.ListTablesInput{})
	w.failed(err)
	_, err = w.c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(name)})
	w.failed(err, "ResourceNotFoundException")
	_, err = w.c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(name)})
	w.failed(err, "ResourceInUseException", "ResourceNotFoundException")
}

// indexes adds an index to the busy table and takes it away again.
func (w *crowd) indexes(*rand.Rand) {
	update := func(u types.GlobalSecondaryIndexUpdate, defs ...types.AttributeDefinition) {
		_, err := w.c.UpdateTable(w.t.Context(), &dynamodb.UpdateTableInput{
			TableName: aws.String("Items"), AttributeDefinitions: defs,
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{u},
		})
		w.failed(err, "ResourceInUseException", "ResourceNotFoundException", "LimitExceededException", "ValidationException")
	}
	update(types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{
		IndexName: aws.String("late"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("size"), KeyType: "HASH"}},
	}}, types.AttributeDefinition{AttributeName: aws.String("size"), AttributeType: "N"})
	update(types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("late")}})
}

func TestConcurrentClients(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	var running sync.WaitGroup
	for kind, play := range []func(*rand.Rand){
		w.transfer, w.transfer, w.transfer, w.audit, w.fork, w.count, w.count, w.count,
		w.churn, w.churn, w.churn, w.churn, w.look, w.scan, w.tables, w.tables, w.indexes,
	} {
		for player := range 2 {
			running.Go(func() {
				r := rand.New(rand.NewPCG(uint64(kind), uint64(player)))
				for range rounds {
					play(r)
				}
			})
		}
	}
	running.Wait()

	if err := w.db.CheckInvariants(); err != nil {
		t.Error(err)
	}
	w.audit(rand.New(rand.NewPCG(0, 0)))
	got, err := w.c.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("Items"), Key: attributes{"pk": text("counter"), "sk": count64(1)},
	})
	if w.failed(err) {
		return
	}
	if hits, want := intOf(t, got.Item, "hits"), w.counted.Load(); hits != want {
		t.Errorf("the counter stands at %d after %d increments", hits, want)
	}
	if version, want := intOf(t, got.Item, "version"), w.versions.Load(); version != want {
		t.Errorf("the version is %d after %d updates", version, want)
	}
	w.checkStream("Bank")
	w.checkStream("Items")
}

// checkStream replays the stream of a table: each record follows from the one before it on its item, and the last ones
// leave what the table holds.
func (w *crowd) checkStream(table string) {
	w.t.Helper()
	ctx := w.t.Context()
	c := dynalitetest.Streams(w.t, w.db)
	list, err := c.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(table)})
	if w.failed(err) {
		return
	}
	stream, err := c.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
	if w.failed(err) {
		return
	}
	image := func(it map[string]streams.AttributeValue) string { return show(it) }
	now := map[string]string{}
	for _, shard := range stream.StreamDescription.Shards {
		for _, rec := range w.records(ctx, c, list.Streams[0].StreamArn, shard.ShardId) {
			key := image(rec.Dynamodb.Keys)
			if before := image(rec.Dynamodb.OldImage); before != now[key] {
				w.t.Errorf("%s: %s of %s from %s, which was %s", table, rec.EventName, key, before, now[key])
			}
			now[key] = image(rec.Dynamodb.NewImage)
		}
	}
	pages := dynamodb.NewScanPaginator(w.c, &dynamodb.ScanInput{TableName: aws.String(table)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if w.failed(err) {
			return
		}
		for _, it := range page.Items {
			key := show(attributes{"pk": it["pk"], "sk": it["sk"]})
			if got := show(it); now[key] != got {
				w.t.Errorf("%s: the stream leaves %s, the table holds %s", table, now[key], got)
			}
			delete(now, key)
		}
	}
	for key, it := range now {
		if it != "" {
			w.t.Errorf("%s: the stream leaves %s at %s, the table holds nothing", table, it, key)
		}
	}
}

// show prints an item of either client, which here holds strings and numbers only, with its attributes sorted. No item
// is "".
func show[V any](it map[string]V) string {
	var fields []string
	for name, v := range it {
		switch v := any(v).(type) {
		case *types.AttributeValueMemberS:
			fields = append(fields, name+"="+strconv.Quote(v.Value))
		case *types.AttributeValueMemberN:
			fields = append(fields, name+"="+v.Value)
		case *streams.AttributeValueMemberS:
			fields = append(fields, name+"="+strconv.Quote(v.Value))
		case *streams.AttributeValueMemberN:
			fields = append(fields, name+"="+v.Value)
		}
	}
	slices.Sort(fields)
	if fields == nil {
		return ""
	}
	return fmt.Sprint(fields)
}

// records reads a shard from its begin.
func (w *crowd) records(ctx context.Context, c *dynamodbstreams.Client, arn, shard *string) (records []streams.Record) {
	w.t.Helper()
	at, err := c.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: shard, ShardIteratorType: streams.ShardIteratorTypeTrimHorizon,
	})
	if w.failed(err) {
		return nil
	}
	for iterator := at.ShardIterator; iterator != nil; {
		out, err := c.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
		if w.failed(err) || len(out.Records) == 0 {
			return records
		}
		records = append(records, out.Records...)
		iterator = out.NextShardIterator
	}
	return records
}
