package textcache

import (
	"fmt"
	"testing"
)

// TestRingHoldsTheEntries: whatever comes and goes, map, ring and count agree and stay within their bounds.
func TestRingHoldsTheEntries(t *testing.T) {
	c := New[string, int](10)
	for i := range 100 {
		c.Add(fmt.Sprint(i), MaxBytes/20*(i%4), i)
		c.Get("0") // stays, since it is used all the time
		bytes := 0
		for _, e := range c.ring {
			if c.entries[e.key] != e {
				t.Fatalf("%s is in the ring alone", e.key)
			}
			bytes += e.bytes
		}
		if len(c.entries) > 10 || len(c.entries) != len(c.ring) {
			t.Fatalf("%d entries, %d in the ring", len(c.entries), len(c.ring))
		}
		if bytes != c.bytes || bytes > MaxBytes {
			t.Fatalf("%d bytes, counted as %d", bytes, c.bytes)
		}
	}
	if v, ok := c.Get("0"); !ok || v != 0 {
		t.Error("the entry in use was dropped")
	}
}

func TestFirstValueStays(t *testing.T) {
	c := New[string, int](0)
	if _, ok := c.Get("a"); ok {
		t.Error("an empty cache has a value")
	}
	c.Add("a", 1, 1)
	if got := c.Add("a", 1, 2); got != 1 || c.Bytes() != 1 {
		t.Errorf("value %d of %d bytes, want 1 of 1", got, c.Bytes())
	}
}
