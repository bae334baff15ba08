//go:build race || lockrank

package lockrank

import "sync"

// Checked reports whether this build checks the lock order.
const Checked = true

// Mutex is a [sync.Mutex] with a rank. Its zero value is unlocked and has no
// rank.
type Mutex struct {
	mu sync.Mutex
	rank
}

// SetRank sets the place of the mutex in the lock order. Call it before the
// mutex is shared between goroutines.
func (m *Mutex) SetRank(class int, order uint64) { m.rank = rank{class, order} }

// Lock locks the mutex. It panics when the caller already holds a lock that
// comes later in the lock order.
func (m *Mutex) Lock() {
	before(&m.rank)
	m.mu.Lock()
	acquired(&m.rank)
}

// Unlock unlocks the mutex.
func (m *Mutex) Unlock() {
	released(&m.rank)
	m.mu.Unlock()
}

// RWMutex is a [sync.RWMutex] with a rank. Its zero value is unlocked and has
// no rank.
type RWMutex struct {
	mu sync.RWMutex
	rank
}

// SetRank sets the place of the mutex in the lock order. Call it before the
// mutex is shared between goroutines.
func (m *RWMutex) SetRank(class int, order uint64) { m.rank = rank{class, order} }

// Lock locks the mutex for writing. It panics when the caller already holds a
// lock that comes later in the lock order.
func (m *RWMutex) Lock() {
	before(&m.rank)
	m.mu.Lock()
	acquired(&m.rank)
}

// Unlock undoes Lock.
func (m *RWMutex) Unlock() {
	released(&m.rank)
	m.mu.Unlock()
}

// RLock locks the mutex for reading. It panics when the caller already holds
// a lock that comes later in the lock order.
func (m *RWMutex) RLock() {
	before(&m.rank)
	m.mu.RLock()
	acquired(&m.rank)
}

// RUnlock undoes RLock.
func (m *RWMutex) RUnlock() {
	released(&m.rank)
	m.mu.RUnlock()
}
