package hashring_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dynalite-go/dynalite/hashring"
)

// The positions are the leading bytes of MD5("Outliers" + key), worked out
// with a separate tool.
func TestHashIsStable(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]hashring.Position{
		"":                0x65a4c05294be8932,
		"a":               0xf6558e516275dee2,
		"ACTOR#Tom Hanks": 0xfe94aa869923c7ce,
	} {
		if got := hashring.Hash(key); got != want {
			t.Errorf("Hash(%q) = %#x, want %#x", key, uint64(got), uint64(want))
		}
	}
}

func TestSegmentsCoverTheSpaceOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 7, 100, 4096, 5000, 1_000_000} {
		next := hashring.Position(0)
		wrapped := false
		for s := range n {
			r := hashring.Segment(s, n)
			if r.Empty() {
				continue
			}
			if r.First != next || wrapped {
				t.Fatalf("segment %d of %d begins at %#x, want %#x", s, n, r.First, next)
			}
			next = r.Last + 1
			wrapped = next == 0
		}
		if !wrapped {
			t.Errorf("%d segments end at %#x, before the end of the space", n, next)
		}
	}
}

func TestSegmentBoundaries(t *testing.T) {
	t.Parallel()
	// Buckets ⌈4096·s/n⌉ to ⌈4096·(s+1)/n⌉-1 for s = 1, n = 3: 1366 to 2730.
	got := hashring.Segment(1, 3)
	want := hashring.Range{First: 1366 << 52, Last: 2731<<52 - 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Segment(1, 3) (-want +got):\n%s", diff)
	}
}

func TestRing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ring := hashring.NewRing(rapid.IntRange(1, 70).Draw(t, "partitions"))
		for range rapid.IntRange(0, 20).Draw(t, "splits") {
			before := ring.Len()
			next, ok := ring.Split(rapid.IntRange(0, before-1).Draw(t, "which"))
			if ok && next.Len() != before+1 {
				t.Fatalf("a split of %d partitions gave %d", before, next.Len())
			}
			ring = next
		}
		if got := ring.Range(0).First; got != 0 {
			t.Fatalf("the first partition begins at %#x", got)
		}
		for i := 1; i < ring.Len(); i++ {
			if ring.Range(i-1).Last+1 != ring.Range(i).First {
				t.Fatalf("a gap between partitions %d and %d", i-1, i)
			}
		}
		if got := ring.Range(ring.Len() - 1).Last; got != math.MaxUint64 {
			t.Fatalf("the last partition ends at %#x", got)
		}
		p := hashring.Position(rapid.Uint64().Draw(t, "position"))
		if i := ring.Locate(p); !ring.Range(i).Contains(p) {
			t.Fatalf("Locate(%#x) = %d, whose range is %v", p, i, ring.Range(i))
		}
	})
}

func TestSplitOfASinglePosition(t *testing.T) {
	t.Parallel()
	if _, _, ok := (hashring.Range{First: 7, Last: 7}).Split(); ok {
		t.Error("a single position was split")
	}
}

func BenchmarkHash(b *testing.B) {
	key := "USER#" + strconv.Itoa(123456789)
	b.ReportAllocs()
	for b.Loop() {
		hashring.Hash(key)
	}
}
