package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
)

var testTime = time.Date(2026, 10, 8, 23, 7, 31, 275_000_000, time.UTC)

// streamTable makes a table "T" of numbered items with a stream and returns
// its region, its clock and the stream's ARN.
func streamTable(t *testing.T, view string, parts int) (*Region, *clock.Manual, string) {
	t.Helper()
	c := clock.NewManual(testTime)
	r := testRegion(newTestEngine(t, Options{Clock: c, Partitions: parts}))
	key := hashKey("Id", attr.N)
	out, err := r.CreateTable(context.Background(), &CreateTable{
		Table: "T", Key: key, Definitions: key.Hash, OnDemand: true, StreamView: view,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, c, out.TableDescription.LatestStreamARN
}

func putText(t *testing.T, r *Region, text string) {
	t.Helper()
	if _, err := r.Put(context.Background(), &Put{Table: "T", Item: item(t, text)}); err != nil {
		t.Fatal(err)
	}
}

func describeStream(t *testing.T, r *Region, arn string) *api.StreamDescription {
	t.Helper()
	out, err := r.DescribeStream(context.Background(), &DescribeStream{ARN: arn, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return out.StreamDescription
}

// readStream reads all records of all shards, in order of shards.
func readStream(t *testing.T, r *Region, arn string) []api.Record {
	t.Helper()
	var all []api.Record
	for _, sh := range describeStream(t, r, arn).Shards {
		all = append(all, readShard(t, r, arn, sh.ShardID)...)
	}
	return all
}

func readShard(t *testing.T, r *Region, arn, shard string) []api.Record {
	t.Helper()
	it, err := r.GetShardIterator(context.Background(), &GetShardIterator{ARN: arn, Shard: shard, Type: TrimHorizon})
	if err != nil {
		t.Fatal(err)
	}
	var all []api.Record
	for next := it.ShardIterator; next != ""; {
		out, err := r.GetRecords(context.Background(), &GetRecords{Iterator: next, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Records...)
		if len(out.Records) == 0 {
			break
		}
		next = out.NextShardIterator
	}
	return all
}

// The sizes are those of the service's documented sample records (streams.md
// §3).
func TestStreamRecords(t *testing.T) {
	t.Parallel()
	first := `{"Id":{"N":"101"},"Message":{"S":"New item!"}}`
	second := `{"Id":{"N":"101"},"Message":{"S":"This item has changed"}}`
	for _, tt := range []struct {
		view  string
		sizes []int64
		new   []string
		old   []string
	}{
		{api.ViewBoth, []int64{26, 59, 38}, []string{first, second, ""}, []string{"", first, second}},
		{api.ViewNewImage, []int64{26, 38, 5}, []string{first, second, ""}, []string{"", "", ""}},
		{api.ViewOldImage, []int64{5, 26, 38}, []string{"", "", ""}, []string{"", first, second}},
		{api.ViewKeysOnly, []int64{5, 5, 5}, []string{"", "", ""}, []string{"", "", ""}},
	} {
		t.Run(tt.view, func(t *testing.T) {
			t.Parallel()
			r, _, arn := streamTable(t, tt.view, 1)
			putText(t, r, first)
			putText(t, r, first) // no change, no record
			putText(t, r, second)
			if _, err := r.Delete(context.Background(), &Delete{Table: "T", Key: item(t, `{"Id":{"N":"101"}}`)}); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Delete(context.Background(), &Delete{Table: "T", Key: item(t, `{"Id":{"N":"101"}}`)}); err != nil {
				t.Fatal(err)
			}
			got := readStream(t, r, arn)
			var want []api.Record
			for i, name := range []string{"INSERT", "MODIFY", "REMOVE"} {
				want = append(want, api.Record{
					EventName: name, EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: "us-east-1",
					ApproximateCreationDateTime: testTime.Truncate(time.Second),
					Keys:                        item(t, `{"Id":{"N":"101"}}`),
					NewImage:                    maybe(t, tt.new[i]), OldImage: maybe(t, tt.old[i]),
					SizeBytes: tt.sizes[i], StreamViewType: tt.view,
				})
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(api.Record{}, "EventID", "SequenceNumber")); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			for i, rec := range got {
				if len(rec.EventID) != 32 || len(rec.SequenceNumber) < 21 || i > 0 && rec.SequenceNumber <= got[i-1].SequenceNumber {
					t.Errorf("record %d has the ids %q and %q", i, rec.EventID, rec.SequenceNumber)
				}
			}
		})
	}
}

func maybe(t *testing.T, text string) *attr.Item {
	if text == "" {
		return nil
	}
	return item(t, text)
}

func TestStreamLifeCycle(t *testing.T) {
	t.Parallel()
	r, c, arn := streamTable(t, api.ViewKeysOnly, 3)
	if want := "arn:aws:dynamodb:us-east-1:123456789012:table/T/stream/2026-10-08T23:07:31.275"; arn != want {
		t.Errorf("stream ARN %s, want %s", arn, want)
	}
	if d := describeStream(t, r, arn); d.StreamStatus != "ENABLED" || len(d.Shards) != 3 {
		t.Errorf("a new stream is %s with %d shards, want ENABLED with one for each of 3 partitions", d.StreamStatus, len(d.Shards))
	}
	unknown, err := r.DescribeStream(context.Background(), &DescribeStream{ARN: arn, Limit: 100, StartShard: "shardId-00000000000000000000-00000000"})
	if err != nil || len(unknown.StreamDescription.Shards) != 0 {
		t.Errorf("%d shards follow an unknown one, %v", len(unknown.StreamDescription.Shards), err)
	}
	putText(t, r, `{"Id":{"N":"1"}}`)
	c.Advance(shardLife)
	d := describeStream(t, r, arn)
	open, children := 0, 0
	for _, sh := range d.Shards {
		if sh.EndingSequenceNumber == "" {
			open++
		}
		if sh.ParentShardID != "" {
			children++
		}
	}
	if len(d.Shards) != 6 || open != 3 || children != 3 {
		t.Errorf("after four hours: %d shards, %d open, %d children; want 6, 3, 3", len(d.Shards), open, children)
	}
	if _, err := r.DeleteTable(context.Background(), &DeleteTable{Table: "T"}); err != nil {
		t.Fatal(err)
	}
	if d := describeStream(t, r, arn); d.StreamStatus != "DISABLED" {
		t.Errorf("the stream of a deleted table is %s", d.StreamStatus)
	}
	if got := readStream(t, r, arn); len(got) != 1 {
		t.Errorf("the stream of a deleted table shows %d records, want 1", len(got))
	}
	c.Advance(25 * time.Hour)
	_, err = r.DescribeStream(context.Background(), &DescribeStream{ARN: arn, Limit: 100})
	if want := "Requested resource not found: Stream: " + arn + " not found"; err == nil || err.Error() != want {
		t.Errorf("a day later: %v, want %s", err, want)
	}
	list, err := r.ListStreams(context.Background(), &ListStreams{Limit: 100})
	if err != nil || len(list.Streams) != 0 {
		t.Errorf("a day later the list is %v, %v", list.Streams, err)
	}
}

// Changes that sizes and checksums do not tell leave records too, also of items
// that are older than the stream.
func TestStreamOfSimilarItems(t *testing.T) {
	t.Parallel()
	r := testRegion(newTestEngine(t, Options{Clock: clock.NewManual(testTime), Partitions: 1}))
	key := hashKey("Id", attr.N)
	if _, err := r.CreateTable(context.Background(), &CreateTable{Table: "T", Key: key, Definitions: key.Hash, OnDemand: true}); err != nil {
		t.Fatal(err)
	}
	putText(t, r, `{"Id":{"N":"1"},"v":{"S":"ab"}}`)
	out, err := r.UpdateTable(context.Background(), &UpdateTable{Table: "T", Stream: &StreamUpdate{Enabled: true, View: api.ViewNewImage}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{"Id":{"N":"1"},"v":{"S":"ab"}}`, // as it was
		`{"Id":{"N":"1"},"v":{"S":"ba"}}`,
		`{"Id":{"N":"1"},"v":{"S":"ab"}}`,
		`{"v":{"S":"ab"},"Id":{"N":"1"}}`, // as it was
		`{"Id":{"N":"1"},"v":{"S":"az"}}`,
		`{"Id":{"N":"1"},"v":{"SS":["a","z"]}}`,
		`{"Id":{"N":"1"},"v":{"SS":["z","a"]}}`, // as it was
		`{"Id":{"N":"1"},"z":{"SS":["v","a"]}}`,
	} {
		putText(t, r, text)
	}
	var got []string
	for _, rec := range readStream(t, r, out.TableDescription.LatestStreamARN) {
		got = append(got, rec.NewImage.Text())
	}
	want := []string{
		`{"Id":{"N":"1"},"v":{"S":"ba"}}`,
		`{"Id":{"N":"1"},"v":{"S":"ab"}}`,
		`{"Id":{"N":"1"},"v":{"S":"az"}}`,
		`{"Id":{"N":"1"},"v":{"SS":["a","z"]}}`,
		`{"Id":{"N":"1"},"z":{"SS":["v","a"]}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
}

// A table that is made again, even within the millisecond, has a stream of its
// own.
func TestStreamsOfOneName(t *testing.T) {
	t.Parallel()
	r, _, first := streamTable(t, api.ViewKeysOnly, 1)
	if _, err := r.DeleteTable(context.Background(), &DeleteTable{Table: "T"}); err != nil {
		t.Fatal(err)
	}
	key := hashKey("Id", attr.N)
	out, err := r.CreateTable(context.Background(), &CreateTable{
		Table: "T", Key: key, Definitions: key.Hash, OnDemand: true, StreamView: api.ViewKeysOnly,
	})
	if err != nil {
		t.Fatal(err)
	}
	second := out.TableDescription.LatestStreamARN
	if want := "arn:aws:dynamodb:us-east-1:123456789012:table/T/stream/2026-10-08T23:07:31.276"; second != want {
		t.Errorf("the second stream is %s, want %s", second, want)
	}
	putText(t, r, `{"Id":{"N":"1"}}`)
	if a, b := len(readStream(t, r, first)), len(readStream(t, r, second)); a != 0 || b != 1 {
		t.Errorf("the streams show %d and %d records, want 0 and 1", a, b)
	}
}

func TestIterators(t *testing.T) {
	t.Parallel()
	r, c, arn := streamTable(t, api.ViewKeysOnly, 1)
	for i := range 5 {
		putText(t, r, fmt.Sprintf(`{"Id":{"N":"%d"}}`, i))
		c.Advance(time.Minute)
	}
	shard := describeStream(t, r, arn).Shards[0]
	numbers := []string{}
	for _, rec := range readStream(t, r, arn) {
		numbers = append(numbers, rec.SequenceNumber)
	}
	for _, tt := range []struct {
		name string
		cmd  GetShardIterator
		want []string
	}{
		{"trim horizon", GetShardIterator{Type: TrimHorizon}, numbers},
		{"latest", GetShardIterator{Type: Latest}, nil},
		{"at", GetShardIterator{Type: AtSequenceNumber, Sequence: numbers[2]}, numbers[2:]},
		{"after", GetShardIterator{Type: AfterSequenceNumber, Sequence: numbers[2]}, numbers[3:]},
		{"at the start of the shard", GetShardIterator{Type: AtSequenceNumber, Sequence: shard.StartingSequenceNumber}, numbers},
		{"at a time", GetShardIterator{Type: AtTimestamp, Timestamp: testTime.Add(3 * time.Minute)}, numbers[3:]},
		{"at a time long ago", GetShardIterator{Type: AtTimestamp, Timestamp: testTime.Add(-48 * time.Hour)}, numbers},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.cmd.ARN, tt.cmd.Shard = arn, shard.ShardID
			it, err := r.GetShardIterator(context.Background(), &tt.cmd)
			if err != nil {
				t.Fatal(err)
			}
			out, err := r.GetRecords(context.Background(), &GetRecords{Iterator: it.ShardIterator, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, rec := range out.Records {
				got = append(got, rec.SequenceNumber)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if out.NextShardIterator == "" {
				t.Error("no next iterator on an open shard")
			}
		})
	}
}

// code is the service's code of an error, "" without one.
func code(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestIteratorFaults(t *testing.T) {
	t.Parallel()
	r, c, arn := streamTable(t, api.ViewKeysOnly, 1)
	putText(t, r, `{"Id":{"N":"1"}}`)
	shard := describeStream(t, r, arn).Shards[0].ShardID
	get := func(cmd GetShardIterator) (string, error) {
		cmd.ARN, cmd.Shard = arn, shard
		out, err := r.GetShardIterator(context.Background(), &cmd)
		if err != nil {
			return "", err
		}
		return out.ShardIterator, nil
	}
	records := func(it string) error {
		_, err := r.GetRecords(context.Background(), &GetRecords{Iterator: it, Limit: 1000})
		return err
	}
	horizon, err := get(GetShardIterator{Type: TrimHorizon})
	if err != nil {
		t.Fatal(err)
	}
	if err := records("garbage"); code(err) != api.CodeValidation || err.Error() != "Invalid ShardIterator" {
		t.Errorf("garbage iterator: %v", err)
	}
	if err := records(horizon[:len(horizon)-8] + "AAAAAAA="); code(err) != api.CodeValidation {
		t.Errorf("tampered iterator: %v", err)
	}
	if _, err := get(GetShardIterator{Type: AtTimestamp, Timestamp: testTime.Add(time.Hour)}); code(err) != api.CodeValidation {
		t.Errorf("a time in the future: %v", err)
	}
	if _, err := get(GetShardIterator{Type: AtSequenceNumber, Sequence: "one"}); code(err) != api.CodeValidation {
		t.Errorf("sequence number in words: %v", err)
	}
	shard = "shardId-00000001414562045508-2bac9cd2"
	if _, err := get(GetShardIterator{Type: Latest}); code(err) != api.CodeResourceNotFound {
		t.Errorf("unknown shard: %v", err)
	}
	c.Advance(15*time.Minute + time.Second)
	if err := records(horizon); code(err) != api.CodeExpiredIterator {
		t.Errorf("an iterator of more than 15 minutes: %v", err)
	}
}

func TestOldRecordsAreTrimmed(t *testing.T) {
	t.Parallel()
	r, c, arn := streamTable(t, api.ViewKeysOnly, 1)
	putText(t, r, `{"Id":{"N":"1"}}`)
	first := readStream(t, r, arn)[0].SequenceNumber
	c.Advance(time.Hour)
	putText(t, r, `{"Id":{"N":"2"}}`)
	c.Advance(23*time.Hour + time.Minute)
	got := readStream(t, r, arn)
	if len(got) != 1 || got[0].SequenceNumber == first {
		t.Fatalf("after a day and a minute the stream shows %v, want the second record", got)
	}
	shards := describeStream(t, r, arn).Shards
	_, err := r.GetShardIterator(context.Background(), &GetShardIterator{ARN: arn, Shard: shards[0].ShardID, Type: AtSequenceNumber, Sequence: first})
	if code(err) != api.CodeTrimmedDataAccess {
		t.Errorf("iterator at a trimmed record: %v", err)
	}
}

func TestTimeToLive(t *testing.T) {
	t.Parallel()
	expires := func(at time.Time) string { return fmt.Sprint(at.Unix()) }
	for _, tt := range []struct {
		name  string
		value string
		gone  bool // an hour after testTime
	}{
		{"past", `{"N":"` + expires(testTime) + `"}`, true},
		{"exponent", `{"N":"` + expires(testTime) + `e0"}`, true},
		{"fraction", `{"N":"` + expires(testTime) + `.5"}`, true},
		{"not yet", `{"N":"` + expires(testTime.Add(2*time.Hour)) + `"}`, false},
		{"a string", `{"S":"` + expires(testTime) + `"}`, false},
		{"over five years ago", `{"N":"` + expires(testTime.AddDate(-6, 0, 0)) + `"}`, false},
		{"negative", `{"N":"-5"}`, false},
		{"huge", `{"N":"1E125"}`, false},
	} {
		for _, when := range []string{"before", "after"} {
			t.Run(tt.name+", written "+when+" it was enabled", func(t *testing.T) {
				t.Parallel()
				r, c, arn := streamTable(t, api.ViewBoth, 2)
				text := `{"Id":{"N":"1"},"ttl":` + tt.value + `}`
				enable := func() {
					_, err := r.UpdateTimeToLive(context.Background(), &UpdateTimeToLive{Table: "T", Enabled: true, Attribute: "ttl"})
					if err != nil {
						t.Fatal(err)
					}
				}
				if when == "before" {
					putText(t, r, text)
					enable()
				} else {
					enable()
					putText(t, r, text)
				}
				c.Advance(time.Hour)
				records := readStream(t, r, arn)
				out, err := r.Get(context.Background(), &Get{Table: "T", Key: item(t, `{"Id":{"N":"1"}}`)})
				if err != nil {
					t.Fatal(err)
				}
				if out.Found == tt.gone {
					t.Errorf("found: %v, want gone: %v", out.Found, tt.gone)
				}
				if !tt.gone {
					return
				}
				last := records[len(records)-1]
				want := &api.Identity{PrincipalID: "dynamodb.amazonaws.com", Type: "Service"}
				if diff := cmp.Diff(want, last.UserIdentity); diff != "" || last.EventName != "REMOVE" {
					t.Errorf("the last record is a %s by (-want +got):\n%s", last.EventName, diff)
				}
			})
		}
	}
}

func TestTimeToLiveMovesWithTheItem(t *testing.T) {
	t.Parallel()
	r, c, _ := streamTable(t, api.ViewBoth, 1)
	if _, err := r.UpdateTimeToLive(context.Background(), &UpdateTimeToLive{Table: "T", Enabled: true, Attribute: "ttl"}); err != nil {
		t.Fatal(err)
	}
	for i := range 2500 {
		putText(t, r, fmt.Sprintf(`{"Id":{"N":"%d"},"ttl":{"N":"%d"}}`, i, testTime.Add(time.Hour).Unix()))
	}
	// One gets a later time, one none at all, one is deleted.
	putText(t, r, fmt.Sprintf(`{"Id":{"N":"0"},"ttl":{"N":"%d"}}`, testTime.Add(3*time.Hour).Unix()))
	putText(t, r, `{"Id":{"N":"1"}}`)
	if _, err := r.Delete(context.Background(), &Delete{Table: "T", Key: item(t, `{"Id":{"N":"2"}}`)}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{2499, 2499, 2, 2, 1} {
		out, err := r.DescribeTable(context.Background(), &DescribeTable{Table: "T"})
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Table.ItemCount; got != want {
			t.Errorf("at %v the table has %d items, want %d", c.Now(), got, want)
		}
		c.Advance(59 * time.Minute)
	}
}

// Every change is found once, in order per item, however the shards roll and
// the partitions split.
func TestLineageKeepsTheOrder(t *testing.T) {
	t.Parallel()
	r, c, arn := streamTable(t, api.ViewNewImage, 2)
	const items, rounds = 7, 60
	for round := range rounds {
		for i := range items {
			putText(t, r, fmt.Sprintf(`{"Id":{"N":"%d"},"round":{"N":"%d"}}`, i, round))
		}
		var err error
		switch round % 10 {
		case 3:
			err = r.RollShards(context.Background(), "T")
		case 6:
			err = r.SplitPartition(context.Background(), "T", round%2)
		case 9:
			c.Advance(shardLife)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]int{}
	shards := describeStream(t, r, arn).Shards
	children := map[string][]string{}
	for _, sh := range shards {
		children[sh.ParentShardID] = append(children[sh.ParentShardID], sh.ShardID)
	}
	var walk func(parent string)
	walk = func(parent string) {
		for _, id := range children[parent] {
			for _, rec := range readShard(t, r, arn, id) {
				n, _ := rec.Keys.Lookup("Id")
				round, _ := rec.NewImage.Lookup("round")
				if got, want := round.NumberText(), fmt.Sprint(seen[n.NumberText()]); got != want {
					t.Fatalf("item %s: round %s, want %s", n.NumberText(), got, want)
				}
				seen[n.NumberText()]++
			}
			walk(id)
		}
	}
	walk("")
	for i := range items {
		if got := seen[fmt.Sprint(i)]; got != rounds {
			t.Errorf("item %d: %d records, want %d", i, got, rounds)
		}
	}
}
