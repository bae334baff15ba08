package wire

import "github.com/dynalite-go/dynalite/api"

var provisionedOverride = newShape("ProvisionedThroughputOverride", []member[api.ProvisionedThroughputOverride]{
	long("ReadCapacityUnits",
		func(in *api.ProvisionedThroughputOverride) *api.Int { return &in.ReadCapacityUnits }, minValue(1)),
})

var onDemandOverride = newShape("OnDemandThroughputOverride", []member[api.OnDemandThroughputOverride]{
	long("MaxReadRequestUnits",
		func(in *api.OnDemandThroughputOverride) *api.Int { return &in.MaxReadRequestUnits }),
})

var replicaIndex = newShape("ReplicaGlobalSecondaryIndex", []member[api.ReplicaGlobalSecondaryIndex]{
	text("IndexName",
		func(in *api.ReplicaGlobalSecondaryIndex) *api.String { return &in.IndexName }, requiredName()...),
	structure("ProvisionedThroughputOverride", provisionedOverride,
		func(in *api.ReplicaGlobalSecondaryIndex) **api.ProvisionedThroughputOverride {
			return &in.ProvisionedThroughputOverride
		}),
	structure("OnDemandThroughputOverride", onDemandOverride,
		func(in *api.ReplicaGlobalSecondaryIndex) **api.OnDemandThroughputOverride {
			return &in.OnDemandThroughputOverride
		}),
})

var createReplica = newShape("CreateReplicationGroupMemberAction", []member[api.ReplicationGroupMember]{
	text("RegionName", func(in *api.ReplicationGroupMember) *api.String { return &in.RegionName }, required()),
	text("KMSMasterKeyId", func(in *api.ReplicationGroupMember) *api.String { return &in.KMSMasterKeyID }),
	structure("ProvisionedThroughputOverride", provisionedOverride,
		func(in *api.ReplicationGroupMember) **api.ProvisionedThroughputOverride {
			return &in.ProvisionedThroughputOverride
		}),
	structure("OnDemandThroughputOverride", onDemandOverride,
		func(in *api.ReplicationGroupMember) **api.OnDemandThroughputOverride {
			return &in.OnDemandThroughputOverride
		}),
	list("GlobalSecondaryIndexes", replicaIndex,
		func(in *api.ReplicationGroupMember) *[]api.ReplicaGlobalSecondaryIndex {
			return &in.GlobalSecondaryIndexes
		},
		minLength(1)),
	text("TableClassOverride",
		func(in *api.ReplicationGroupMember) *api.String { return &in.TableClassOverride }, classEnum()),
})

var updateReplica = newShape("UpdateReplicationGroupMemberAction", createReplica.members)

var deleteReplica = newShape("DeleteReplicationGroupMemberAction", []member[api.RegionAction]{
	text("RegionName", func(in *api.RegionAction) *api.String { return &in.RegionName }, required()),
})

var disassociateReplica = newShape("DisassociateReplicationGroupMemberAction", []member[api.DisassociateAction]{
	text("RegionName", func(in *api.DisassociateAction) *api.String { return &in.RegionName }, required()),
	text("DisassociationMode",
		func(in *api.DisassociateAction) *api.String { return &in.DisassociationMode },
		required(), oneOf("WAIT_FOR_REPLICATION")),
})

var replicaUpdate = newShape("ReplicationGroupUpdate", []member[api.ReplicationGroupUpdate]{
	structure("Create", createReplica,
		func(in *api.ReplicationGroupUpdate) **api.ReplicationGroupMember { return &in.Create }),
	structure("Update", updateReplica,
		func(in *api.ReplicationGroupUpdate) **api.ReplicationGroupMember { return &in.Update }),
	structure("Delete", deleteReplica,
		func(in *api.ReplicationGroupUpdate) **api.RegionAction { return &in.Delete }),
	structure("Disassociate", disassociateReplica,
		func(in *api.ReplicationGroupUpdate) **api.DisassociateAction { return &in.Disassociate }),
})

var createWitness = newShape("CreateGlobalTableWitnessGroupMemberAction", deleteReplica.members)

var deleteWitness = newShape("DeleteGlobalTableWitnessGroupMemberAction", deleteReplica.members)

var witnessUpdate = newShape("GlobalTableWitnessGroupUpdate", []member[api.GlobalTableWitnessGroupUpdate]{
	structure("Create", createWitness,
		func(in *api.GlobalTableWitnessGroupUpdate) **api.RegionAction { return &in.Create }),
	structure("Delete", deleteWitness,
		func(in *api.GlobalTableWitnessGroupUpdate) **api.RegionAction { return &in.Delete }),
})
