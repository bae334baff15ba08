package expr

import (
	"strings"
	"sync"
	"sync/atomic"
)

// DefaultCacheSize is the number of expressions that a cache holds unless
// told otherwise.
const DefaultCacheSize = 1024

// maxCacheBytes bounds the texts that a cache holds, so that long expressions
// cannot make it large: a compiled expression takes some tens of bytes per
// byte of text.
const maxCacheBytes = 1 << 20

// Cache keeps compiled expressions, and faults that depend on the text alone,
// by kind and text. It is safe for concurrent use. A nil *Cache works too and
// compiles every time.
type Cache struct {
	limit int

	mu      sync.RWMutex
	entries map[cacheKey]*cacheEntry // guarded by mu
	ring    []*cacheEntry            // guarded by mu; the entries, in the order in which they may leave
	hand    int                      // guarded by mu; place in ring
	bytes   int                      // guarded by mu; length of all texts
}

type cacheKey struct {
	kind Kind
	text string
}

// cacheEntry is immutable but for its mark.
type cacheEntry struct {
	key  cacheKey
	prog program
	err  *Error
	used atomic.Bool // since the hand last passed
}

// program is one of the compiled forms.
type program any

// NewCache makes a cache of up to size expressions, or of
// [DefaultCacheSize] when size is not positive.
func NewCache(size int) *Cache {
	if size <= 0 {
		size = DefaultCacheSize
	}
	return &Cache{limit: size, entries: make(map[cacheKey]*cacheEntry)}
}

// Condition returns the condition of a ConditionExpression or
// FilterExpression, as kind says. The error is an [*Error].
func (c *Cache) Condition(kind Kind, text string, p *Placeholders) (*Predicate, error) {
	prog, err := c.program(kind, text)
	if err != nil {
		return nil, err
	}
	pred, err := prog.(*condProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return pred, nil
}

// KeyCondition returns the clauses of a KeyConditionExpression. The error is
// an [*Error]; when it is Late, the request's other expressions and its
// unused placeholders come first.
func (c *Cache) KeyCondition(text string, p *Placeholders) (*KeyCondition, error) {
	prog, err := c.program(KeyConditionKind, text)
	if err != nil {
		return nil, err
	}
	cond, err := prog.(*keyProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return cond, nil
}

// Update returns the update of an UpdateExpression. The error is an [*Error].
func (c *Cache) Update(text string, p *Placeholders) (*Update, error) {
	prog, err := c.program(UpdateKind, text)
	if err != nil {
		return nil, err
	}
	update, err := prog.(*updateProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return update, nil
}

// Projection returns the paths of a ProjectionExpression. The error is an
// [*Error].
func (c *Cache) Projection(text string, p *Placeholders) (*Projection, error) {
	prog, err := c.program(ProjectionKind, text)
	if err != nil {
		return nil, err
	}
	proj, err := prog.(*projectionProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return proj, nil
}

// program finds or compiles the program of a text.
func (c *Cache) program(kind Kind, text string) (program, *Error) {
	if c == nil || len(text) == 0 || len(text) > MaxExpressionBytes {
		return compile(kind, text)
	}
	c.mu.RLock()
	e := c.entries[cacheKey{kind, text}]
	c.mu.RUnlock()
	if e == nil {
		e = c.add(kind, text)
	} else if !e.used.Load() {
		e.used.Store(true)
	}
	return e.prog, e.err
}

// add compiles a text and keeps the result. The text usually aliases a
// request body, which must not stay alive with it, so it is copied first.
func (c *Cache) add(kind Kind, text string) *cacheEntry {
	e := &cacheEntry{key: cacheKey{kind, strings.Clone(text)}}
	e.prog, e.err = compile(kind, e.key.text)

	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.entries[e.key]; other != nil {
		return other
	}
	for len(c.ring) > 0 && (len(c.ring) >= c.limit || c.bytes+len(text) > maxCacheBytes) {
		c.evictLocked()
	}
	c.entries[e.key] = e
	c.ring = append(c.ring, e)
	c.bytes += len(text)
	return e
}

// evictLocked drops the next entry that was not used since the hand last
// passed it. It wants mu held for writing.
func (c *Cache) evictLocked() {
	for {
		c.hand %= len(c.ring)
		e := c.ring[c.hand]
		if !e.used.Swap(false) {
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
	c.bytes -= len(e.key.text)
}

// compile takes a text through the first three stages.
func compile(kind Kind, text string) (program, *Error) {
	t, err := parse(kind, text)
	if err != nil {
		return nil, err
	}
	if err := check(t); err != nil {
		return nil, err
	}
	switch kind {
	case UpdateKind:
		return compileUpdate(t)
	case ProjectionKind:
		return compileProjection(t)
	case KeyConditionKind:
		return compileKeyCondition(t), nil
	default:
		return compileCondition(t)
	}
}
