package examples

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/clock"
	"github.com/dynalite-go/dynalite/dynalitetest"
)

var noon = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// withStream turns a stream of whole items on.
func withStream(in *dynamodb.CreateTableInput) *dynamodb.CreateTableInput {
	in.StreamSpecification = &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
	}
	return in
}

// reader follows the stream of one table, shard by shard. It keeps no iterators, since those live for a quarter of an
// hour only.
type reader struct {
	t    testing.TB
	c    *dynamodbstreams.Client
	arn  *string
	last map[string]*string // by shard, the sequence number of the last record that was read
}

func newReader(t testing.TB, db *dynalite.DB, table string) *reader {
	t.Helper()
	r := &reader{t: t, c: dynalitetest.Streams(t, db), last: map[string]*string{}}
	out := must[*dynamodbstreams.ListStreamsOutput](t)(r.c.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{
		TableName: aws.String(table),
	}))
	same(t, "streams of the table", 1, len(out.Streams))
	r.arn = out.Streams[0].StreamArn
	return r
}

func (r *reader) describe() *streams.StreamDescription {
	r.t.Helper()
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: r.arn}
	out := must[*dynamodbstreams.DescribeStreamOutput](r.t)(r.c.DescribeStream(r.t.Context(), in))
	return out.StreamDescription
}

// read returns the records that came since it was last called, by shard.
func (r *reader) read() map[string][]streams.Record {
	r.t.Helper()
	records := map[string][]streams.Record{}
	for _, shard := range r.describe().Shards {
		id := *shard.ShardId
		from := &dynamodbstreams.GetShardIteratorInput{
			StreamArn: r.arn, ShardId: shard.ShardId, ShardIteratorType: streams.ShardIteratorTypeTrimHorizon,
		}
		if last := r.last[id]; last != nil {
			from.ShardIteratorType, from.SequenceNumber = streams.ShardIteratorTypeAfterSequenceNumber, last
		}
		iterator := must[*dynamodbstreams.GetShardIteratorOutput](r.t)(r.c.GetShardIterator(r.t.Context(), from)).ShardIterator
		for iterator != nil {
			out := must[*dynamodbstreams.GetRecordsOutput](r.t)(r.c.GetRecords(r.t.Context(),
				&dynamodbstreams.GetRecordsInput{ShardIterator: iterator}))
			if len(out.Records) == 0 {
				break
			}
			records[id] = append(records[id], out.Records...)
			r.last[id] = out.Records[len(out.Records)-1].Dynamodb.SequenceNumber
			iterator = out.NextShardIterator
		}
	}
	return records
}

// all returns the records of all shards. Only those of one item are in order.
func (r *reader) all() []streams.Record {
	r.t.Helper()
	var records []streams.Record
	byShard := r.read()
	for _, shard := range slices.Sorted(maps.Keys(byShard)) {
		records = append(records, byShard[shard]...)
	}
	return records
}

// image turns an item of a stream into plain text values by name, which is all the tests here write.
func image(it map[string]streams.AttributeValue) map[string]string {
	var plain map[string]string
	for name, v := range it {
		if plain == nil {
			plain = map[string]string{}
		}
		switch v := v.(type) {
		case *streams.AttributeValueMemberS:
			plain[name] = v.Value
		case *streams.AttributeValueMemberN:
			plain[name] = v.Value
		default:
			plain[name] = fmt.Sprintf("%T", v)
		}
	}
	return plain
}

// event is what a test compares of a record.
type event struct {
	Name     string
	Old, New map[string]string
}

func events(records []streams.Record) (got []event) {
	for _, rec := range records {
		got = append(got, event{string(rec.EventName), image(rec.Dynamodb.OldImage), image(rec.Dynamodb.NewImage)})
	}
	return got
}

func TestSeed22EveryChangeInOrder(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(noon)))
	c := dynalitetest.Client(t, db)
	create(t, c, withStream(tableInput("Carts", "SessionId:S", "ItemId:S")))
	r := newReader(t, db, "Carts")
	k := item{"SessionId": s("s1"), "ItemId": s("i1")}
	line := func(units string) map[string]string {
		return map[string]string{"SessionId": "s1", "ItemId": "i1", "Units": units}
	}

	put(t, c, "Carts", with(k, item{"Units": n(1)}))
	put(t, c, "Carts", with(k, item{"Units": n(1)})) // changes nothing
	must[*dynamodb.UpdateItemOutput](t)(c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("Carts"), Key: k, UpdateExpression: aws.String("ADD Units :one"),
		ExpressionAttributeValues: item{":one": n(1)},
	}))
	_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("Carts"), Item: k, ConditionExpression: aws.String("attribute_not_exists(ItemId)"),
	})
	wantError(t, err, "ConditionalCheckFailedException", "The conditional request failed")
	if err := transact(t, c, types.TransactWriteItem{Put: &types.Put{
		TableName: aws.String("Carts"), Item: with(k, item{"Units": n(3)}),
	}}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds nothing to delete
		must[*dynamodb.DeleteItemOutput](t)(c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: aws.String("Carts"), Key: k,
		}))
	}

	records := r.all()
	same(t, "events", []event{
		{"INSERT", nil, line("1")},
		{"MODIFY", line("1"), line("2")},
		{"MODIFY", line("2"), line("3")},
		{"REMOVE", line("3"), nil},
	}, events(records))
	before := new(big.Int)
	for _, rec := range records {
		number, ok := new(big.Int).SetString(aws.ToString(rec.Dynamodb.SequenceNumber), 10)
		if !ok || number.Cmp(before) <= 0 {
			t.Errorf("sequence number %s after %s", aws.ToString(rec.Dynamodb.SequenceNumber), before)
		}
		before = number
		same(t, "record", []string{"1.1", "aws:dynamodb", "us-east-1", "NEW_AND_OLD_IMAGES"}, []string{
			aws.ToString(rec.EventVersion), aws.ToString(rec.EventSource), aws.ToString(rec.AwsRegion),
			string(rec.Dynamodb.StreamViewType),
		})
		same(t, "keys", map[string]string{"SessionId": "s1", "ItemId": "i1"}, image(rec.Dynamodb.Keys))
		same(t, "time", noon, rec.Dynamodb.ApproximateCreationDateTime.UTC())
		if rec.UserIdentity != nil {
			t.Errorf("user identity %v", rec.UserIdentity)
		}
	}
	same(t, "nothing more", 0, len(r.all()))
}

func TestSeed22KeptForADay(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(noon)), dynalite.WithPartitions(1))
	c := dynalitetest.Client(t, db)
	create(t, c, withStream(tableInput("Carts", "SessionId:S", "ItemId:S")))
	add := func(id string) { put(t, c, "Carts", item{"SessionId": s("s1"), "ItemId": s(id)}) }
	ids := func() (got []string) {
		for _, rec := range newReader(t, db, "Carts").all() { // a new reader starts at the oldest record
			got = append(got, image(rec.Dynamodb.Keys)["ItemId"])
		}
		return got
	}
	add("first")
	db.Advance(20 * time.Hour)
	add("second")
	db.Advance(3*time.Hour + 59*time.Minute)
	same(t, "within a day", []string{"first", "second"}, ids())
	db.Advance(2 * time.Minute)
	same(t, "after a day", []string{"second"}, ids())
	db.Advance(20 * time.Hour)
	same(t, "after two days", 0, len(ids()))
	same(t, "items", 2, len(all(t, c, "Carts")))
}

func TestSeed22ShardsFollowPartitions(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 4, 7} {
		db := dynalite.Start(t, dynalite.WithPartitions(partitions))
		c := dynalitetest.Client(t, db)
		create(t, c, withStream(tableInput("Carts", "SessionId:S", "ItemId:S")))
		r := newReader(t, db, "Carts")
		same(t, "shards", partitions, len(r.describe().Shards))
		const sessions, changes = 40, 5
		together(sessions, func(i int) {
			for units := range changes {
				put(t, c, "Carts", item{"SessionId": s(fmt.Sprint("s", i)), "ItemId": s("i"), "Units": n(units)})
			}
		})
		shardOf := map[string]string{}
		unitsOf := map[string][]string{}
		for shard, records := range r.read() {
			for _, rec := range records {
				session := image(rec.Dynamodb.Keys)["SessionId"]
				if before := cmp.Or(shardOf[session], shard); before != shard {
					t.Errorf("session %s is on the shards %s and %s", session, before, shard)
				}
				shardOf[session] = shard
				unitsOf[session] = append(unitsOf[session], image(rec.Dynamodb.NewImage)["Units"])
			}
		}
		same(t, "sessions", sessions, len(shardOf))
		for session, units := range unitsOf {
			same(t, "changes of "+session, []string{"0", "1", "2", "3", "4"}, units)
		}
		used := map[string]bool{}
		for _, shard := range shardOf {
			used[shard] = true
		}
		same(t, "shards with records", partitions, len(used))
	}
}

// TestSeed22Handler: a function that reacts to each new cart line, here by counting what was put into carts.
func TestSeed22Handler(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t)
	c := dynalitetest.Client(t, db)
	create(t, c, withStream(tableInput("Carts", "SessionId:S", "ItemId:S")))
	create(t, c, tableInput("Popular", "Product:S"))
	onNewLine := func(rec streams.Record) error {
		if rec.EventName != streams.OperationTypeInsert {
			return nil
		}
		_, err := c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String("Popular"), Key: item{"Product": s(image(rec.Dynamodb.NewImage)["Product"])},
			UpdateExpression: aws.String("ADD Carts :one"), ExpressionAttributeValues: item{":one": n(1)},
		})
		return err
	}
	r := newReader(t, db, "Carts")
	poll := func() {
		t.Helper()
		for _, rec := range r.all() {
			if err := onNewLine(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	line := func(session, id, product string, units int) item {
		return item{"SessionId": s(session), "ItemId": s(id), "Product": s(product), "Units": n(units)}
	}
	put(t, c, "Carts", line("s1", "i1", "book", 1), line("s1", "i2", "pen", 3), line("s2", "i1", "book", 1))
	poll()
	put(t, c, "Carts", line("s2", "i1", "book", 2), line("s3", "i1", "book", 1)) // a change, and a new line
	poll()
	poll()
	for product, want := range map[string]int{"book": 3, "pen": 1} {
		same(t, product, want, sInt(get(t, c, "Popular", item{"Product": s(product)}), "Carts"))
	}
}

// TestSeed22Latest: an iterator at the end sees only what comes later, and dies after a quarter of an hour.
func TestSeed22Latest(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(noon)), dynalite.WithPartitions(1))
	c := dynalitetest.Client(t, db)
	create(t, c, withStream(tableInput("Carts", "SessionId:S", "ItemId:S")))
	put(t, c, "Carts", item{"SessionId": s("s1"), "ItemId": s("before")})
	r := newReader(t, db, "Carts")
	iterator := must[*dynamodbstreams.GetShardIteratorOutput](t)(r.c.GetShardIterator(t.Context(),
		&dynamodbstreams.GetShardIteratorInput{
			StreamArn: r.arn, ShardId: r.describe().Shards[0].ShardId, ShardIteratorType: streams.ShardIteratorTypeLatest,
		})).ShardIterator
	put(t, c, "Carts", item{"SessionId": s("s1"), "ItemId": s("after")})
	out := must[*dynamodbstreams.GetRecordsOutput](t)(r.c.GetRecords(t.Context(),
		&dynamodbstreams.GetRecordsInput{ShardIterator: iterator}))
	same(t, "events", []event{{"INSERT", nil, map[string]string{"SessionId": "s1", "ItemId": "after"}}},
		events(out.Records))
	db.Advance(15*time.Minute + time.Second)
	_, err := r.c.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
	var expired *streams.ExpiredIteratorException
	if !errors.As(err, &expired) {
		t.Errorf("error %v, want ExpiredIteratorException", err)
	}
}

// expiring turns time to live on.
func expiring(t testing.TB, c *dynamodb.Client, table, attribute string) {
	t.Helper()
	must[*dynamodb.UpdateTimeToLiveOutput](t)(c.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String(table),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(attribute), Enabled: aws.Bool(true)},
	}))
}

func TestSeed23TimeToLive(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithClock(clock.NewManual(noon)))
	c := dynalitetest.Client(t, db)
	create(t, c, withStream(tableInput("Carts", "SessionId:S")))
	expiring(t, c, "Carts", "ExpiresAt")
	at := func(d time.Duration) types.AttributeValue { return n(int(noon.Add(d).Unix())) }
	session := func(id string) item { return item{"SessionId": s(id)} }
	put(t, c, "Carts",
		with(session("hour"), item{"ExpiresAt": at(time.Hour)}),
		with(session("day"), item{"ExpiresAt": at(24 * time.Hour)}),
		with(session("text"), item{"ExpiresAt": s("1")}),                                   // never expires
		with(session("long ago"), item{"ExpiresAt": at(-6 * 365 * 24 * time.Hour)}),        // ignored
		with(session("milliseconds"), item{"ExpiresAt": n(int(noon.UnixMilli()) + 1_000)}), // a common mistake
		session("none"))
	left := func() []string {
		ids := each(all(t, c, "Carts"), "SessionId")
		slices.Sort(ids)
		return ids
	}
	r := newReader(t, db, "Carts")
	same(t, "records of the puts", 6, len(r.all()))
	same(t, "at first", []string{"day", "hour", "long ago", "milliseconds", "none", "text"}, left())

	db.Advance(time.Hour - time.Second)
	same(t, "before it expires", "hour", sString(get(t, c, "Carts", session("hour")), "SessionId"))
	db.Advance(2 * time.Second)
	if got := get(t, c, "Carts", session("hour")); got != nil {
		t.Errorf("after it expired: %v", got)
	}
	same(t, "after an hour", []string{"day", "long ago", "milliseconds", "none", "text"}, left())

	records := r.all()
	same(t, "events", []event{{"REMOVE", map[string]string{
		"SessionId": "hour", "ExpiresAt": fmt.Sprint(noon.Add(time.Hour).Unix()),
	}, nil}}, events(records))
	same(t, "who did it", []string{"Service", "dynamodb.amazonaws.com"}, []string{
		aws.ToString(records[0].UserIdentity.Type), aws.ToString(records[0].UserIdentity.PrincipalId),
	})

	// A later time postpones it, and a delete by the user names nobody.
	put(t, c, "Carts", with(session("day"), item{"ExpiresAt": at(72 * time.Hour)}))
	db.Advance(48 * time.Hour)
	same(t, "after two days", []string{"day", "long ago", "milliseconds", "none", "text"}, left())
	must[*dynamodb.DeleteItemOutput](t)(c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: aws.String("Carts"), Key: session("day"),
	}))
	records = newReader(t, db, "Carts").all()
	if last := records[len(records)-1]; last.EventName != streams.OperationTypeRemove || last.UserIdentity != nil {
		t.Errorf("record of a delete: %v %v", last.EventName, last.UserIdentity)
	}
}
