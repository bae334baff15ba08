//go:build !race && !lockrank

package lockrank

import "sync"

// Checked reports whether this build checks the lock order.
const Checked = false

// Mutex is a [sync.Mutex] with a rank. Its zero value is unlocked and has no
// rank.
type Mutex struct{ mu sync.Mutex }

// SetRank sets the place of the mutex in the lock order. Call it before the
// mutex is shared between goroutines.
func (m *Mutex) SetRank(class int, order uint64) {}

// Lock locks the mutex.
func (m *Mutex) Lock() { m.mu.Lock() }

// Unlock unlocks the mutex.
func (m *Mutex) Unlock() { m.mu.Unlock() }

// RWMutex is a [sync.RWMutex] with a rank. Its zero value is unlocked and has
// no rank.
type RWMutex struct{ mu sync.RWMutex }

// SetRank sets the place of the mutex in the lock order. Call it before the
// mutex is shared between goroutines.
func (m *RWMutex) SetRank(class int, order uint64) {}

// Lock locks the mutex for writing.
func (m *RWMutex) Lock() { m.mu.Lock() }

// Unlock undoes Lock.
func (m *RWMutex) Unlock() { m.mu.Unlock() }

// RLock locks the mutex for reading.
func (m *RWMutex) RLock() { m.mu.RLock() }

// RUnlock undoes RLock.
func (m *RWMutex) RUnlock() { m.mu.RUnlock() }
