package engine

import (
	"context"
	"slices"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// DescribeTable is DescribeTable as a command.
type DescribeTable struct {
	Table string
}

// DescribeTable tells all about a table, whatever its status. Counts and sizes
// are exact.
//
// Errors: ResourceNotFoundException.
func (r *Region) DescribeTable(ctx context.Context, cmd *DescribeTable) (*api.DescribeTableOutput, error) {
	t, now, err := r.look(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	return &api.DescribeTableOutput{Table: t.describe(now)}, nil
}

// now is the time by the engine's clock. It is never the zero time, which
// stands for "no end" in settings.
func (r *Region) now() time.Time {
	now := r.engine.clock.Now()
	if now.IsZero() {
		return now.Add(1)
	}
	return now
}

// open finds a table that is to be changed and locks it for writing. What is
// over is settled.
func (r *Region) open(name string) (*Table, time.Time, *api.Error) {
	r.mu.RLock()
	t := r.tables[name]
	r.mu.RUnlock()
	if t == nil {
		return nil, time.Time{}, api.TableNotFound(name)
	}
	t.mu.Lock()
	// The time is taken under the lock, so that it is not before the end of
	// what others did at once.
	now := r.now()
	if t.settings.gone(now) {
		t.mu.Unlock()
		r.forget(t)
		return nil, now, api.TableNotFound(name)
	}
	t.settle(now)
	return t, now, nil
}

// look finds a table that is to be described and locks it for reading. What is
// over is settled.
func (r *Region) look(name string) (*Table, time.Time, *api.Error) {
	for {
		r.mu.RLock()
		t := r.tables[name]
		r.mu.RUnlock()
		if t == nil {
			return nil, time.Time{}, api.TableNotFound(name)
		}
		t.mu.RLock()
		now := r.now()
		if !t.due(now) {
			t.expireDue()
			return t, now, nil
		}
		t.mu.RUnlock()
		// There is something to settle, which takes the other lock. The
		// table may be another one afterwards.
		t, _, err := r.open(name)
		if err != nil {
			return nil, now, err
		}
		t.mu.Unlock()
	}
}

// describe is the TableDescription of behaviours/02 §2.2 and api-surface §6.3.
// The caller holds mu or owns the table alone.
func (t *Table) describe(now time.Time) *api.TableDescription {
	s := &t.settings
	if s.farewell != nil {
		return s.farewell
	}
	d := &api.TableDescription{
		AttributeDefinitions:      describeDefinitions(s.definitions),
		TableName:                 t.name,
		KeySchema:                 describeKey(t.key),
		TableStatus:               statusOf(s.status),
		CreationDateTime:          s.created,
		ProvisionedThroughput:     s.throughput.describe(now),
		TableARN:                  s.arn,
		TableID:                   s.id,
		SSEDescription:            s.encryption.describe(),
		DeletionProtectionEnabled: s.protected,
		OnDemandThroughput:        describeCeilings(s.ceilings),
	}
	d.ItemCount, d.TableSizeBytes = t.itemTotals()
	if s.billingShown {
		d.BillingModeSummary = &api.BillingModeSummary{
			BillingMode:                       billingMode(s.onDemand),
			LastUpdateToPayPerRequestDateTime: s.onDemandSince,
		}
	}
	if s.class != "" {
		d.TableClassSummary = &api.TableClassSummary{TableClass: s.class, LastUpdateDateTime: s.classSince}
	}
	if s.status != api.StatusCreating || s.warm.asked {
		d.WarmThroughput = s.warm.describe(s.status)
	}
	if s.stream.label != "" {
		d.LatestStreamLabel = s.stream.label
		d.LatestStreamARN = s.arn + "/stream/" + s.stream.label
	}
	if s.stream.view != "" {
		d.StreamSpecification = &api.StreamSpecification{
			StreamEnabled:  api.SomeBool(true),
			StreamViewType: api.Some(s.stream.view),
		}
	}
	for _, ix := range t.locals {
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, t.describeLocal(ix))
	}
	for _, ix := range t.globals {
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, t.describeGlobal(ix, now))
	}
	if x := s.dropped; x != nil {
		d.GlobalSecondaryIndexes = slices.Insert(d.GlobalSecondaryIndexes,
			min(x.position, len(d.GlobalSecondaryIndexes)), x.description)
	}
	return d
}

func (t *Table) describeLocal(ix *index) api.LocalSecondaryIndexDescription {
	d := api.LocalSecondaryIndexDescription{
		IndexName:  ix.name,
		KeySchema:  describeKey(ix.key),
		Projection: ix.settings.describeProjection(),
		IndexARN:   t.indexARN(ix),
	}
	d.ItemCount, d.IndexSizeBytes = ix.totals(t.parts)
	return d
}

func (t *Table) describeGlobal(ix *index, now time.Time) api.GlobalSecondaryIndexDescription {
	x := &ix.settings
	d := api.GlobalSecondaryIndexDescription{
		IndexName:             ix.name,
		KeySchema:             describeKey(ix.key),
		Projection:            x.describeProjection(),
		IndexStatus:           statusOf(x.status),
		ProvisionedThroughput: x.throughput.describe(now),
		IndexARN:              t.indexARN(ix),
		OnDemandThroughput:    describeCeilings(x.ceilings),
	}
	if !x.backfillFrom.IsZero() {
		d.Backfilling = api.SomeBool(x.backfilling)
	}
	if x.status != api.StatusCreating {
		d.ItemCount, d.IndexSizeBytes = ix.totals(t.parts)
	}
	if x.status != api.StatusCreating || x.warm.asked {
		d.WarmThroughput = x.warm.describe(x.status)
	}
	return d
}

func (t *Table) indexARN(ix *index) string { return t.settings.arn + "/index/" + ix.name }

func (x *indexSettings) describeProjection() *api.Projection {
	p := &api.Projection{ProjectionType: api.Some(x.projection)}
	if len(x.nonKey) > 0 {
		p.NonKeyAttributes = x.nonKey
	}
	return p
}

func describeDefinitions(defs []KeyAttribute) []api.AttributeDefinition {
	out := make([]api.AttributeDefinition, len(defs))
	for i, k := range defs {
		out[i] = api.AttributeDefinition{AttributeName: api.Some(k.Name), AttributeType: api.Some(k.Type.String())}
	}
	return out
}

func describeKey(key KeySchema) []api.KeySchemaElement {
	out := make([]api.KeySchemaElement, 0, key.Len())
	for _, k := range key.Hash {
		out = append(out, api.KeySchemaElement{AttributeName: api.Some(k.Name), KeyType: api.Some(api.KeyHash)})
	}
	for _, k := range key.Range {
		out = append(out, api.KeySchemaElement{AttributeName: api.Some(k.Name), KeyType: api.Some(api.KeyRange)})
	}
	return out
}

func (p *throughput) describe(now time.Time) *api.ProvisionedThroughputDescription {
	return &api.ProvisionedThroughputDescription{
		LastIncreaseDateTime:   p.increased,
		LastDecreaseDateTime:   p.decreased,
		NumberOfDecreasesToday: p.decreasesOn(now),
		ReadCapacityUnits:      p.Read,
		WriteCapacityUnits:     p.Write,
	}
}

// decreasesOn is the number of decreases on the day of a time. Days are those
// of UTC.
func (p *throughput) decreasesOn(now time.Time) int64 {
	const day = 24 * time.Hour
	if now.UTC().Truncate(day).After(p.decreased.UTC().Truncate(day)) {
		return 0
	}
	return p.decreases
}

// describe shows a warm throughput. status is that of its table or index,
// whose creation it shares.
func (w *warmth) describe(status string) *api.WarmThroughputDescription {
	d := &api.WarmThroughputDescription{ReadUnitsPerSecond: w.Read, WriteUnitsPerSecond: w.Write, Status: api.StatusActive}
	if status == api.StatusCreating || !w.until.IsZero() {
		d.Status = api.StatusUpdating
	}
	return d
}

func describeCeilings(u Units) *api.OnDemandThroughput {
	if u.isZero() {
		return nil
	}
	some := func(n int64) api.Int { return api.Int{Value: n, Set: n != 0} }
	return &api.OnDemandThroughput{MaxReadRequestUnits: some(u.Read), MaxWriteRequestUnits: some(u.Write)}
}

func statusOf(status string) string {
	if status == "" {
		return api.StatusActive
	}
	return status
}

func billingMode(onDemand bool) string {
	if onDemand {
		return api.BillingPayPerRequest
	}
	return api.BillingProvisioned
}
