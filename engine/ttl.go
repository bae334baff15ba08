package engine

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/hashring"
)

// Expired items are removed when somebody looks: every operation on a table,
// its description or its stream first removes what is due. So no goroutine and
// no timer is needed, a table where nothing is due pays one comparison, and a
// test that owns the clock finds expired items gone at once. Options.TTLDelay
// keeps them readable for longer, as the service does.

// staleAge is how long ago an item may have expired to be removed at all
// (behaviours/02 §2.6).
const staleAge = 5 * 365 * 24 * time.Hour

// never is the due time of a table where nothing expires.
const never = math.MaxInt64

// expiry is the second of the epoch after which an item expires, rounded up.
// ok is false for an item that never does: without the attribute, with one of
// another type, or with a time too far in either direction.
func expiry(item *attr.Item, attribute string, now time.Time) (second int64, ok bool) {
	v, found := item.Lookup(attribute)
	if !found || v.Type() != attr.N {
		return 0, false
	}
	whole, fraction, _ := strings.Cut(v.NumberText(), ".")
	second, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || second > math.MaxInt32*int64(1000) {
		return 0, false
	}
	if fraction != "" && second >= 0 {
		second++
	}
	if second < now.Add(-staleAge).Unix() {
		return 0, false
	}
	return second, true
}

// expiryRow is the entry of a row in its partition's tree of expiring rows,
// which is ordered by time.
func (t *Table) expiryRow(row *store.Row, now time.Time) (hashring.Position, *store.Row) {
	second, ok := expiry(row.Item, t.expires, now)
	if !ok {
		return 0, nil
	}
	return hashring.Position(second), &store.Row{PK: row.PK, SK: row.SK, Item: row.Item}
}

// moveExpiry follows a change in the tree of expiring rows. The caller holds
// the partition's write lock.
func (t *Table) moveExpiry(c *change, now time.Time) {
	if c.old != nil {
		// An old row may have become stale; then it was not in the tree, or
		// it stays there until it is swept.
		if second, ok := expiry(c.old.Item, t.expires, time.Unix(0, 0)); ok {
			c.part.Expiring.Delete(hashring.Position(second), c.old)
		}
	}
	if c.new == nil {
		return
	}
	if at, row := t.expiryRow(c.new, now); row != nil {
		c.part.Expiring.Put(at, row)
		t.dueBy(int64(at))
	}
}

// dueBy notes that something expires after a second of the epoch.
func (t *Table) dueBy(second int64) {
	for {
		due := t.nextDue.Load()
		if due <= second || t.nextDue.CompareAndSwap(due, second) {
			return
		}
	}
}

// startExpiring builds the trees of expiring rows. The caller holds mu for
// writing.
func (t *Table) startExpiring(attribute string, now time.Time) {
	t.expires = attribute
	for _, p := range t.parts {
		p.Lock()
		p.Expiring = store.NewTree()
		p.Items.Scan(store.Cursor{}, p.Range.Last, func(_ hashring.Position, row *store.Row) bool {
			if at, r := t.expiryRow(row, now); r != nil {
				p.Expiring.Put(at, r)
				t.dueBy(int64(at))
			}
			return true
		})
		p.Unlock()
	}
}

// stopExpiring forgets what expires. The caller holds mu for writing.
func (t *Table) stopExpiring() {
	t.expires = ""
	t.nextDue.Store(never)
	for _, p := range t.parts {
		p.Lock()
		p.Expiring = nil
		p.Unlock()
	}
}

// expireDue removes what has expired. The caller holds mu for reading and no
// partition.
func (t *Table) expireDue() {
	due := t.nextDue.Load()
	if due == never {
		return
	}
	now := t.region.engine.clock.Now()
	limit := now.Add(-t.region.engine.opts.TTLDelay)
	if !limit.After(time.Unix(due, 0)) || t.settings.ttl.expiresBy(now) == "" {
		return
	}
	// Whoever writes meanwhile lowers the mark again.
	t.nextDue.Store(never)
	for _, p := range t.parts {
		for t.sweep(p, limit, now) {
		}
	}
}

// sweepBatch is how many rows are removed under one hold of a lock.
const sweepBatch = 1000

// sweep removes up to sweepBatch expired rows of a partition. It reports
// whether there may be more, and notes what is due next if there are none.
func (t *Table) sweep(p *store.Partition, limit, now time.Time) (more bool) {
	p.Lock()
	defer p.Unlock()
	if p.Expiring == nil {
		return false
	}
	var rows []*store.Row
	p.Expiring.Scan(store.Cursor{}, math.MaxInt64, func(at hashring.Position, row *store.Row) bool {
		if !limit.After(time.Unix(int64(at), 0)) {
			t.dueBy(int64(at))
			return false
		}
		rows = append(rows, row)
		return len(rows) < sweepBatch
	})
	for _, row := range rows {
		key := primaryKey{pos: hashring.Hash(row.PK), pk: row.PK, sk: row.SK, source: row.Item}
		c := change{key: key, part: p, old: findRow(p, key), expired: true}
		t.commitAt(&c, now)
	}
	return len(rows) == sweepBatch
}
