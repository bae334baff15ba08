package lockrank

import (
	"sync"
	"testing"
)

// TestExclusion holds in every build.
func TestExclusion(t *testing.T) {
	var (
		m    RWMutex
		leaf Mutex
		n, k int
		wg   sync.WaitGroup
	)
	m.SetRank(1, 0)
	leaf.SetRank(2, 0)
	const goroutines, rounds = 50, 200
	for range goroutines {
		wg.Go(func() {
			for range rounds {
				m.Lock()
				n++
				m.Unlock()
				m.RLock()
				leaf.Lock()
				k += min(n, 1)
				leaf.Unlock()
				m.RUnlock()
			}
		})
	}
	wg.Wait()
	if n != goroutines*rounds || k != n {
		t.Errorf("counted %d and %d, want %d", n, k, goroutines*rounds)
	}
}
