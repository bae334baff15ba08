package engine

import "github.com/dynalite-go/dynalite/api"

// errInUse is a ResourceInUseException with the usual prefix.
func errInUse(detail string) *api.Error {
	return api.ResourceInUse("Attempt to change a resource which is still in use: " + detail)
}

// errTableBusy is the error for a table that is being created or deleted.
func errTableBusy(t *Table) *api.Error {
	what := "created"
	if t.settings.status == api.StatusDeleting {
		what = "deleted"
	}
	return errInUse("Table is being " + what + ": " + t.name)
}

// errIndexBusy is the error for an index that is being changed. The two spaces
// are the service's.
func errIndexBusy(t *Table, what, index string) *api.Error {
	return errInUse("Index is being " + what + ".  Table: " + t.name + " Index: " + index)
}

// checkConflicts refuses what cannot be changed while another change is under
// way. There is one sentence for each pair (api-surface §6.1, measured in
// October 2026). Encryption, deletion protection and warm throughput get along
// with everything, so do changes of different indexes.
func (u *tableUpdate) checkConflicts() *api.Error {
	if u.Encryption != nil && !u.s.encryption.until.IsZero() {
		return errInUse("Server-Side Encryption is still being updated")
	}
	if u.s.jobs == 0 {
		return nil
	}
	if u.switching || !u.Throughput.isZero() || u.Billing != "" && u.s.jobs.has(jobBilling) {
		return u.conflictOfThroughput()
	}
	if u.Stream != nil {
		return u.conflictOfStream()
	}
	if u.Class != "" {
		return u.conflictOfClass()
	}
	if firstCeiling(u.Ceilings) != "" {
		return u.conflictOfCeilings()
	}
	for i := range u.Indexes {
		if x := &u.Indexes[i]; x.Create != nil || x.Delete {
			return u.conflictOfIndex()
		}
	}
	return nil
}

func (u *tableUpdate) conflictOfThroughput() *api.Error {
	j := u.s.jobs
	switch {
	case j.has(jobThroughput | jobBilling):
		return errInUse("Table is being updated: " + u.t.name)
	case j.has(jobStream):
		return errInUse("Can't change table IOPS when stream status is being updated. " + u.streamDetail())
	case j.has(jobClass):
		return errInUse("Can't change table IOPS when a table class update is in progress. " + u.classDetail())
	case j.has(jobIndexCreate):
		return errInUse("Can't change table IOPS when an index is being created. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	case j.has(jobIndexDelete):
		if name := u.s.dropped.description.IndexName; u.names(name) {
			return errIndexBusy(u.t, "deleted", name)
		}
		return errInUse("Can't change table IOPS when an index is being deleted. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	}
	return nil
}

func (u *tableUpdate) conflictOfStream() *api.Error {
	j := u.s.jobs
	switch {
	case j.has(jobThroughput | jobBilling):
		return errInUse("Can't enable or disable stream while table IOPS are being updated. Table: " + u.t.name)
	case j.has(jobStream):
		return errInUse("A stream status change is currently in progress. " + u.streamDetail())
	case j.has(jobClass):
		return errInUse("Can't enable or disable stream when a table class update is in progress. " + u.classDetail())
	case j.has(jobIndexCreate):
		return errInUse("Can't change stream status when an index is being created. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	case j.has(jobIndexDelete):
		return errInUse("Can't change stream status when an index is being deleted. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	}
	return nil
}

func (u *tableUpdate) conflictOfClass() *api.Error {
	j := u.s.jobs
	switch {
	case j.has(jobThroughput | jobBilling):
		return errInUse("Can't update table class while table IOPS are being updated. Table: " + u.t.name)
	case j.has(jobStream):
		return errInUse("Can't update table class when stream status is being updated. " + u.streamDetail())
	case j.has(jobClass):
		return errInUse("Can't update table class when a table class update is in progress. " + u.classDetail())
	case j.has(jobIndexCreate):
		return errInUse("Can't update table class when an index is being created. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	case j.has(jobIndexDelete):
		return errInUse("Can't update table class when an index is being deleted. Table: " + u.t.name + " Indexes: " + u.busyIndexes())
	}
	return nil
}

func (u *tableUpdate) conflictOfCeilings() *api.Error {
	const prefix = "OnDemandThroughput cannot be updated while "
	j := u.s.jobs
	switch {
	case j.has(jobThroughput | jobBilling):
		return errInUse(prefix + "BillingMode update is in progress")
	case j.has(jobStream):
		return errInUse(prefix + "stream status update is in progress")
	case j.has(jobClass):
		return errInUse(prefix + "TableClass update is in progress")
	case j.has(jobIndexCreate):
		return errInUse(prefix + "index creation is in progress for indexes: " + u.busyIndexes())
	case j.has(jobIndexDelete):
		return errInUse(prefix + "index deletion is in progress for indexes: " + u.busyIndexes())
	}
	return nil
}

func (u *tableUpdate) conflictOfIndex() *api.Error {
	j := u.s.jobs
	switch {
	case j.has(jobThroughput | jobBilling):
		return errInUse("Can't create or delete indexes while table IOPS are being updated. Table: " + u.t.name)
	case j.has(jobStream):
		return errInUse("Can't create or delete an index when stream status is being updated. " + u.streamDetail())
	case j.has(jobClass):
		return errInUse("Can't create or delete an index when a table class update is in progress. " + u.classDetail())
	}
	return nil // other indexes are checkIndexes' business
}

func (u *tableUpdate) streamDetail() string {
	operation := "DISABLE"
	if u.s.next.stream.view != "" {
		operation = "ENABLE"
	}
	return "Table: " + u.t.name + " Stream: " + u.s.next.stream.label + " Operation: " + operation
}

func (u *tableUpdate) classDetail() string {
	return "Table: " + u.t.name + " TableClassUpdateInProgress: " + u.s.next.class
}

// busyIndexes lists the index that is being created or deleted.
func (u *tableUpdate) busyIndexes() string {
	if x := u.s.dropped; x != nil {
		return "[" + x.description.IndexName + "]"
	}
	for _, ix := range u.t.globals {
		if ix.settings.status == api.StatusCreating {
			return "[" + ix.name + "]"
		}
	}
	return "[]"
}

// names reports whether an index is among those to be changed.
func (u *tableUpdate) names(index string) bool {
	for i := range u.Indexes {
		if u.Indexes[i].Name == index {
			return true
		}
	}
	return false
}
