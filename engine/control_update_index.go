package engine

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// checkIndexes checks the changes of global secondary indexes, each by itself
// and all together.
func (u *tableUpdate) checkIndexes() *api.Error {
	structural := 0
	for i := range u.Indexes {
		if x := &u.Indexes[i]; x.Create != nil || x.Delete {
			structural++
		}
	}
	if structural > 1 {
		return errOneIndex
	}
	for i := range u.Indexes {
		if x := &u.Indexes[i]; x.Throughput.Read > maxUnits || x.Throughput.Write > maxUnits {
			return errIndexBlocked
		}
	}
	for i := range u.Indexes {
		x := &u.Indexes[i]
		var err *api.Error
		switch {
		case x.Create != nil:
			err = u.checkIndexCreate(x)
		case x.Delete:
			err = u.checkIndexDelete(x)
		default:
			err = u.checkIndexChange(x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxUnits bounds throughput before any quota is looked at.
const maxUnits = 1_000_000_000_000

var (
	errOneIndex = api.LimitExceeded("Subscriber limit exceeded: " +
		"Only 1 online index can be created or deleted simultaneously per table")
	errIndexBlocked = api.Validation("This operation cannot be performed with given input values. " +
		"Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
)

// indexBusy reports whether an index is being created or deleted.
func (t *Table) indexBusy() bool {
	if t.settings.dropped != nil {
		return true
	}
	for _, ix := range t.globals {
		if ix.settings.status == api.StatusCreating {
			return true
		}
	}
	return false
}

func (u *tableUpdate) checkIndexCreate(x *IndexUpdate) *api.Error {
	t := u.t
	switch {
	case t.settings.dropped != nil && t.settings.dropped.description.IndexName == x.Name:
		return errIndexBusy(t, "deleted", x.Name)
	case t.index(x.Name) != nil:
		return api.Validation("Attempting to create an index which already exists")
	case t.indexBusy():
		return errOneIndex
	case len(t.globals) >= api.MaxGlobalIndexes:
		return api.LimitExceeded("Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20")
	case u.onDemand && !x.Create.Throughput.isZero():
		return api.Validation(invalidParameter + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
			x.Name + " when BillingMode is PAY_PER_REQUEST")
	case !u.onDemand && x.Create.Throughput.isZero():
		return errIndexUnits(x.Name)
	}
	if err := u.checkNewIndexUnits(x.Create); err != nil {
		return err
	}
	return t.checkRedefined(x.Create.Key)
}

func errIndexUnits(name string) *api.Error {
	return api.Validation(invalidParameter + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + name)
}

// checkNewIndexUnits holds the on-demand and warm throughput of a new index to
// what its billing mode allows.
func (u *tableUpdate) checkNewIndexUnits(x *IndexSpec) *api.Error {
	r := u.t.region
	if member := firstCeiling(x.Ceilings); member != "" && !u.onDemand {
		return errIndexCeilings(member, x.Name)
	}
	if err := CheckNewCeilings(x.Ceilings, "index : "+x.Name); err != nil {
		return err
	}
	if err := CheckNewWarm(x.Warm, x.Throughput, u.onDemand, "index "+x.Name); err != nil {
		return err
	}
	return r.checkNewQuotas(x.Throughput, x.Ceilings, x.Warm, x.Name)
}

func errIndexCeilings(member, name string) *api.Error {
	return api.Validation(invalidParameter + member + " for OnDemandThroughput for index : " + name +
		" cannot be specified when the table BillingMode is PROVISIONED")
}

// checkRedefined refuses a new index whose key gives an attribute another type
// than an existing key.
func (t *Table) checkRedefined(key KeySchema) *api.Error {
	clash := func(old KeySchema) bool {
		for k := range old.all {
			for n := range key.all {
				if k.Name == n.Name && k.Type != n.Type {
					return true
				}
			}
		}
		return false
	}
	keys := []KeySchema{t.key}
	for _, ix := range t.locals {
		keys = append(keys, ix.key)
	}
	for _, ix := range t.globals {
		keys = append(keys, ix.key)
	}
	for _, old := range keys {
		if clash(old) {
			return api.Validation(invalidParameter + "Attributes cannot be redefined. " +
				"Please check that your attribute has the same type as previously defined. " +
				"Existing schema: " + schemaText(old) + " New schema: " + schemaText(key))
		}
	}
	return nil
}

// schemaText is the schema as the service prints it.
func schemaText(s KeySchema) string {
	var parts []string
	add := func(keys []KeyAttribute, kind string) {
		for _, k := range keys {
			parts = append(parts, "SchemaElement: key{"+k.Name+":"+k.Type.String()+":"+kind+"}")
		}
	}
	add(s.Hash, api.KeyHash)
	add(s.Range, api.KeyRange)
	return "Schema:[" + strings.Join(parts, ", ") + "]"
}

func (u *tableUpdate) checkIndexDelete(x *IndexUpdate) *api.Error {
	ix, err := u.globalIndex(x.Name, "delete")
	if err != nil {
		return err
	}
	switch st := &ix.settings; {
	case st.status == api.StatusCreating && !st.backfilling:
		return errInUse("Index creation is in resource allocation phase. Retry deletion during backfilling phase or when " +
			"the index is active. Table: " + u.t.name + " Index: " + x.Name)
	case st.status == api.StatusUpdating:
		return errIndexBusy(u.t, "updated", x.Name)
	case st.status != api.StatusCreating && u.t.indexBusy():
		return errOneIndex
	}
	return nil
}

// globalIndex finds the index of an update. verb is for the error.
func (u *tableUpdate) globalIndex(name, verb string) (*index, *api.Error) {
	if x := u.s.dropped; x != nil && x.description.IndexName == name {
		return nil, errIndexBusy(u.t, "deleted", name)
	}
	ix := u.t.index(name)
	if ix == nil {
		return nil, api.ResourceNotFound("Requested resource not found: Index " + name + " for table " + u.t.name)
	}
	if !ix.global() {
		return nil, api.Validation("Cannot " + verb + " an index that is not a GlobalSecondaryIndex: " + name)
	}
	return ix, nil
}

func (u *tableUpdate) checkIndexChange(x *IndexUpdate) *api.Error {
	ix, err := u.globalIndex(x.Name, "update")
	if err != nil {
		return err
	}
	switch st := &ix.settings; {
	case st.status == api.StatusCreating && !st.backfilling:
		return errInUse("Index is being created but is not backfilling yet.  Table: " + u.t.name + " Index: " + x.Name)
	case st.status == api.StatusCreating:
		return errIndexBusy(u.t, "created", x.Name)
	case st.status == api.StatusUpdating:
		return errIndexBusy(u.t, "updated", x.Name)
	}
	member := firstCeiling(x.Ceilings)
	warm := x.Warm != (api.WarmThroughput{})
	switch {
	case u.onDemand && (!x.Throughput.isZero() || member == "" && !warm):
		return api.Validation(invalidParameter + "The only Updates for index: " + x.Name +
			" when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput")
	case !u.onDemand && member != "":
		return errIndexCeilings(member, x.Name)
	case !u.onDemand && x.Throughput.isZero() && !warm:
		return errIndexUnits(x.Name)
	}
	return u.t.region.checkSentCeilings(x.Ceilings, "index : "+x.Name)
}

// applyIndexes creates, deletes and changes indexes.
func (u *tableUpdate) applyIndexes() {
	if u.switching {
		for _, ix := range u.t.globals {
			u.switchIndex(ix)
		}
	}
	for i := range u.Indexes {
		x := &u.Indexes[i]
		switch ix := u.t.index(x.Name); {
		case x.Create != nil:
			u.createIndex(x.Create)
		case x.Delete:
			u.deleteIndex(ix)
		default:
			u.changeIndex(ix, x)
		}
	}
}

// createIndex adds an index and fills it at once. That it takes time is only
// told.
func (u *tableUpdate) createIndex(spec *IndexSpec) {
	t := u.t
	t.define(spec.Key)
	ix := t.addGlobal(spec, u.onDemand)
	ix.settings.status = api.StatusCreating
	ix.settings.backfillFrom = u.until
	ix.settings.until = u.until.Add(t.region.engine.opts.CreateDelay)
	t.indexesChanged()
	t.backfill(ix)
	u.during(jobIndexCreate)
}

// deleteIndex takes an index away from reads and writes and keeps its
// description for as long as it is DELETING.
func (u *tableUpdate) deleteIndex(ix *index) {
	t := u.t
	description := t.describeGlobal(ix, u.now)
	description.IndexStatus = api.StatusDeleting
	description.Backfilling = api.Bool{}
	for i, g := range t.globals {
		if g == ix {
			u.s.dropped = &droppedIndex{i, description}
			t.globals = append(t.globals[:i:i], t.globals[i+1:]...)
			break
		}
	}
	t.indexesChanged()
	u.during(jobIndexDelete)
}

// during adds a job that does not touch the table's capacity.
func (u *tableUpdate) during(j jobs) {
	next := u.s.capacity
	if u.s.status == api.StatusUpdating {
		next = u.s.next
	}
	u.s.begin(j, next, u.until)
}

// changeIndex changes throughput. The index is UPDATING meanwhile, the table
// is not.
func (u *tableUpdate) changeIndex(ix *index, x *IndexUpdate) {
	st := &ix.settings
	st.warm.begin(x.Warm, u.until)
	st.ceilings = mergeCeilings(st.ceilings, x.Ceilings)
	if x.Throughput.isZero() && firstCeiling(x.Ceilings) == "" || u.switching {
		return
	}
	st.status, st.until = api.StatusUpdating, u.until
	st.next, st.raise = st.throughput, x.Throughput
	if !x.Throughput.isZero() {
		st.throughput, st.next = st.throughput.change(x.Throughput, u.now, u.until)
	}
}

// switchIndex changes an index together with its table's billing mode.
func (u *tableUpdate) switchIndex(ix *index) {
	st := &ix.settings
	to, raise := Units{}, warmDefault
	for i := range u.Indexes {
		if u.Indexes[i].Name == ix.name && !u.onDemand {
			to = u.Indexes[i].Throughput
			raise = to
		}
	}
	st.throughput.Units = to
	st.next = st.throughput
	if u.onDemand {
		// The table counts no decrease for this, its indexes do.
		st.next.decreases, st.next.decreased = st.throughput.decreasesOn(u.now)+1, u.until
	}
	st.raise = raise
	if st.status == "" {
		st.status, st.until = api.StatusUpdating, u.until
	}
}
