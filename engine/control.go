package engine

import (
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// Units is a number of read and of write units per second. Zero means that
// none was given.
type Units struct {
	Read, Write int64
}

// isZero reports whether neither was given.
func (u Units) isZero() bool { return u == Units{} }

// raise is the larger number of each kind.
func (u Units) raise(v Units) Units {
	return Units{max(u.Read, v.Read), max(u.Write, v.Write)}
}

// warmDefault is what an on-demand table can take at once (limits.md §7).
var warmDefault = Units{Read: 12000, Write: 4000}

// settings is all that a table is besides its key, its indexes and its rows.
//
// A change that takes time (Options.CreateDelay) is a status with its end.
// Nothing runs when the end comes: who opens the table for a look or a change
// settles first what is over. Only items are served without settling.
type settings struct {
	id      string
	arn     string
	created time.Time

	capacity             // as it is described now
	next        capacity // as it will be when the table is UPDATING no more
	definitions []KeyAttribute

	status string    // "" when the table is ACTIVE
	until  time.Time // end of status, zero when it is ACTIVE
	jobs   jobs      // what the table is UPDATING for

	warm       warmth
	encryption encryption
	protected  bool
	policy     string
	tags       []api.Tag // in order of key; replaced, never changed
	ttl        ttl

	dropped  *droppedIndex         // the index that is being deleted
	farewell *api.TableDescription // of a table that is being deleted
}

// capacity holds the settings that change together with the table's status.
// Its values are replaced, never changed in place.
type capacity struct {
	onDemand      bool
	onDemandSince time.Time // zero until a switch to on-demand is over
	billingShown  bool      // the table is or was on-demand
	throughput    throughput
	ceilings      Units // OnDemandThroughput; zero: none
	stream        stream
	class         string // "" until one was set
	classSince    time.Time
}

// stream is the stream specification of a table.
type stream struct {
	view  string // StreamViewType; "" while the stream is off
	label string // of the last stream; "" if there never was one
}

// throughput is provisioned throughput with its history.
type throughput struct {
	Units
	increased, decreased time.Time // zero: never
	decreases            int64     // on the day of decreased
}

// warmth is the throughput that a table or index can take at once. It never
// goes down.
type warmth struct {
	Units
	next  Units
	until time.Time // end of the way to next, zero when there is none
	asked bool      // it was given when the table or index was created
}

// begin starts the way to what was sent, if anything was.
func (w *warmth) begin(sent api.WarmThroughput, until time.Time) {
	if next := warmUnits(sent); !next.isZero() {
		w.next, w.until = next, until
	}
}

func (w *warmth) settle(now time.Time) {
	if w.until.IsZero() || now.Before(w.until) {
		return
	}
	w.Units, w.until = w.Units.raise(w.next), time.Time{}
}

// jobs is a set of changes for which a table is UPDATING.
type jobs uint8

const (
	jobThroughput  jobs = 1 << iota // the table's provisioned throughput
	jobBilling                      // the billing mode
	jobStream                       // the stream
	jobClass                        // the table class
	jobIndexCreate                  // a new index gets its resources
	jobIndexDelete                  // an index is being deleted
)

func (j jobs) has(k jobs) bool { return j&k != 0 }

// serves reports whether operations on items find the table.
func (s *settings) serves(now time.Time) bool {
	switch s.status {
	case api.StatusCreating:
		return !now.Before(s.until)
	case api.StatusDeleting:
		return false
	}
	return true
}

// gone reports whether the table was deleted and that is over.
func (s *settings) gone(now time.Time) bool {
	return s.status == api.StatusDeleting && !now.Before(s.until)
}

// clone copies the settings. What they point to never changes.
func (s *settings) clone() settings { return *s }

// due reports whether settle has something to do. The caller holds mu.
func (t *Table) due(now time.Time) bool {
	over := func(until time.Time) bool { return !until.IsZero() && !now.Before(until) }
	s := &t.settings
	if over(s.until) || over(s.warm.until) || over(s.encryption.until) || over(s.ttl.until) {
		return true
	}
	for _, ix := range t.globals {
		x := &ix.settings
		if over(x.until) || over(x.warm.until) || !x.backfilling && x.status == api.StatusCreating && over(x.backfillFrom) {
			return true
		}
	}
	return false
}

// settle ends the changes whose time is over. The caller holds mu for writing.
func (t *Table) settle(now time.Time) {
	s := &t.settings
	s.warm.settle(now)
	s.encryption.settle(now)
	s.ttl.settle(now)
	for _, ix := range t.globals {
		ix.settings.settle(now)
	}
	if s.until.IsZero() || now.Before(s.until) {
		return
	}
	switch s.status {
	case api.StatusDeleting:
		return
	case api.StatusCreating:
		if s.onDemand {
			s.onDemandSince = s.created
		}
	case api.StatusUpdating:
		s.capacity = s.next
		if s.jobs.has(jobThroughput | jobBilling) {
			s.warm.Units = s.warm.Units.raise(s.comes())
		}
		if s.dropped != nil {
			s.dropped = nil
			t.pruneDefinitions()
		}
	}
	s.status, s.until, s.jobs = "", time.Time{}, 0
}

// comes is the warm throughput that comes with the capacity.
func (c *capacity) comes() Units {
	if c.onDemand {
		return warmDefault
	}
	return c.throughput.Units
}

// begin makes the table UPDATING for some jobs. What is described meanwhile is
// the capacity as it stands; next comes afterwards.
func (s *settings) begin(j jobs, next capacity, until time.Time) {
	s.status, s.until = api.StatusUpdating, until
	s.jobs |= j
	s.next = next
}
