//go:build race || lockrank

package lockrank

import (
	"strings"
	"testing"
)

func ranked(class int, order uint64) *RWMutex {
	m := new(RWMutex)
	m.SetRank(class, order)
	return m
}

// mustPanic runs f, which must panic with a message that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got, _ := recover().(string)
		if !strings.Contains(got, want) {
			t.Errorf("panic %q, want it to contain %q", got, want)
		}
	}()
	f()
}

func TestOrder(t *testing.T) {
	tests := []struct {
		name          string
		first, second rank
		allowed       bool
	}{
		{"next class", rank{1, 9}, rank{2, 0}, true},
		{"next order", rank{1, 1}, rank{1, 2}, true},
		{"same rank", rank{1, 1}, rank{1, 1}, false},
		{"earlier order", rank{1, 2}, rank{1, 1}, false},
		{"earlier class", rank{2, 0}, rank{1, 9}, false},
		{"unranked second", rank{2, 0}, rank{}, true},
		{"unranked first", rank{}, rank{1, 0}, true},
		{"largest order", rank{1, 1<<64 - 2}, rank{1, 1<<64 - 1}, true},
	}
	lockers := map[string]func(*RWMutex) (lock, unlock func()){
		"write": func(m *RWMutex) (func(), func()) { return m.Lock, m.Unlock },
		"read":  func(m *RWMutex) (func(), func()) { return m.RLock, m.RUnlock },
	}
	for _, tt := range tests {
		for mode, of := range lockers {
			t.Run(tt.name+" "+mode, func(t *testing.T) {
				lock1, unlock1 := of(ranked(tt.first.class, tt.first.order))
				lock2, unlock2 := of(ranked(tt.second.class, tt.second.order))
				lock1()
				defer unlock1()
				if !tt.allowed {
					mustPanic(t, "while holding", lock2)
					return
				}
				lock2()
				unlock2()
			})
		}
	}
}

func TestRecursion(t *testing.T) {
	m := ranked(3, 7)
	m.RLock()
	mustPanic(t, "taking lock (class 3, order 7) while holding lock (class 3, order 7)", m.RLock)
	m.RUnlock()
	m.Lock()
	m.Unlock()
}

func TestReleaseOutOfOrder(t *testing.T) {
	a, b, c := ranked(1, 0), ranked(2, 0), ranked(3, 0)
	a.Lock()
	b.Lock()
	c.Lock()
	b.Unlock()
	mustPanic(t, "while holding lock (class 3, order 0)", b.Lock)
	c.Unlock()
	b.Lock()
	a.Unlock()
	b.Unlock()
	a.Lock()
	a.Unlock()
}

func TestManyLocks(t *testing.T) {
	var locks []*RWMutex
	for i := range uint64(1000) {
		m := ranked(1, i)
		m.Lock()
		locks = append(locks, m)
	}
	mustPanic(t, "while holding lock (class 1, order 999)", ranked(1, 500).Lock)
	for _, m := range locks {
		m.Unlock()
	}
	for i := range buckets {
		for h := buckets[i].head; h != nil; h = h.next {
			if h.goroutine == goroutineID() {
				t.Error("an entry is left after everything was released")
			}
		}
	}
}

func TestForeignRelease(t *testing.T) {
	m := ranked(1, 0)
	m.Lock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		mustPanic(t, "doesn't hold", m.Unlock)
	}()
	<-done
	m.Unlock()
}

func TestGoroutinesAreSeparate(t *testing.T) {
	a, b := ranked(1, 0), ranked(2, 0)
	b.Lock()
	defer b.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Lock()
		a.Unlock()
	}()
	<-done
}

func TestMutexOrder(t *testing.T) {
	var a, b Mutex
	a.SetRank(1, 0)
	b.SetRank(2, 0)
	b.Lock()
	mustPanic(t, "while holding", a.Lock)
	b.Unlock()
}
