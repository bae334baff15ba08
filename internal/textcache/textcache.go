// Package textcache keeps what was compiled from the texts of requests, so that a text which comes again is not
// compiled again. It bounds the number of entries and the length of their texts, and drops by second chance: an entry
// that was used since the hand last passed it stays.
//
// One lock guards a cache. No other lock is taken under it.
package textcache

import (
	"sync"
	"sync/atomic"
)

// DefaultSize is the number of entries that a cache holds unless told otherwise.
const DefaultSize = 1024

// MaxBytes bounds the texts that a cache holds, so that long ones cannot make it large: what is compiled takes some
// tens of bytes per byte of text.
const MaxBytes = 1 << 20

// Cache maps keys, which hold a text, to immutable values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	size int

	mu      sync.RWMutex
	entries map[K]*entry[K, V] // guarded by mu
	ring    []*entry[K, V]     // guarded by mu; the entries, in the order in which they may leave
	hand    int                // guarded by mu; place in ring
	bytes   int                // guarded by mu; length of all texts
}

// entry is immutable but for its mark.
type entry[K comparable, V any] struct {
	key   K
	bytes int // length of the text
	value V
	used  atomic.Bool // since the hand last passed
}

// New makes a cache of up to size entries, or of [DefaultSize] when size is not positive.
func New[K comparable, V any](size int) *Cache[K, V] {
	if size <= 0 {
		size = DefaultSize
	}
	return &Cache[K, V]{size: size, entries: make(map[K]*entry[K, V])}
}

// Get returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.RLock()
	e := c.entries[key]
	c.mu.RUnlock()
	if e == nil {
		var none V
		return none, false
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.value, true
}

// Add keeps a value and returns it, or the one that another goroutine added first. bytes is the length of the key's
// text, which must not alias a request: it would stay alive with the entry.
func (c *Cache[K, V]) Add(key K, bytes int, value V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.entries[key]; other != nil {
		return other.value
	}
	for len(c.ring) > 0 && (len(c.ring) >= c.size || c.bytes+bytes > MaxBytes) {
		c.evictLocked()
	}
	e := &entry[K, V]{key: key, bytes: bytes, value: value}
	c.entries[key] = e
	c.ring = append(c.ring, e)
	c.bytes += bytes
	return value
}

// evictLocked drops the next entry that was not used since the hand last passed it. It wants mu held for writing.
func (c *Cache[K, V]) evictLocked() {
	for {
		c.hand %= len(c.ring)
		if !c.ring[c.hand].used.Swap(false) {
			break
		}
		c.hand++
	}
	e := c.ring[c.hand]
	last := len(c.ring) - 1
	c.ring[c.hand] = c.ring[last]
	c.ring[last] = nil
	c.ring = c.ring[:last]
	delete(c.entries, e.key)
	c.bytes -= e.bytes
}

// Keys returns the keys of all entries, in no order.
func (c *Cache[K, V]) Keys() []K {
	c.mu.RLock()
	defer c.mu.RUnlock()
	keys := make([]K, 0, len(c.entries))
	for k := range c.entries {
		keys = append(keys, k)
	}
	return keys
}

// Bytes returns the length of the texts of all entries.
func (c *Cache[K, V]) Bytes() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.bytes
}
