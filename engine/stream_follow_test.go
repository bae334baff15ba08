package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/hashring"
)

// isClosed reports whether a channel is closed, without waiting.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func follow(t *testing.T, s *LiveStream, shard string, from IteratorType) *Follower {
	t.Helper()
	f, err := s.Follow(shard, from, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func liveStream(t *testing.T, r *Region) (*LiveStream, string) {
	t.Helper()
	s, _ := r.LiveStream("T", nil)
	if s == nil {
		t.Fatal("no stream")
	}
	shards, open := s.Shards()
	if len(shards) != 1 || !open {
		t.Fatalf("%d shards, open %v; want 1, true", len(shards), open)
	}
	return s, shards[0].ShardID
}

func TestFollowerReadsAndWakes(t *testing.T) {
	t.Parallel()
	r, c, _ := streamTable(t, api.ViewKeysOnly, 1)
	s, shard := liveStream(t, r)
	putText(t, r, `{"Id":{"N":"1"}}`)
	old, latest := follow(t, s, shard, TrimHorizon), follow(t, s, shard, Latest)
	if page := latest.Read(10); len(page.Records) > 0 || page.End {
		t.Errorf("LATEST reads %+v", page)
	}
	if !isClosed(old.More()) {
		t.Error("More waits although there is a record")
	}
	if page := old.Read(10); len(page.Records) != 1 || page.End {
		t.Errorf("TRIM_HORIZON reads %+v", page)
	}
	// Followers do not expire as iterators do.
	c.Advance(time.Hour)
	a, b := old.More(), latest.More()
	if isClosed(a) || isClosed(b) {
		t.Fatal("More does not wait at the tip")
	}
	putText(t, r, `{"Id":{"N":"2"}}`)
	if !isClosed(a) || !isClosed(b) {
		t.Error("a record woke nobody")
	}
	want := old.Read(10)
	if len(want.Records) != 1 {
		t.Fatalf("read %+v, want one record", want)
	}
	if diff := cmp.Diff(want, latest.Read(10)); diff != "" {
		t.Errorf("the two read different records:\n%s", diff)
	}
	more := old.More()
	if err := r.RollShards(context.Background(), "T"); err != nil {
		t.Fatal(err)
	}
	if !isClosed(more) {
		t.Error("the end of the shard woke nobody")
	}
	if page := old.Read(10); !page.End {
		t.Errorf("read %+v at the end", page)
	}
	shards, _ := s.Shards()
	if got := old.Children(); len(got) != 1 || got[0] != shards[1].ShardID {
		t.Errorf("children %v of shards %+v", got, shards)
	}
	if got := follow(t, s, shards[1].ShardID, Latest).Children(); got != nil {
		t.Errorf("children %v of an open shard", got)
	}
}

func TestFollowerTellsWhatItLost(t *testing.T) {
	t.Parallel()
	r, c, _ := streamTable(t, api.ViewKeysOnly, 1)
	s, shard := liveStream(t, r)
	f := follow(t, s, shard, TrimHorizon)
	for i := range 3 {
		putText(t, r, fmt.Sprintf(`{"Id":{"N":"%d"}}`, i))
		c.Advance(time.Minute)
	}
	first := f.Read(1).Records[0].SequenceNumber
	c.Advance(recordLife)
	page := f.Read(10)
	if page.LostFrom <= first || page.LostTo <= page.LostFrom || len(page.Records) > 0 || !page.End {
		t.Errorf("after a day the follower reads %+v", page)
	}
	if page := f.Read(10); page.LostFrom != "" {
		t.Errorf("the loss is told twice: %+v", page)
	}
}

func TestLiveStreamFindsSuccessors(t *testing.T) {
	t.Parallel()
	r, c, _ := streamTable(t, api.ViewKeysOnly, 1)
	if s, _ := r.LiveStream("other", nil); s != nil {
		t.Error("there is a stream for a table that does not exist")
	}
	s, _ := liveStream(t, r)
	next, added := r.LiveStream("T", s)
	if next != nil || isClosed(added) {
		t.Fatal("there is a second stream already")
	}
	// The new table is made at the same moment. Its stream has an ARN of its own.
	if _, err := r.DeleteTable(context.Background(), &DeleteTable{Table: "T"}); err != nil {
		t.Fatal(err)
	}
	key := hashKey("Id", attr.N)
	create := &CreateTable{Table: "T", Key: key, Definitions: key.Hash, OnDemand: true, StreamView: api.ViewBoth}
	if _, err := r.CreateTable(context.Background(), create); err != nil {
		t.Fatal(err)
	}
	if !isClosed(added) {
		t.Error("a new stream woke nobody")
	}
	if _, open := s.Shards(); open {
		t.Error("the stream of the deleted table is open")
	}
	next, _ = r.LiveStream("T", s)
	if next == nil {
		t.Fatal("no successor")
	}
	if _, open := next.Shards(); !open || next.ARN() <= s.ARN() {
		t.Errorf("successor %s, open %v", next.ARN(), open)
	}
	if again, _ := r.LiveStream("T", next); again != nil {
		t.Errorf("%s has a successor", next.ARN())
	}
	c.Advance(time.Second)
	for _, x := range []StreamUpdate{{}, {Enabled: true, View: api.ViewBoth}} {
		if _, err := r.UpdateTable(context.Background(), &UpdateTable{Table: "T", Stream: &x}); err != nil {
			t.Fatal(err)
		}
	}
	if third, _ := r.LiveStream("T", next); third == nil || third.ARN() <= next.ARN() {
		t.Errorf("no third stream after %s", next.ARN())
	}
}

func BenchmarkFollowerAtTheTip(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			log := &changeLog{region: &Region{engine: New(Options{})}, view: api.ViewBoth, key: hashKey("Id", attr.N), next: 1}
			sh := log.openShard("", hashring.Whole(), time.Now())
			it := attr.NewItem(attr.Named("Id", attr.Int(1)))
			for range n {
				log.append(0, nil, it, false, time.Now())
			}
			s := &LiveStream{log.region, log}
			f, err := s.Follow(sh.id, Latest, time.Time{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				log.append(0, nil, it, false, time.Now())
				if page := f.Read(100); len(page.Records) != 1 {
					b.Fatalf("read %d records", len(page.Records))
				}
			}
		})
	}
}
