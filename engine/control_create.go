package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine/internal/store"
)

// CreateTable is CreateTable as a command. Key, definitions and indexes agree
// with each other; package request has seen to that.
type CreateTable struct {
	Table       string
	Key         KeySchema
	Definitions []KeyAttribute // of all key attributes, in the order sent
	Locals      []IndexSpec
	Globals     []IndexSpec
	OnDemand    bool
	Throughput  Units // zero on demand
	Ceilings    api.OnDemandThroughput
	Warm        api.WarmThroughput
	StreamView  string     // "": no stream
	Encryption  Encryption // zero: the service's own key
	Class       string     // "": not given
	Protected   bool
	Policy      string // ResourcePolicy
	Tags        []api.Tag
}

// CreateTable makes a table. The description it returns says CREATING; the
// next request finds the table ACTIVE, or Options.CreateDelay later.
//
// Errors: ResourceInUseException for a name in use, LimitExceededException for
// more capacity than an account may have.
func (r *Region) CreateTable(ctx context.Context, cmd *CreateTable) (*api.CreateTableOutput, error) {
	if err := r.checkCapacity(cmd); err != nil {
		return nil, err
	}
	for {
		if err := r.checkFree(cmd.Table); err != nil {
			return nil, err
		}
		now := r.now()
		t := r.makeTable(cmd, now)
		out := t.describe(now)
		for i := range out.GlobalSecondaryIndexes {
			// DescribeTable shows it from the start, this reply does not.
			out.GlobalSecondaryIndexes[i].WarmThroughput = nil
		}
		t.settle(now)
		if r.addTable(t) {
			return &api.CreateTableOutput{TableDescription: out}, nil
		}
	}
}

// checkCapacity refuses capacity above the quotas of an account.
func (r *Region) checkCapacity(cmd *CreateTable) *api.Error {
	if err := r.checkNewQuotas(cmd.Throughput, cmd.Ceilings, cmd.Warm, ""); err != nil {
		return err
	}
	for i := range cmd.Globals {
		x := &cmd.Globals[i]
		if err := r.checkNewQuotas(x.Throughput, x.Ceilings, x.Warm, x.Name); err != nil {
			return err
		}
	}
	return nil
}

// checkFree refuses a table name that is taken. A table that has been deleted
// is forgotten.
func (r *Region) checkFree(name string) *api.Error {
	r.mu.RLock()
	t := r.tables[name]
	r.mu.RUnlock()
	if t == nil {
		return nil
	}
	t.mu.RLock()
	now := r.now()
	gone := t.settings.gone(now)
	t.mu.RUnlock()
	if gone {
		r.forget(t)
		return nil
	}
	return api.ResourceInUse("Table already exists: " + name)
}

// makeTable makes a table that nobody else sees yet.
func (r *Region) makeTable(cmd *CreateTable, now time.Time) *Table {
	defs := make([]KeyAttribute, len(cmd.Definitions))
	for i, d := range cmd.Definitions {
		defs[i] = KeyAttribute{strings.Clone(d.Name), d.Type}
	}
	if len(cmd.Locals)+len(cmd.Globals) > 0 {
		// Tables with indexes show them sorted (api-surface §6.3).
		sortDefinitions(defs)
	}
	parts := r.partitions(cmd.OnDemand, cmd.Throughput)
	t := newTable(r, strings.Clone(cmd.Table), internKey(defs, cmd.Key), parts, len(cmd.Locals))
	t.settings = settings{
		id:          newUUID(),
		arn:         "arn:aws:dynamodb:" + r.name + ":" + r.account + ":table/" + t.name,
		created:     now,
		definitions: defs,
		status:      api.StatusCreating,
		until:       now.Add(r.engine.opts.CreateDelay),
		capacity: capacity{
			onDemand:     cmd.OnDemand,
			billingShown: cmd.OnDemand,
			throughput:   throughput{Units: cmd.Throughput},
			ceilings:     mergeCeilings(Units{}, cmd.Ceilings),
			class:        strings.Clone(cmd.Class),
		},
		encryption: encryption{key: r.keyARN(&cmd.Encryption)},
		protected:  cmd.Protected,
		policy:     strings.Clone(cmd.Policy),
		tags:       mergeTags(nil, cmd.Tags),
	}
	s := &t.settings
	if cmd.StreamView != "" {
		s.stream = stream{view: strings.Clone(cmd.StreamView), label: streamLabel(now, r.streams.latest(cmd.Table))}
		t.log = newChangeLog(t, now)
	}
	warm := warmUnits(cmd.Warm)
	s.warm.Units, s.warm.asked = s.comes().raise(warm), !warm.isZero()
	t.addLocals(cmd.Locals)
	for i := range cmd.Globals {
		ix := t.addGlobal(&cmd.Globals[i], cmd.OnDemand)
		ix.settings.status, ix.settings.until = s.status, s.until
	}
	t.indexesChanged()
	return t
}

// addTable enters a table into the catalog, and its stream into the region's:
// whoever sees one sees the other. It reports false when somebody else took the
// name.
func (r *Region) addTable(t *Table) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tables[t.name] != nil {
		return false
	}
	r.tables[t.name] = t
	if t.log != nil {
		r.streams.add(t.log)
	}
	return true
}

// forget takes a deleted table out of the catalog.
func (r *Region) forget(t *Table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tables[t.name] == t {
		delete(r.tables, t.name)
	}
}

// maxPartitions keeps a wild Options.Partitions from eating the memory.
const maxPartitions = 1024

// partitions is how many partitions a new table or global index has
// (limits.md §7.1).
func (r *Region) partitions(onDemand bool, u Units) int {
	if n := r.engine.opts.Partitions; n > 0 {
		return min(n, maxPartitions)
	}
	if onDemand {
		return 4
	}
	return int(max(1, min((u.Read+3*u.Write+2999)/3000, maxPartitions)))
}

// streamLabel names a stream by the time of the request that enabled it
// (streams.md §4). The streams of tables of one name have labels of their own,
// so one that follows within a millisecond gets a later time.
func streamLabel(now time.Time, last string) string {
	const form = "2006-01-02T15:04:05.000"
	label := now.UTC().Format(form)
	if label <= last {
		if at, err := time.Parse(form, last); err == nil {
			label = at.Add(time.Millisecond).Format(form)
		}
	}
	return label
}

// DeleteTable is DeleteTable as a command.
type DeleteTable struct {
	Table string
}

// DeleteTable deletes a table with its items, indexes and tags. With
// Options.CreateDelay it stays visible as DELETING for that time.
//
// Errors: ResourceNotFoundException; ResourceInUseException while the table or
// one of its indexes changes; ValidationException when it is protected.
func (r *Region) DeleteTable(ctx context.Context, cmd *DeleteTable) (*api.DeleteTableOutput, error) {
	t, now, err := r.open(cmd.Table)
	if err != nil {
		return nil, err
	}
	out, err := t.delete(now)
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if r.engine.opts.CreateDelay == 0 {
		r.forget(t)
	}
	return &api.DeleteTableOutput{TableDescription: out}, nil
}

// delete drops the data and leaves the description that DescribeTable shows
// while the table is DELETING. The caller holds mu for writing.
func (t *Table) delete(now time.Time) (*api.TableDescription, *api.Error) {
	if err := t.checkDelete(); err != nil {
		return nil, err
	}
	s := &t.settings
	s.status, s.until = api.StatusDeleting, now.Add(t.region.engine.opts.CreateDelay)
	out := t.describe(now)
	out.GlobalSecondaryIndexes = nil
	s.farewell = out
	if t.log != nil {
		t.log.close(now)
		t.log = nil
	}
	t.stopExpiring()
	t.globals = nil
	t.ring, t.parts = newPartitions(store.ClassBase, t.number, 1, len(t.locals))
	t.indexesChanged()
	return out, nil
}

func (t *Table) checkDelete() *api.Error {
	s := &t.settings
	if s.status == api.StatusCreating || s.status == api.StatusDeleting {
		return errTableBusy(t)
	}
	changing := s.dropped != nil || slices.ContainsFunc(t.globals, func(ix *index) bool { return ix.settings.status != "" })
	switch {
	case changing:
		return errInUse("Cannot delete table while indexes are being created, updated, or deleted.")
	case s.jobs.has(jobStream):
		return errInUse("Cannot delete table while stream is being enabled/disabled.")
	case s.status == api.StatusUpdating:
		return errInUse("Table is being updated: " + t.name)
	case s.protected:
		return api.Validation("Resource cannot be deleted as it is currently protected against deletion. " +
			"Disable deletion protection first.")
	}
	return nil
}
