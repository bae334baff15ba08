package api

// CreateTableInput is the request of CreateTable.
type CreateTableInput struct {
	TableName                          String
	AttributeDefinitions               []AttributeDefinition
	KeySchema                          []KeySchemaElement
	LocalSecondaryIndexes              []LocalSecondaryIndex
	GlobalSecondaryIndexes             []GlobalSecondaryIndex
	BillingMode                        String
	ProvisionedThroughput              *ProvisionedThroughput
	StreamSpecification                *StreamSpecification
	SSESpecification                   *SSESpecification
	Tags                               []Tag
	TableClass                         String
	DeletionProtectionEnabled          Bool
	WarmThroughput                     *WarmThroughput
	ResourcePolicy                     String
	OnDemandThroughput                 *OnDemandThroughput
	GlobalTableSourceARN               String
	GlobalTableSettingsReplicationMode String
	VectorIndexes                      []VectorIndex
}

// CreateTableOutput is the reply of CreateTable.
type CreateTableOutput struct {
	TableDescription *TableDescription
}

// DescribeTableInput is the request of DescribeTable.
type DescribeTableInput struct {
	TableName String
}

// DescribeTableOutput is the reply of DescribeTable.
type DescribeTableOutput struct {
	Table *TableDescription
}

// UpdateTableInput is the request of UpdateTable.
type UpdateTableInput struct {
	TableName                          String
	AttributeDefinitions               []AttributeDefinition
	BillingMode                        String
	ProvisionedThroughput              *ProvisionedThroughput
	GlobalSecondaryIndexUpdates        []GlobalSecondaryIndexUpdate
	StreamSpecification                *StreamSpecification
	SSESpecification                   *SSESpecification
	ReplicaUpdates                     []ReplicationGroupUpdate
	TableClass                         String
	DeletionProtectionEnabled          Bool
	MultiRegionConsistency             String
	GlobalTableWitnessUpdates          []GlobalTableWitnessGroupUpdate
	OnDemandThroughput                 *OnDemandThroughput
	WarmThroughput                     *WarmThroughput
	GlobalTableSettingsReplicationMode String
	VectorIndexUpdates                 []VectorIndexUpdate
	DisassociationProtectionEnabled    Bool
}

// UpdateTableOutput is the reply of UpdateTable.
type UpdateTableOutput struct {
	TableDescription *TableDescription
}

// DeleteTableInput is the request of DeleteTable.
type DeleteTableInput struct {
	TableName String
}

// DeleteTableOutput is the reply of DeleteTable.
type DeleteTableOutput struct {
	TableDescription *TableDescription
}

// ListTablesInput is the request of ListTables.
type ListTablesInput struct {
	ExclusiveStartTableName String
	Limit                   Int
}

// ListTablesOutput is the reply of ListTables. LastEvaluatedTableName is empty on the last page.
type ListTablesOutput struct {
	TableNames             []string
	LastEvaluatedTableName string
}

// DescribeLimitsInput is the request of DescribeLimits, which has no members.
type DescribeLimitsInput struct{}

// DescribeLimitsOutput is the reply of DescribeLimits, in capacity units per second.
type DescribeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

// DescribeEndpointsInput is the request of DescribeEndpoints, which has no members.
type DescribeEndpointsInput struct{}

// Endpoint is a host, without scheme, and how long it may be remembered, in minutes.
type Endpoint struct {
	Address              string
	CachePeriodInMinutes int64
}

// DescribeEndpointsOutput is the reply of DescribeEndpoints.
type DescribeEndpointsOutput struct {
	Endpoints []Endpoint
}

// TimeToLiveSpecification switches time to live on an attribute.
type TimeToLiveSpecification struct {
	Enabled       Bool
	AttributeName String
}

// UpdateTimeToLiveInput is the request of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName               String
	TimeToLiveSpecification *TimeToLiveSpecification
}

// UpdateTimeToLiveOutput is the reply of UpdateTimeToLive; it echoes the request.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}

// DescribeTimeToLiveInput is the request of DescribeTimeToLive.
type DescribeTimeToLiveInput struct {
	TableName String
}

// TimeToLiveDescription tells the state of time to live. AttributeName is empty when it is off.
type TimeToLiveDescription struct {
	TimeToLiveStatus string
	AttributeName    string
}

// DescribeTimeToLiveOutput is the reply of DescribeTimeToLive.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription TimeToLiveDescription
}

// TagResourceInput is the request of TagResource. Its reply is an empty body.
type TagResourceInput struct {
	ResourceARN String
	Tags        []Tag
}

// TagResourceOutput is the reply of TagResource, an empty body.
type TagResourceOutput struct{}

// UntagResourceInput is the request of UntagResource.
type UntagResourceInput struct {
	ResourceARN String
	TagKeys     []string
}

// UntagResourceOutput is the reply of UntagResource, an empty body.
type UntagResourceOutput struct{}

// ListTagsOfResourceInput is the request of ListTagsOfResource.
type ListTagsOfResourceInput struct {
	ResourceARN String
	NextToken   String
}

// ListTagsOfResourceOutput is the reply of ListTagsOfResource. Tags is printed even when empty.
type ListTagsOfResourceOutput struct {
	Tags      []Tag
	NextToken string
}
