//go:build !race && !lockrank

package lockrank

import (
	"sync"
	"testing"
	"unsafe"
)

func TestPlainSize(t *testing.T) {
	if got, want := unsafe.Sizeof(RWMutex{}), unsafe.Sizeof(sync.RWMutex{}); got != want {
		t.Errorf("RWMutex has %d bytes, want %d", got, want)
	}
	if got, want := unsafe.Sizeof(Mutex{}), unsafe.Sizeof(sync.Mutex{}); got != want {
		t.Errorf("Mutex has %d bytes, want %d", got, want)
	}
}

// TestPlainUnchecked takes locks against their order, which only checked
// builds refuse.
func TestPlainUnchecked(t *testing.T) {
	var a, b Mutex
	a.SetRank(1, 0)
	b.SetRank(2, 0)
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

func BenchmarkRLock(b *testing.B) {
	b.Run("lockrank", func(b *testing.B) {
		var m RWMutex
		m.SetRank(1, 1)
		for b.Loop() {
			m.RLock()
			m.RUnlock()
		}
	})
	b.Run("sync", func(b *testing.B) {
		var m sync.RWMutex
		for b.Loop() {
			m.RLock()
			m.RUnlock()
		}
	})
}
