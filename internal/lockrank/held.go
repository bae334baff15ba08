//go:build race || lockrank

package lockrank

import (
	"fmt"
	"runtime"
	"sync"
)

// rank is the place of one mutex in the lock order. Its address identifies
// the mutex.
type rank struct {
	class int
	order uint64
}

func (r rank) String() string { return fmt.Sprintf("(class %d, order %d)", r.class, r.order) }

func (r rank) less(s rank) bool {
	return r.class < s.class || r.class == s.class && r.order < s.order
}

// held is what one goroutine holds, in the order of acquisition, which the
// check keeps sorted by rank.
type held struct {
	goroutine uint64
	locks     []*rank
	next      *held
}

// bucket is one chain of a hash table from goroutine to what it holds.
type bucket struct {
	mu   sync.Mutex
	head *held
}

// buckets is the only state of the package. Goroutines that hold nothing have
// no entry.
//
// Everything that touches it is marked norace and runs between hide and show:
// were the detector to see the mutexes of the buckets, it would believe that
// each acquisition happens after the one before and miss races elsewhere.
// Builtins that the runtime instruments (append, copy, maps) are avoided for
// the same reason.
var buckets [256]bucket

// before panics when the calling goroutine must not take the mutex now.
//
//go:norace
func before(r *rank) {
	if r.class == 0 {
		return
	}
	hide()
	last, ok := lastHeld(goroutineID())
	show()
	if ok && !last.less(*r) {
		panic(fmt.Sprintf("lockrank: taking lock %v while holding lock %v", *r, last))
	}
}

//go:norace
func lastHeld(id uint64) (rank, bool) {
	b := &buckets[id%uint64(len(buckets))]
	b.mu.Lock()
	defer b.mu.Unlock()
	for h := b.head; h != nil; h = h.next {
		if h.goroutine == id {
			return *h.locks[len(h.locks)-1], true
		}
	}
	return rank{}, false
}

// acquired records that the calling goroutine holds the mutex.
//
//go:norace
func acquired(r *rank) {
	if r.class == 0 {
		return
	}
	hide()
	add(goroutineID(), r)
	show()
}

//go:norace
func add(id uint64, r *rank) {
	b := &buckets[id%uint64(len(buckets))]
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.head
	for h != nil && h.goroutine != id {
		h = h.next
	}
	if h == nil {
		h = &held{goroutine: id, locks: make([]*rank, 0, 8), next: b.head}
		b.head = h
	}
	n := len(h.locks)
	if n == cap(h.locks) {
		grown := make([]*rank, n, 2*n)
		for i := range n {
			grown[i] = h.locks[i]
		}
		h.locks = grown
	}
	h.locks = h.locks[:n+1]
	h.locks[n] = r
}

// released records that the calling goroutine no longer holds the mutex. It
// panics when it never did: a lock changes hands in no place of this project.
//
//go:norace
func released(r *rank) {
	if r.class == 0 {
		return
	}
	hide()
	ok := remove(goroutineID(), r)
	show()
	if !ok {
		panic(fmt.Sprintf("lockrank: releasing lock %v, which this goroutine doesn't hold", *r))
	}
}

//go:norace
func remove(id uint64, r *rank) bool {
	b := &buckets[id%uint64(len(buckets))]
	b.mu.Lock()
	defer b.mu.Unlock()
	for p := &b.head; *p != nil; p = &(*p).next {
		h := *p
		if h.goroutine != id {
			continue
		}
		n := len(h.locks)
		i := n - 1
		for i >= 0 && h.locks[i] != r {
			i--
		}
		if i < 0 {
			return false
		}
		for ; i < n-1; i++ {
			h.locks[i] = h.locks[i+1]
		}
		h.locks[n-1] = nil
		h.locks = h.locks[:n-1]
		if n == 1 {
			*p = h.next
		}
		return true
	}
	return false
}

// goroutineID returns the number of the calling goroutine. The runtime tells
// it only in the first line of a stack trace, "goroutine 18 [running]:".
//
//go:norace
func goroutineID() uint64 {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	var id uint64
	for i := len("goroutine "); i < n && '0' <= buf[i] && buf[i] <= '9'; i++ {
		id = id*10 + uint64(buf[i]-'0')
	}
	return id
}
