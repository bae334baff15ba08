package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/clock"
)

// variants returns two items of about 200 bytes for each of n keys, so that
// putting one after the other always changes something.
func variants(n int) []*attr.Item {
	items := make([]*attr.Item, 0, 2*n)
	for v := range 2 {
		for i := range n {
			items = append(items, attr.NewItem(
				attr.Field{Name: "pk", Value: attr.String(benchKey(i))},
				attr.Field{Name: "status", Value: attr.String([]string{"open", "paid"}[v])},
				attr.Field{Name: "total", Value: attr.Int(int64(i))},
				attr.Field{Name: "note", Value: attr.String(fmt.Sprintf("%0120d", i))},
			))
		}
	}
	return items
}

// BenchmarkPutStream is the cost of a stream for PutItem in the engine, in
// percent of the same without one. The target is 15. Batches with and without
// take turns, and the median counts, so that a busy machine disturbs both.
func BenchmarkPutStream(b *testing.B) {
	const batch = 1_000
	for _, n := range []int{1_000, 100_000, million} {
		items := variants(n)
		puts := make([]Put, len(items))
		for i := range items {
			puts[i] = Put{Table: "bench", Item: items[i]}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var tables [2]*Region
			for i, view := range []string{"none", api.ViewBoth} {
				tables[i] = testRegion(New(Options{}))
				streamBench(b, tables[i], view)
				for j := range n {
					benchPut(b, tables[i], &puts[j])
				}
			}
			var took [2][]float64
			for at := 0; b.Loop(); at += batch {
				for turn := range tables {
					// Who comes second finds the items in the cache.
					i := (at/batch + turn) % 2
					r, start := tables[i], time.Now()
					for j := at; j < at+batch; j++ {
						// Each key in turn, and its other variant in each round.
						benchPut(b, r, &puts[j*7919%n+(j/n+1)%2*n])
					}
					took[i] = append(took[i], float64(time.Since(start).Nanoseconds())/batch)
				}
			}
			none, both := median(took[0]), median(took[1])
			b.ReportMetric(none, "ns/put")
			b.ReportMetric(both, "ns/streamed-put")
			b.ReportMetric(100*(both-none)/none, "%overhead")
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// streamBench makes the table "bench"; "none" is no stream.
func streamBench(b *testing.B, r *Region, view string) {
	b.Helper()
	key := hashKey("pk", attr.S)
	if view == "none" {
		view = ""
	}
	if _, err := r.CreateTable(context.Background(), &CreateTable{
		Table: "bench", Key: key, Definitions: key.Hash, OnDemand: true, StreamView: view,
	}); err != nil {
		b.Fatal(err)
	}
}

func benchPut(b *testing.B, r *Region, put *Put) {
	if _, err := r.Put(context.Background(), put); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGetRecordsTip reads a page of ten at the end of a shard that holds
// many records. It must cost the same, however many there are.
func BenchmarkGetRecordsTip(b *testing.B) {
	for _, n := range []int{1_000, million} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := testRegion(New(Options{Partitions: 1}))
			streamBench(b, r, api.ViewBoth)
			items := variants(1_000)
			for i := range n {
				benchPut(b, r, &Put{Table: "bench", Item: items[i%len(items)]})
			}
			streams, _ := r.ListStreams(context.Background(), &ListStreams{Limit: 1})
			arn := streams.Streams[0].StreamARN
			described, err := r.DescribeStream(context.Background(), &DescribeStream{ARN: arn, Limit: 1})
			if err != nil {
				b.Fatal(err)
			}
			shard := described.StreamDescription.Shards[0].ShardID
			it, err := r.GetShardIterator(context.Background(), &GetShardIterator{
				ARN: arn, Shard: shard, Type: AfterSequenceNumber, Sequence: sequenceNumber(uint64(n) - 10),
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				out, err := r.GetRecords(context.Background(), &GetRecords{Iterator: it.ShardIterator, Limit: 10})
				if err != nil || len(out.Records) != 10 {
					b.Fatal(len(out.Records), err)
				}
			}
		})
	}
}

// BenchmarkPutTTL writes items whose time to live moves, in a table of n items
// that all expire some day. It must grow with log n only; "off" is the same
// without time to live.
func BenchmarkPutTTL(b *testing.B) {
	for _, n := range []int{1_000, million} {
		for _, on := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/%s", n, map[bool]string{false: "off", true: "on"}[on]), func(b *testing.B) {
				r, puts := ttlBench(b, n, on)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					benchPut(b, r, &puts[i%len(puts)])
				}
			})
		}
	}
}

// BenchmarkTTLTick reads from a table of a million expiring items while time
// passes and nothing is due. "off" is the same without time to live.
func BenchmarkTTLTick(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(map[bool]string{false: "off", true: "on"}[on], func(b *testing.B) {
			c := clock.NewManual(testTime)
			r, _ := ttlBenchAt(b, million, on, c)
			keys := benchKeys(million)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Advance(time.Millisecond)
				if out, err := r.Get(context.Background(), &Get{Table: "bench", Key: keys[i%len(keys)]}); err != nil || !out.Found {
					b.Fatal(err)
				}
			}
		})
	}
}

func ttlBench(b *testing.B, n int, on bool) (*Region, []Put) {
	return ttlBenchAt(b, n, on, clock.Real())
}

// ttlBenchAt makes a table of n items that expire a year or more from now, and
// puts that move the times of some.
func ttlBenchAt(b *testing.B, n int, on bool, c clock.Clock) (*Region, []Put) {
	b.Helper()
	r := testRegion(New(Options{Clock: c}))
	streamBench(b, r, "none")
	if on {
		if _, err := r.UpdateTimeToLive(context.Background(), &UpdateTimeToLive{Table: "bench", Attribute: "expires", Enabled: true}); err != nil {
			b.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	item := func(i int) *attr.Item {
		expires := c.Now().Unix() + 366*86_400 + random.Int64N(100_000_000)
		return attr.NewItem(
			attr.Field{Name: "pk", Value: attr.String(benchKey(i))},
			attr.Field{Name: "expires", Value: attr.Int(expires)},
		)
	}
	for i := range n {
		benchPut(b, r, &Put{Table: "bench", Item: item(i)})
	}
	puts := make([]Put, 65_536)
	for i := range puts {
		puts[i] = Put{Table: "bench", Item: item(i * 7919 % n)}
	}
	return r, puts
}
