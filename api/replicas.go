package api

import "time"

// ProvisionedThroughputOverride is the read throughput of a replica.
type ProvisionedThroughputOverride struct {
	ReadCapacityUnits Int
}

// OnDemandThroughputOverride is the read ceiling of a replica.
type OnDemandThroughputOverride struct {
	MaxReadRequestUnits Int
}

// ReplicaGlobalSecondaryIndex overrides settings of an index on a replica.
type ReplicaGlobalSecondaryIndex struct {
	IndexName                     String
	ProvisionedThroughputOverride *ProvisionedThroughputOverride
	OnDemandThroughputOverride    *OnDemandThroughputOverride
}

// ReplicationGroupMember holds the members of the Create and Update actions of a replica.
type ReplicationGroupMember struct {
	RegionName                    String
	KMSMasterKeyID                String
	ProvisionedThroughputOverride *ProvisionedThroughputOverride
	OnDemandThroughputOverride    *OnDemandThroughputOverride
	GlobalSecondaryIndexes        []ReplicaGlobalSecondaryIndex
	TableClassOverride            String
}

// RegionAction names the region of a replica or witness to create or delete.
type RegionAction struct {
	RegionName String
}

// DisassociateAction makes a replica a table of its own.
type DisassociateAction struct {
	RegionName         String
	DisassociationMode String
}

// ReplicationGroupUpdate is one element of UpdateTable's ReplicaUpdates.
type ReplicationGroupUpdate struct {
	Create       *ReplicationGroupMember
	Update       *ReplicationGroupMember
	Delete       *RegionAction
	Disassociate *DisassociateAction
}

// GlobalTableWitnessGroupUpdate is the element of UpdateTable's GlobalTableWitnessUpdates.
type GlobalTableWitnessGroupUpdate struct {
	Create *RegionAction
	Delete *RegionAction
}

// ReplicaDescription is what the service tells of a replica.
type ReplicaDescription struct {
	RegionName                    string
	ReplicaStatus                 string
	ReplicaARN                    string
	ReplicaStatusDescription      string
	ReplicaStatusPercentProgress  string
	KMSMasterKeyID                string
	ProvisionedThroughputOverride *ProvisionedThroughputOverride
	OnDemandThroughputOverride    *OnDemandThroughputOverride
	WarmThroughput                *WarmThroughputDescription
	GlobalSecondaryIndexes        []ReplicaGlobalSecondaryIndexDescription
	ReplicaInaccessibleDateTime   time.Time
	ReplicaTableClassSummary      *TableClassSummary
	SettingsReplicationMode       string
}

// ReplicaGlobalSecondaryIndexDescription is what the service tells of an index on a replica.
type ReplicaGlobalSecondaryIndexDescription struct {
	IndexName                     string
	ProvisionedThroughputOverride *ProvisionedThroughputOverride
	OnDemandThroughputOverride    *OnDemandThroughputOverride
	WarmThroughput                *WarmThroughputDescription
}

// GlobalTableWitnessDescription is what the service tells of a witness.
type GlobalTableWitnessDescription struct {
	RegionName    string
	WitnessStatus string
}
