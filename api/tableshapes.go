package api

import "time"

// AttributeDefinition gives a key attribute its type, "S", "N" or "B".
type AttributeDefinition struct {
	AttributeName String
	AttributeType String
}

// KeySchemaElement is one attribute of a key schema.
type KeySchemaElement struct {
	AttributeName String
	KeyType       String
}

// Projection says which attributes an index carries.
type Projection struct {
	ProjectionType   String
	NonKeyAttributes []string
}

// ProvisionedThroughput is a table's or index's throughput in capacity units per second.
type ProvisionedThroughput struct {
	ReadCapacityUnits  Int
	WriteCapacityUnits Int
}

// OnDemandThroughput holds the ceilings of on-demand mode in request units per second; -1 removes one.
type OnDemandThroughput struct {
	MaxReadRequestUnits  Int
	MaxWriteRequestUnits Int
}

// WarmThroughput is the throughput a table can take at once, in units per second.
type WarmThroughput struct {
	ReadUnitsPerSecond  Int
	WriteUnitsPerSecond Int
}

// WarmThroughputDescription is WarmThroughput with its status, as described.
type WarmThroughputDescription struct {
	ReadUnitsPerSecond  int64
	WriteUnitsPerSecond int64
	Status              string
}

// LocalSecondaryIndex is the definition of a local index.
type LocalSecondaryIndex struct {
	IndexName  String
	KeySchema  []KeySchemaElement
	Projection *Projection
}

// GlobalSecondaryIndex is the definition of a global index; CreateGlobalSecondaryIndexAction has the same members.
type GlobalSecondaryIndex struct {
	IndexName             String
	KeySchema             []KeySchemaElement
	Projection            *Projection
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// GlobalSecondaryIndexUpdate is one element of UpdateTable's GlobalSecondaryIndexUpdates; one member is to be set.
type GlobalSecondaryIndexUpdate struct {
	Update *UpdateGlobalSecondaryIndexAction
	Create *GlobalSecondaryIndex
	Delete *DeleteIndexAction
}

// UpdateGlobalSecondaryIndexAction changes the throughput of a global index.
type UpdateGlobalSecondaryIndexAction struct {
	IndexName             String
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// DeleteIndexAction names a global or vector index to delete.
type DeleteIndexAction struct {
	IndexName String
}

// StreamSpecification switches a table's stream.
type StreamSpecification struct {
	StreamEnabled  Bool
	StreamViewType String
}

// SSESpecification chooses the encryption of a table.
type SSESpecification struct {
	Enabled        Bool
	SSEType        String
	KMSMasterKeyID String
}

// Tag is a label of a table.
type Tag struct {
	Key   String
	Value String
}

// VectorAttributeDefinition names the attribute that holds the vectors of an index.
type VectorAttributeDefinition struct {
	AttributeName String
}

// SearchSchemaElement is one attribute by which a vector index can be narrowed.
type SearchSchemaElement struct {
	AttributeName           String
	SearchSchemaElementType String
}

// VectorIndex is the definition of a vector index; CreateVectorIndexAction has the same members.
type VectorIndex struct {
	IndexName        String
	VectorAttribute  *VectorAttributeDefinition
	Projection       *Projection
	Dimensions       Int
	DistanceFunction String
	SearchSchema     []SearchSchemaElement
}

// VectorIndexUpdate is one element of UpdateTable's VectorIndexUpdates.
type VectorIndexUpdate struct {
	Create *VectorIndex
	Delete *DeleteIndexAction
}

// TableDescription is what the service tells of a table. Members that are zero (empty strings, nil pointers and
// lists, zero times) are left out, except ItemCount, TableSizeBytes and DeletionProtectionEnabled, which are always
// printed.
type TableDescription struct {
	AttributeDefinitions            []AttributeDefinition
	TableName                       string
	KeySchema                       []KeySchemaElement
	TableStatus                     string
	CreationDateTime                time.Time
	ProvisionedThroughput           *ProvisionedThroughputDescription
	TableSizeBytes                  int64
	ItemCount                       int64
	TableARN                        string
	TableID                         string
	BillingModeSummary              *BillingModeSummary
	LocalSecondaryIndexes           []LocalSecondaryIndexDescription
	GlobalSecondaryIndexes          []GlobalSecondaryIndexDescription
	StreamSpecification             *StreamSpecification
	LatestStreamLabel               string
	LatestStreamARN                 string
	GlobalTableVersion              string
	Replicas                        []ReplicaDescription
	GlobalTableWitnesses            []GlobalTableWitnessDescription
	GlobalTableSettingsReplication  string
	RestoreSummary                  *RestoreSummary
	SSEDescription                  *SSEDescription
	TableClassSummary               *TableClassSummary
	DeletionProtectionEnabled       bool
	OnDemandThroughput              *OnDemandThroughput
	WarmThroughput                  *WarmThroughputDescription
	MultiRegionConsistency          string
	VectorIndexes                   []VectorIndexDescription
	DisassociationProtectionEnabled Bool
}

// ProvisionedThroughputDescription is throughput in capacity units per second, with its history.
type ProvisionedThroughputDescription struct {
	LastIncreaseDateTime   time.Time
	LastDecreaseDateTime   time.Time
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

// BillingModeSummary tells the billing mode of a table.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime time.Time
}

// LocalSecondaryIndexDescription is what the service tells of a local index.
type LocalSecondaryIndexDescription struct {
	IndexName      string
	KeySchema      []KeySchemaElement
	Projection     *Projection
	IndexSizeBytes int64
	ItemCount      int64
	IndexARN       string
}

// GlobalSecondaryIndexDescription is what the service tells of a global index. Backfilling is set only while the
// index is being filled.
type GlobalSecondaryIndexDescription struct {
	IndexName             string
	KeySchema             []KeySchemaElement
	Projection            *Projection
	IndexStatus           string
	Backfilling           Bool
	ProvisionedThroughput *ProvisionedThroughputDescription
	IndexSizeBytes        int64
	ItemCount             int64
	IndexARN              string
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughputDescription
}

// VectorIndexDescription is what the service tells of a vector index.
type VectorIndexDescription struct {
	IndexName        string
	SearchSchema     []SearchSchemaElement
	Projection       *Projection
	VectorAttribute  *VectorAttributeDefinition
	Dimensions       int64
	DistanceFunction string
	IndexStatus      string
	Backfilling      Bool
	IndexSizeBytes   int64
	ItemCount        int64
	IndexARN         string
}

// SSEDescription tells the encryption of a table.
type SSEDescription struct {
	Status                     string
	SSEType                    string
	KMSMasterKeyARN            string
	InaccessibleEncryptionTime time.Time
}

// TableClassSummary tells the table class, once one was set.
type TableClassSummary struct {
	TableClass         string
	LastUpdateDateTime time.Time
}

// RestoreSummary tells from where a table is being restored.
type RestoreSummary struct {
	SourceBackupARN   string
	SourceTableARN    string
	RestoreDateTime   time.Time
	RestoreInProgress bool
}
