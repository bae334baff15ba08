package engine

import (
	"context"
	"slices"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/expr"
)

// ActionKind says what an action of a transaction does.
type ActionKind uint8

// The actions of TransactWriteItems.
const (
	ActionCheck ActionKind = iota
	ActionPut
	ActionDelete
	ActionUpdate
)

// TransactAction is one action of a transaction.
type TransactAction struct {
	Kind            ActionKind
	Table           string
	Item            *attr.Item // the item of a put, else the key
	Update          *expr.Update
	Condition       *expr.Predicate
	ReturnOnFailure bool
}

// TransactWrite is TransactWriteItems as a command.
type TransactWrite struct {
	Actions []TransactAction
	// Token is the ClientRequestToken, empty for none. Digest tells two
	// requests under one token apart.
	Token    string
	Digest   [32]byte
	Capacity api.CapacityMode
	Metrics  bool
}

// TransactGet is TransactGetItems as a command.
type TransactGet struct {
	Items    []TransactGetItem
	Capacity api.CapacityMode
}

// TransactGetItem is one read of a transaction.
type TransactGetItem struct {
	Table      string
	Key        *attr.Item
	Projection *expr.Projection
}

var errSameItem = api.Validation("Transaction request cannot include multiple operations on one item")

// TransactWrite applies all actions or none of them (behaviours/08 §8.3 to
// §8.5).
func (r *Region) TransactWrite(ctx context.Context, cmd *TransactWrite) (*api.TransactWriteItemsOutput, error) {
	if cmd.Token == "" {
		out, _, err := r.transactWrite(cmd)
		return out, orNil(err)
	}
	clock := r.engine.clock
	replay, err := r.tokens.begin(cmd.Token, cmd.Digest, clock.Now())
	if err != nil {
		return nil, err
	}
	if replay != nil {
		return replayed(cmd, replay), nil
	}
	var units []replayUnits
	var out *api.TransactWriteItemsOutput
	defer func() { r.tokens.end(cmd.Token, out != nil, units, clock.Now()) }()
	out, units, err = r.transactWrite(cmd)
	return out, orNil(err)
}

// orNil keeps a nil *api.Error from becoming an error that is not nil.
func orNil(err *api.Error) error {
	if err == nil {
		return nil
	}
	return err
}

// replayed answers a transaction that was done before: nothing is applied, and
// it costs reads (behaviours/07 §7.8).
func replayed(cmd *TransactWrite, entry *tokenEntry) *api.TransactWriteItemsOutput {
	out := &api.TransactWriteItemsOutput{}
	if cmd.Capacity == api.CapacityNone {
		return out
	}
	for _, u := range entry.replay {
		used := usage{table: u.units}
		out.ConsumedCapacity = append(out.ConsumedCapacity, *used.transactional(u.table, cmd.Capacity, false))
	}
	return out
}

// transaction is a TransactWrite or TransactGet under way: for each action its
// table and key.
type transaction struct {
	tables []*Table
	keys   []primaryKey
	parts  []*store.Partition // of the keys, distinct, in lock order
}

func (r *Region) transactWrite(cmd *TransactWrite) (*api.TransactWriteItemsOutput, []replayUnits, *api.Error) {
	tables, unlock, err := r.lockTables(func(yield func(string) bool) {
		for i := range cmd.Actions {
			if !yield(cmd.Actions[i].Table) {
				return
			}
		}
	})
	defer unlock()
	if err != nil {
		return nil, nil, err
	}
	tx := &transaction{tables: tables, keys: make([]primaryKey, len(tables))}
	faults := make([]*keyFault, len(tables))
	for i := range cmd.Actions {
		tx.keys[i], faults[i] = tables[i].keyOfAction(&cmd.Actions[i])
	}
	if err := tx.check(faults); err != nil {
		return nil, nil, err
	}
	changes, err := tx.run(cmd)
	if err != nil {
		return nil, nil, err
	}
	out, units := tx.report(cmd, changes)
	return out, units, nil
}

// keyOfAction finds the item of an action and checks what can be known without
// reading it.
func (t *Table) keyOfAction(a *TransactAction) (primaryKey, *keyFault) {
	if a.Kind == ActionPut {
		key, fault := t.keyOfItem(a.Item)
		if fault == nil {
			fault = t.checkIndexKeys(a.Item)
		}
		return key, t.faultOfCondition(a, fault)
	}
	key, fault := t.keyOfKey(a.Item)
	if fault == nil {
		if err := t.checkUpdate(a.Update); err != nil {
			fault = &keyFault{err: err}
		}
	}
	return key, t.faultOfCondition(a, fault)
}

// faultOfCondition is the given fault, or else that of the action's condition.
func (t *Table) faultOfCondition(a *TransactAction, fault *keyFault) *keyFault {
	if fault != nil {
		return fault
	}
	if err := t.checkCondition(a.Condition); err != nil {
		return &keyFault{err: err, topLevel: true}
	}
	return nil
}

// check answers what was found about the keys: an error that no transaction
// hides, then repeated items, then the first fault as a reason to cancel. The
// other actions read None.
func (tx *transaction) check(faults []*keyFault) *api.Error {
	for _, f := range faults {
		if f != nil && f.topLevel {
			return f.err
		}
	}
	type item struct {
		table *Table
		pk    string
		sk    string
	}
	seen := make(map[item]struct{}, len(tx.keys))
	for i, key := range tx.keys {
		if faults[i] != nil {
			continue
		}
		it := item{tx.tables[i], key.pk, key.sk}
		if _, repeated := seen[it]; repeated {
			return errSameItem
		}
		seen[it] = struct{}{}
	}
	for i, f := range faults {
		if f != nil {
			reasons := noReasons(len(faults))
			reasons[i] = api.CancellationReason{Code: api.ReasonValidationError, Message: f.err.Message}
			return api.TransactionCanceled(reasons)
		}
	}
	return nil
}

func noReasons(n int) []api.CancellationReason {
	reasons := make([]api.CancellationReason, n)
	for i := range reasons {
		reasons[i].Code = api.ReasonNone
	}
	return reasons
}

// locate finds the partitions and puts them in lock order.
func (tx *transaction) locate() []*store.Partition {
	owners := make([]*store.Partition, len(tx.keys))
	type place struct {
		table uint64
		part  *store.Partition
	}
	places := make([]place, len(tx.keys))
	for i, t := range tx.tables {
		owners[i] = t.partition(tx.keys[i].pos)
		places[i] = place{t.number, owners[i]}
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.table != b.table:
			return compare(a.table, b.table)
		default:
			return compare(a.part.Range.First, b.part.Range.First)
		}
	})
	for i, p := range places {
		if i == 0 || p.part != places[i-1].part {
			tx.parts = append(tx.parts, p.part)
		}
	}
	return owners
}

func compare[T ~uint64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// run evaluates all actions with every partition locked, and applies them when
// none has a reason against it.
func (tx *transaction) run(cmd *TransactWrite) ([]change, *api.Error) {
	owners := tx.locate()
	for _, p := range tx.parts {
		p.Lock()
	}
	defer func() {
		for _, p := range tx.parts {
			p.Unlock()
		}
	}()
	changes := make([]change, len(cmd.Actions))
	reasons := noReasons(len(cmd.Actions))
	failed, invalid := false, false
	for i := range cmd.Actions {
		a, c := &cmd.Actions[i], &changes[i]
		c.key, c.part = tx.keys[i], owners[i]
		c.old = findRow(c.part, c.key)
		if a.Condition != nil && !a.Condition.Eval(itemOf(c.old)) {
			failed = true
			reasons[i] = api.CancellationReason{Code: api.ReasonConditionalCheckFailed, Message: "The conditional request failed"}
			if a.ReturnOnFailure {
				reasons[i].Item = itemOf(c.old)
			}
			continue
		}
		if invalid {
			continue // of several updates that fail only the first is named
		}
		if reason := tx.tables[i].planAction(a, c); reason != nil {
			failed, invalid = true, true
			reasons[i] = *reason
		}
	}
	if failed {
		return nil, api.TransactionCanceled(reasons)
	}
	for i := range changes {
		if cmd.Actions[i].Kind != ActionCheck {
			tx.tables[i].commit(&changes[i])
		}
	}
	return changes, nil
}

// planAction works out the new row of an action whose condition holds. It
// returns the reason when it can't.
func (t *Table) planAction(a *TransactAction, c *change) *api.CancellationReason {
	switch a.Kind {
	case ActionCheck:
		c.new = c.old
		return nil
	case ActionPut:
		t.plan(c, a.Item)
	case ActionUpdate:
		item, err := t.updated(itemOf(c.old), a.Item, a.Update)
		if err != nil {
			return &api.CancellationReason{Code: api.ReasonValidationError, Message: err.Message}
		}
		t.plan(c, item)
	}
	if err := t.checkCollection(c); err != nil {
		return &api.CancellationReason{Code: api.ReasonItemCollectionSizeLimitExceeded, Message: err.Message}
	}
	return nil
}

// report is the reply of a transaction that was applied, and what a replay of
// it will cost.
func (tx *transaction) report(cmd *TransactWrite, changes []change) (*api.TransactWriteItemsOutput, []replayUnits) {
	out := &api.TransactWriteItemsOutput{}
	var replay []replayUnits
	for _, t := range inOrder(tx.tables) {
		var used usage
		var metrics []api.ItemCollectionMetrics
		units := 0.0
		for i := range changes {
			if tx.tables[i] != t {
				continue
			}
			c := &changes[i]
			if cmd.Capacity != api.CapacityNone {
				t.chargeWrite(&used, c, 2)
			}
			units += 2 * readUnits(max(itemOf(c.old).Size(), itemOf(c.new).Size()))
			if cmd.Actions[i].Kind == ActionCheck {
				continue
			}
			if m := t.collectionMetrics(cmd.Metrics, c); m != nil {
				metrics = append(metrics, *m)
			}
		}
		replay = append(replay, replayUnits{t.name, units})
		if c := used.transactional(t.name, cmd.Capacity, true); c != nil {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
		}
		if metrics != nil {
			out.ItemCollectionMetrics = append(out.ItemCollectionMetrics, api.TableMetrics{Table: t.name, Metrics: metrics})
		}
	}
	return out, replay
}

// inOrder returns the tables without repeats, in order of first appearance.
func inOrder(tables []*Table) []*Table {
	var out []*Table
	for _, t := range tables {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// TransactGet reads up to 100 items as of one moment (behaviours/08 §8.6).
func (r *Region) TransactGet(ctx context.Context, cmd *TransactGet) (*api.TransactGetItemsOutput, error) {
	tables, unlock, err := r.lockTables(func(yield func(string) bool) {
		for i := range cmd.Items {
			if !yield(cmd.Items[i].Table) {
				return
			}
		}
	})
	defer unlock()
	if err != nil {
		return nil, err
	}
	tx := &transaction{tables: tables, keys: make([]primaryKey, len(tables))}
	faults := make([]*keyFault, len(tables))
	for i := range cmd.Items {
		tx.keys[i], faults[i] = tables[i].keyOfKey(cmd.Items[i].Key)
		if faults[i] == nil {
			if err := tables[i].checkProjection(cmd.Items[i].Projection); err != nil {
				faults[i] = &keyFault{err: err, topLevel: true}
			}
		}
	}
	if err := tx.check(faults); err != nil {
		return nil, err
	}
	items := tx.snapshot()
	out := &api.TransactGetItemsOutput{Responses: make([]api.View, len(items))}
	for i, item := range items {
		if item != nil {
			out.Responses[i] = view(item, cmd.Items[i].Projection)
		}
	}
	if cmd.Capacity != api.CapacityNone {
		for _, t := range inOrder(tables) {
			var used usage
			for i, item := range items {
				if tables[i] == t {
					used.table += 2 * readUnits(item.Size())
				}
			}
			out.ConsumedCapacity = append(out.ConsumedCapacity, *used.transactional(t.name, cmd.Capacity, false))
		}
	}
	return out, nil
}

// snapshot reads the items with every partition locked.
func (tx *transaction) snapshot() []*attr.Item {
	owners := tx.locate()
	for _, p := range tx.parts {
		p.RLock()
	}
	items := make([]*attr.Item, len(owners))
	for i, p := range owners {
		items[i] = itemOf(findRow(p, tx.keys[i]))
	}
	for _, p := range tx.parts {
		p.RUnlock()
	}
	return items
}
