package request

import (
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// UpdateTable compiles an UpdateTable. It makes the checks of behaviours/02
// §2.4, step 3, and refuses the combinations of api-surface §6.2.
func (c *Compiler) UpdateTable(in *api.UpdateTableInput, s Scope) (*engine.UpdateTable, error) {
	table, err := s.Table("UpdateTable", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	u := tableUpdate{UpdateTableInput: in, defs: newDefinitions(in.AttributeDefinitions)}
	for _, check := range []func() *api.Error{
		u.checkSupported,
		u.checkBilling,
		u.checkSomething,
		u.checkEmptyList,
		u.checkAlone,
		u.checkCombination,
		u.checkStream,
		u.checkIndexUpdates,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	cmd, err := u.command(table)
	if err != nil {
		return nil, err
	}
	return cmd, nil
}

// tableUpdate is an UpdateTable under way.
type tableUpdate struct {
	*api.UpdateTableInput
	defs definitions
}

// ceilings and warm report whether the changes were sent. Structures without
// members count as absent, as they do for the service beside other members.
func (u *tableUpdate) ceilings() bool {
	return orZero(u.OnDemandThroughput) != api.OnDemandThroughput{}
}
func (u *tableUpdate) warm() bool { return orZero(u.WarmThroughput) != api.WarmThroughput{} }

func (u *tableUpdate) checkSupported() *api.Error {
	switch {
	case len(u.ReplicaUpdates) > 0:
		return errUnsupported("Global tables")
	case len(u.VectorIndexUpdates) > 0:
		return errUnsupported("Vector indexes")
	}
	return nil
}

func (u *tableUpdate) checkBilling() *api.Error {
	if u.BillingMode.Value == api.BillingPayPerRequest && u.ProvisionedThroughput != nil {
		return api.Validation(invalidParameter + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	}
	return checkBounds(u.ProvisionedThroughput)
}

// checkSomething refuses a request that changes nothing. Its text lists what
// could be changed, but for listed members that were sent and do not count.
func (u *tableUpdate) checkSomething() *api.Error {
	if u.ProvisionedThroughput != nil || u.BillingMode.Set || u.StreamSpecification != nil ||
		len(u.GlobalSecondaryIndexUpdates) > 0 || u.SSESpecification != nil || u.DeletionProtectionEnabled.Set ||
		u.ceilings() || u.warm() || u.TableClass.Set {
		return nil
	}
	members := []string{
		"ProvisionedThroughput", "BillingMode", "UpdateStreamEnabled", "GlobalSecondaryIndexUpdates", "SSESpecification",
		"ReplicaUpdates", "MultiAccountReplicaReady", "ReplicaTransitRoleArn", "MultiRegionConsistency",
		"DeletionProtectionEnabled", "OnDemandThroughput", "WarmThroughput",
	}
	if u.MultiRegionConsistency.Set {
		members = slices.DeleteFunc(members, func(m string) bool { return m == "MultiRegionConsistency" })
	}
	return api.Validation("At least one of " + strings.Join(members, ", ") + " or TableClass is required")
}

// checkEmptyList: an empty list counts as absent while it is alone, and is an
// error beside a change.
func (u *tableUpdate) checkEmptyList() *api.Error {
	if u.GlobalSecondaryIndexUpdates != nil && len(u.GlobalSecondaryIndexUpdates) == 0 {
		return api.Validation(invalidParameter + "List of GlobalSecondaryIndexUpdates is empty")
	}
	return nil
}

// checkAlone refuses changes that must be alone beside any other. The order
// says which one is named when there are several.
func (u *tableUpdate) checkAlone() *api.Error {
	changes := 0
	for _, sent := range []bool{
		u.ProvisionedThroughput != nil || u.BillingMode.Set,
		u.GlobalSecondaryIndexUpdates != nil,
		u.StreamSpecification != nil,
		u.SSESpecification != nil,
		u.TableClass.Set,
		u.DeletionProtectionEnabled.Set,
		u.ceilings(),
		u.warm(),
	} {
		if sent {
			changes++
		}
	}
	switch {
	case changes < 2:
		return nil
	case u.SSESpecification != nil:
		return errAlone("Server-Side Encryption modification")
	case u.TableClass.Set:
		return errAlone("TableClass modification")
	case u.DeletionProtectionEnabled.Set:
		return errAlone("DeletionProtection modification")
	case u.warm() && u.createsIndex():
		return api.Validation(invalidParameter + "Create global secondary index cannot be specified when updating WarmThroughput")
	case u.warm() && (changes > 2 || !u.ceilings()):
		return errAlone("WarmThroughput")
	}
	return nil
}

func errAlone(what string) *api.Error {
	return api.Validation(invalidParameter + what + " must be the only operation in the request")
}

// changesIndexes reports whether an index is to be created or deleted.
func (u *tableUpdate) changesIndexes() bool {
	return slices.ContainsFunc(u.GlobalSecondaryIndexUpdates, func(x api.GlobalSecondaryIndexUpdate) bool {
		return x.Create != nil || x.Delete != nil
	})
}

func (u *tableUpdate) createsIndex() bool {
	return slices.ContainsFunc(u.GlobalSecondaryIndexUpdates, func(x api.GlobalSecondaryIndexUpdate) bool {
		return x.Create != nil
	})
}

// checkCombination refuses other pairs of changes.
func (u *tableUpdate) checkCombination() *api.Error {
	throughput := u.ProvisionedThroughput != nil || u.BillingMode.Value == api.BillingProvisioned
	stream := u.StreamSpecification != nil
	switch {
	case u.ceilings() && (stream || u.warm() || u.ProvisionedThroughput != nil || u.GlobalSecondaryIndexUpdates != nil):
		return api.Validation(invalidParameter + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
	case stream && throughput:
		return api.Validation(invalidParameter + "You cannot modify stream status while updating table IOPS")
	case u.changesIndexes() && u.ProvisionedThroughput != nil:
		return api.Validation(invalidParameter + "You cannot create or delete index while updating table IOPS")
	case u.changesIndexes() && stream:
		return api.Validation(invalidParameter + "You cannot create or delete index while changing stream status")
	case u.BillingMode.Value == api.BillingProvisioned && u.ProvisionedThroughput == nil:
		return api.Validation(invalidParameter + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	return nil
}

func (u *tableUpdate) checkStream() *api.Error {
	spec := u.StreamSpecification
	if spec == nil {
		return nil
	}
	switch on, view := spec.StreamEnabled.Value, spec.StreamViewType.Set; {
	case on && !view:
		return api.Validation(invalidParameter + "If stream is being enabled then UpdateViewType is required")
	case !on && view:
		return api.Validation(invalidParameter + "If stream is being disabled, then UpdateViewType must not be specified")
	}
	return nil
}

// checkIndexUpdates checks each element of GlobalSecondaryIndexUpdates by
// itself, and that they are about different indexes.
func (u *tableUpdate) checkIndexUpdates() *api.Error {
	named := make(map[string]bool, len(u.GlobalSecondaryIndexUpdates))
	for i := range u.GlobalSecondaryIndexUpdates {
		x := &u.GlobalSecondaryIndexUpdates[i]
		name, actions := actionsOf(x)
		switch {
		case actions == 0:
			return api.Validation(invalidParameter + "One of GlobalSecondaryIndexUpdate.Update, " +
				"GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		case actions > 1:
			return api.Validation(invalidParameter + "Only one global secondary index action is allowed per " +
				"GlobalSecondaryIndexUpdate object")
		case named[name]:
			return api.Validation(invalidParameter + "Only one global secondary index update per index is allowed " +
				"simultaneously. Index: " + name)
		}
		named[name] = true
	}
	for i := range u.GlobalSecondaryIndexUpdates {
		x := &u.GlobalSecondaryIndexUpdates[i]
		if err := u.checkNewIndex(x.Create); err != nil {
			return err
		}
		if a := x.Update; a != nil && a.WarmThroughput != nil && *a.WarmThroughput == (api.WarmThroughput{}) {
			return api.Validation(invalidParameter + "WarmThroughput must have at least one of ReadUnitsPerSecond or " +
				"WriteUnitsPerSecond specified for index: " + a.IndexName.Value)
		}
	}
	return nil
}

// actionsOf is the index that an element is about, and how many actions it
// holds.
func actionsOf(x *api.GlobalSecondaryIndexUpdate) (name string, actions int) {
	if x.Delete != nil {
		name, actions = x.Delete.IndexName.Value, actions+1
	}
	if x.Create != nil {
		name, actions = x.Create.IndexName.Value, actions+1
	}
	if x.Update != nil {
		name, actions = x.Update.IndexName.Value, actions+1
	}
	return name, actions
}

// checkNewIndex checks key and projection of an index to be created. The
// request must define all its key attributes, even those that the table knows.
func (u *tableUpdate) checkNewIndex(x *api.GlobalSecondaryIndex) *api.Error {
	if x == nil {
		return nil
	}
	if err := u.defs.defines(x.KeySchema); err != nil {
		return err
	}
	if err := checkGlobalKey(x.KeySchema); err != nil {
		return err
	}
	return checkProjection(x.Projection)
}

// command is the command of an input that passed all checks but that of its
// encryption.
func (u *tableUpdate) command(table string) (*engine.UpdateTable, *api.Error) {
	cmd := &engine.UpdateTable{
		Table:      table,
		Billing:    u.BillingMode.Value,
		Throughput: units(u.ProvisionedThroughput),
		Ceilings:   orZero(u.OnDemandThroughput),
		Warm:       orZero(u.WarmThroughput),
		Class:      u.TableClass.Value,
		Protected:  u.DeletionProtectionEnabled,
	}
	if spec := u.StreamSpecification; spec != nil {
		cmd.Stream = &engine.StreamUpdate{Enabled: spec.StreamEnabled.Value, View: spec.StreamViewType.Value}
	}
	if u.SSESpecification != nil {
		e, err := encryption(u.SSESpecification)
		if err != nil {
			return nil, err
		}
		cmd.Encryption = &e
	}
	for i := range u.GlobalSecondaryIndexUpdates {
		cmd.Indexes = append(cmd.Indexes, u.indexUpdate(&u.GlobalSecondaryIndexUpdates[i]))
	}
	return cmd, nil
}

func (u *tableUpdate) indexUpdate(x *api.GlobalSecondaryIndexUpdate) engine.IndexUpdate {
	name, _ := actionsOf(x)
	out := engine.IndexUpdate{Name: name}
	switch {
	case x.Create != nil:
		spec := u.defs.globalSpec(x.Create)
		out.Create = &spec
	case x.Delete != nil:
		out.Delete = true
	case x.Update != nil:
		out.Throughput = units(x.Update.ProvisionedThroughput)
		out.Ceilings = orZero(x.Update.OnDemandThroughput)
		out.Warm = orZero(x.Update.WarmThroughput)
	}
	return out
}
