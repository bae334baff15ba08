package partiql

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dynalite-go/dynalite/api"
)

// DefaultCacheSize is the number of statements that an Executor keeps unless
// told otherwise.
const DefaultCacheSize = 1024

// maxCacheBytes bounds the texts of all kept statements. What is made of a
// text takes some tens of bytes per byte.
const maxCacheBytes = 1 << 20

// cache keeps compiled statements, and faults that depend on the text alone,
// by text. It is safe for concurrent use. A nil *cache compiles every time.
type cache struct {
	limit int

	mu      sync.RWMutex
	entries map[string]*cacheEntry // guarded by mu
	ring    []*cacheEntry          // guarded by mu; in the order in which they may leave
	hand    int                    // guarded by mu; place in ring
	bytes   int                    // guarded by mu; length of all texts
}

// cacheEntry is immutable but for its mark.
type cacheEntry struct {
	text string
	st   *statement
	err  *api.Error
	used atomic.Bool // since the hand last passed
}

func newCache(size int) *cache {
	if size <= 0 {
		size = DefaultCacheSize
	}
	return &cache{limit: size, entries: make(map[string]*cacheEntry)}
}

// statement returns the statement of a text, which may be part of a request.
func (c *cache) statement(text string) (*statement, *api.Error) {
	if c == nil {
		return compile(strings.Clone(text))
	}
	c.mu.RLock()
	e := c.entries[text]
	c.mu.RUnlock()
	if e == nil {
		e = c.add(text)
	} else if !e.used.Load() {
		e.used.Store(true)
	}
	return e.st, e.err
}

func (c *cache) add(text string) *cacheEntry {
	// The text must not keep the request alive.
	e := &cacheEntry{text: strings.Clone(text)}
	e.st, e.err = compile(e.text)

	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.entries[e.text]; other != nil {
		return other
	}
	for len(c.ring) > 0 && (len(c.ring) >= c.limit || c.bytes+len(text) > maxCacheBytes) {
		c.evictLocked()
	}
	c.entries[e.text] = e
	c.ring = append(c.ring, e)
	c.bytes += len(text)
	return e
}

// evictLocked drops the next entry that was not used since the hand last
// passed it. It wants mu held for writing.
func (c *cache) evictLocked() {
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
	delete(c.entries, e.text)
	c.bytes -= len(e.text)
}
