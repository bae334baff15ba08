// Package lockrank provides mutexes that know their place in the lock order.
//
// In normal builds [Mutex] and [RWMutex] are the mutexes of package sync and
// cost the same. Builds with the race detector, or with the build tag
// lockrank, check every acquisition: a goroutine may only take a lock whose
// rank is greater than the ranks of all locks that it holds. Anything else
// panics with both ranks, whether or not it would have deadlocked this time.
//
// A rank is a class, one small number per kind of lock, and an order inside
// the class. Two locks of the same class and order can never be held together:
// give the same order to locks of which only one may be held at a time. Read
// locks count like write locks, because a second read lock behind a waiting
// writer deadlocks. A mutex without a rank, class zero, is not checked.
//
// The check doesn't hide data races: its own bookkeeping is invisible to the
// race detector, so it adds no ordering between goroutines.
package lockrank
