package engine

import (
	"context"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// UpdateTable is UpdateTable as a command. What a field does not set stays as
// it is. Package request has refused the combinations that the service refuses
// whatever the table is like (api-surface §6.2).
type UpdateTable struct {
	Table      string
	Billing    string // BillingMode; "": unchanged
	Throughput Units
	Ceilings   api.OnDemandThroughput // each member alone; -1 removes it
	Warm       api.WarmThroughput     // each member alone
	Indexes    []IndexUpdate
	Stream     *StreamUpdate
	Encryption *Encryption
	Class      string
	Protected  api.Bool
}

// StreamUpdate switches the stream of a table on, with a StreamViewType, or
// off.
type StreamUpdate struct {
	Enabled bool
	View    string
}

// IndexUpdate creates, deletes or changes one global secondary index.
type IndexUpdate struct {
	Name   string
	Create *IndexSpec
	Delete bool

	// Of a change; what is not set stays.
	Throughput Units
	Ceilings   api.OnDemandThroughput
	Warm       api.WarmThroughput
}

// UpdateTable changes a table, or nothing at all when it fails. The
// description it returns shows the way there: status UPDATING, old throughput.
// The next request finds the change done, or Options.CreateDelay later.
//
// Errors: ResourceNotFoundException for the table or an index;
// ResourceInUseException while a change is under way that stands in the way;
// LimitExceededException; ValidationException.
func (r *Region) UpdateTable(ctx context.Context, cmd *UpdateTable) (*api.UpdateTableOutput, error) {
	t, now, err := r.open(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	u := &tableUpdate{
		UpdateTable: cmd,
		t:           t,
		s:           &t.settings,
		now:         now,
		until:       now.Add(r.engine.opts.CreateDelay),
	}
	u.onDemand = u.s.onDemand
	if cmd.Billing != "" {
		u.onDemand = cmd.Billing == api.BillingPayPerRequest
	}
	u.switching = u.onDemand != u.s.onDemand
	if err := u.check(); err != nil {
		return nil, err
	}
	u.apply()
	out := t.describe(now)
	u.amend(out)
	t.settle(now)
	return &api.UpdateTableOutput{TableDescription: out}, nil
}

// tableUpdate is one UpdateTable under way. The caller holds the table's mu
// for writing.
type tableUpdate struct {
	*UpdateTable
	t          *Table
	s          *settings
	now, until time.Time
	onDemand   bool // the billing mode afterwards
	switching  bool // the billing mode changes
}

// check runs all checks of behaviours/02 §2.4, steps 5 and 6, and api-surface
// §6.2. It changes nothing.
func (u *tableUpdate) check() *api.Error {
	if st := u.s.status; st == api.StatusCreating || st == api.StatusDeleting {
		return errTableBusy(u.t)
	}
	for _, check := range []func() *api.Error{
		u.checkCeilings,
		u.checkConflicts,
		u.checkIndexes,
		u.checkThroughput,
		u.checkWarm,
		u.checkStream,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return u.t.checkEncryption(u.Encryption)
}

func (u *tableUpdate) checkStream() *api.Error {
	if u.Stream == nil {
		return nil
	}
	on := u.s.stream.view != ""
	switch {
	case u.Stream.Enabled && on:
		return api.Validation("Table already has an enabled stream: TableName: " + u.t.name)
	case !u.Stream.Enabled && !on:
		return api.Validation("Table has no stream to disable: TableName: " + u.t.name)
	}
	return nil
}

// apply makes the change. It cannot fail.
func (u *tableUpdate) apply() {
	if u.Protected.Set {
		u.s.protected = u.Protected.Value
	}
	if u.Encryption != nil {
		u.s.encryption.next = u.t.region.keyARN(u.Encryption)
		u.s.encryption.until = u.until
	}
	u.s.warm.begin(u.Warm, u.until)
	u.applyCapacity()
	u.applyIndexes()
}

// applyCapacity changes what comes with a status of the table.
func (u *tableUpdate) applyCapacity() {
	s := u.s
	var j jobs
	if u.Ceilings.MaxReadRequestUnits.Set || u.Ceilings.MaxWriteRequestUnits.Set {
		// These change at once, with the table ACTIVE.
		s.ceilings = mergeCeilings(s.ceilings, u.Ceilings)
	}
	next := s.capacity
	if !u.Throughput.isZero() && !u.switching {
		j |= jobThroughput
		s.throughput, next.throughput = s.throughput.change(u.Throughput, u.now, u.until)
	}
	if u.switching {
		j |= jobBilling
		u.switchBilling(&next)
	}
	if u.Stream != nil {
		j |= jobStream
		u.switchStream()
		next.stream = s.stream
	}
	if u.Class != "" && u.Class != s.currentClass() {
		j |= jobClass
		next.class, next.classSince = strings.Clone(u.Class), u.until
	}
	if j != 0 {
		s.begin(j, next, u.until)
	}
}

// currentClass is the table class, which is STANDARD until one was set.
func (s *settings) currentClass() string {
	if s.class == "" {
		return "STANDARD"
	}
	return s.class
}

// switchBilling changes the billing mode. The new mode and its throughput show
// at once.
func (u *tableUpdate) switchBilling(next *capacity) {
	s := u.s
	s.onDemand, next.onDemand = u.onDemand, u.onDemand
	s.billingShown, next.billingShown = true, true
	if u.onDemand {
		s.throughput.Units, next.throughput.Units = Units{}, Units{}
		s.throughput.decreases, s.throughput.decreased = s.throughput.decreasesOn(u.now), u.now
		next.onDemandSince = u.until
		return
	}
	s.throughput.Units, next.throughput.Units = u.Throughput, u.Throughput
	s.ceilings, next.ceilings = Units{}, Units{}
	for _, ix := range u.t.globals {
		ix.settings.ceilings = Units{}
	}
}

// switchStream turns the stream on or off. It shows at once. The last stream's
// label stays behind (streams.md §6).
func (u *tableUpdate) switchStream() {
	s := u.s
	if !u.Stream.Enabled {
		s.stream.view = ""
		u.t.log.close(u.now)
		u.t.log = nil
		return
	}
	s.stream = stream{view: strings.Clone(u.Stream.View), label: streamLabel(u.now, s.stream.label)}
	u.t.log = newChangeLog(u.t, u.now)
	u.t.region.streams.add(u.t.log)
}

// change returns the throughput as it is described on the way to new units,
// and afterwards.
func (p throughput) change(to Units, now, until time.Time) (during, after throughput) {
	during, after = p, p
	after.Units = to
	if to.Read > p.Read || to.Write > p.Write {
		during.increased, after.increased = now, until
	}
	if to.Read < p.Read || to.Write < p.Write {
		after.decreases = p.decreasesOn(now) + 1
		during.decreases = p.decreasesOn(now)
		during.decreased, after.decreased = now, until
	}
	return during, after
}

// amend makes the reply of what only the reply shows.
func (u *tableUpdate) amend(d *api.TableDescription) {
	if u.Billing != "" {
		// A switch to the present mode is accepted and does nothing.
		d.TableStatus = api.StatusUpdating
	}
	d.OnDemandThroughput = amendCeilings(d.OnDemandThroughput, u.Ceilings)
	for i := range d.GlobalSecondaryIndexes {
		x := &d.GlobalSecondaryIndexes[i]
		for j := range u.Indexes {
			if u.Indexes[j].Name == x.IndexName {
				x.OnDemandThroughput = amendCeilings(x.OnDemandThroughput, u.Indexes[j].Ceilings)
			}
		}
	}
}

// amendCeilings shows removed ceilings as -1.
func amendCeilings(d *api.OnDemandThroughput, sent api.OnDemandThroughput) *api.OnDemandThroughput {
	show := func(shown *api.Int, sent api.Int) {
		if sent.Set && sent.Value == -1 {
			*shown = sent
		}
	}
	var out api.OnDemandThroughput
	if d != nil {
		out = *d
	}
	show(&out.MaxReadRequestUnits, sent.MaxReadRequestUnits)
	show(&out.MaxWriteRequestUnits, sent.MaxWriteRequestUnits)
	if out == (api.OnDemandThroughput{}) {
		return nil
	}
	return &out
}

// mergeCeilings changes the ceilings that were sent. -1 removes one.
func mergeCeilings(u Units, sent api.OnDemandThroughput) Units {
	merge := func(old int64, sent api.Int) int64 {
		if !sent.Set {
			return old
		}
		return max(sent.Value, 0)
	}
	return Units{merge(u.Read, sent.MaxReadRequestUnits), merge(u.Write, sent.MaxWriteRequestUnits)}
}
