package wire

import "github.com/dynalite-go/dynalite/api"

// createTable requires what the model made optional for copies of a global table: without GlobalTableSourceArn the
// service still reports the two as missing (api-surface §4.3).
var createTable = newShape("CreateTableInput", []member[api.CreateTableInput]{
	text("TableName", func(in *api.CreateTableInput) *api.String { return &in.TableName }, newTable()...),
	list("AttributeDefinitions", attributeDefinition,
		func(in *api.CreateTableInput) *[]api.AttributeDefinition { return &in.AttributeDefinitions }, required()),
	list("KeySchema", keySchemaElement,
		func(in *api.CreateTableInput) *[]api.KeySchemaElement { return &in.KeySchema },
		required(), minLength(1), maxLength(2)),
	list("LocalSecondaryIndexes", localIndex,
		func(in *api.CreateTableInput) *[]api.LocalSecondaryIndex { return &in.LocalSecondaryIndexes }),
	list("GlobalSecondaryIndexes", globalIndex,
		func(in *api.CreateTableInput) *[]api.GlobalSecondaryIndex { return &in.GlobalSecondaryIndexes }),
	text("BillingMode", func(in *api.CreateTableInput) *api.String { return &in.BillingMode }, billingEnum()),
	structure("ProvisionedThroughput", provisionedThroughput,
		func(in *api.CreateTableInput) **api.ProvisionedThroughput { return &in.ProvisionedThroughput }),
	structure("StreamSpecification", streamSpecification,
		func(in *api.CreateTableInput) **api.StreamSpecification { return &in.StreamSpecification }),
	structure("SSESpecification", sseSpecification,
		func(in *api.CreateTableInput) **api.SSESpecification { return &in.SSESpecification }),
	list("Tags", tag, func(in *api.CreateTableInput) *[]api.Tag { return &in.Tags }),
	text("TableClass", func(in *api.CreateTableInput) *api.String { return &in.TableClass }, classEnum()),
	flag("DeletionProtectionEnabled",
		func(in *api.CreateTableInput) *api.Bool { return &in.DeletionProtectionEnabled }),
	structure("WarmThroughput", warmThroughput,
		func(in *api.CreateTableInput) **api.WarmThroughput { return &in.WarmThroughput }),
	text("ResourcePolicy", func(in *api.CreateTableInput) *api.String { return &in.ResourcePolicy }),
	structure("OnDemandThroughput", onDemandThroughput,
		func(in *api.CreateTableInput) **api.OnDemandThroughput { return &in.OnDemandThroughput }),
	text("GlobalTableSourceArn",
		func(in *api.CreateTableInput) *api.String { return &in.GlobalTableSourceARN }, minLength(1), maxLength(1024)),
	text("GlobalTableSettingsReplicationMode",
		func(in *api.CreateTableInput) *api.String { return &in.GlobalTableSettingsReplicationMode }, replicationEnum()),
	list("VectorIndexes", vectorIndex,
		func(in *api.CreateTableInput) *[]api.VectorIndex { return &in.VectorIndexes }),
},
	"AttributeDefinitions", "TableName", "BillingMode", "ProvisionedThroughput", "KeySchema",
	"GlobalSecondaryIndexes", "LocalSecondaryIndexes")

var updateTable = newShape("UpdateTableInput", []member[api.UpdateTableInput]{
	text("TableName", func(in *api.UpdateTableInput) *api.String { return &in.TableName }, controlTable()...),
	list("AttributeDefinitions", attributeDefinition,
		func(in *api.UpdateTableInput) *[]api.AttributeDefinition { return &in.AttributeDefinitions }),
	text("BillingMode", func(in *api.UpdateTableInput) *api.String { return &in.BillingMode }, billingEnum()),
	structure("ProvisionedThroughput", provisionedThroughput,
		func(in *api.UpdateTableInput) **api.ProvisionedThroughput { return &in.ProvisionedThroughput }),
	list("GlobalSecondaryIndexUpdates", globalIndexUpdate,
		func(in *api.UpdateTableInput) *[]api.GlobalSecondaryIndexUpdate {
			return &in.GlobalSecondaryIndexUpdates
		}),
	structure("StreamSpecification", streamSpecification,
		func(in *api.UpdateTableInput) **api.StreamSpecification { return &in.StreamSpecification }),
	structure("SSESpecification", sseSpecification,
		func(in *api.UpdateTableInput) **api.SSESpecification { return &in.SSESpecification }),
	list("ReplicaUpdates", replicaUpdate,
		func(in *api.UpdateTableInput) *[]api.ReplicationGroupUpdate { return &in.ReplicaUpdates }, minLength(1)),
	text("TableClass", func(in *api.UpdateTableInput) *api.String { return &in.TableClass }, classEnum()),
	flag("DeletionProtectionEnabled",
		func(in *api.UpdateTableInput) *api.Bool { return &in.DeletionProtectionEnabled }),
	text("MultiRegionConsistency",
		func(in *api.UpdateTableInput) *api.String { return &in.MultiRegionConsistency }, oneOf("EVENTUAL", "STRONG")),
	list("GlobalTableWitnessUpdates", witnessUpdate,
		func(in *api.UpdateTableInput) *[]api.GlobalTableWitnessGroupUpdate {
			return &in.GlobalTableWitnessUpdates
		},
		minLength(1), maxLength(1)),
	structure("OnDemandThroughput", onDemandThroughput,
		func(in *api.UpdateTableInput) **api.OnDemandThroughput { return &in.OnDemandThroughput }),
	structure("WarmThroughput", warmThroughput,
		func(in *api.UpdateTableInput) **api.WarmThroughput { return &in.WarmThroughput }),
	text("GlobalTableSettingsReplicationMode",
		func(in *api.UpdateTableInput) *api.String { return &in.GlobalTableSettingsReplicationMode }, replicationEnum()),
	list("VectorIndexUpdates", vectorIndexUpdate,
		func(in *api.UpdateTableInput) *[]api.VectorIndexUpdate { return &in.VectorIndexUpdates }),
	flag("DisassociationProtectionEnabled",
		func(in *api.UpdateTableInput) *api.Bool { return &in.DisassociationProtectionEnabled }),
},
	"TableName", "ProvisionedThroughput", "BillingMode", "GlobalSecondaryIndexUpdates")

var describeTable = newShape("DescribeTableInput", []member[api.DescribeTableInput]{
	text("TableName", func(in *api.DescribeTableInput) *api.String { return &in.TableName }, controlTable()...),
})

var deleteTable = newShape("DeleteTableInput", []member[api.DeleteTableInput]{
	text("TableName", func(in *api.DeleteTableInput) *api.String { return &in.TableName }, controlTable()...),
})

var listTables = newShape("ListTablesInput", []member[api.ListTablesInput]{
	text("ExclusiveStartTableName",
		func(in *api.ListTablesInput) *api.String { return &in.ExclusiveStartTableName }, resourceName()...),
	integer("Limit",
		func(in *api.ListTablesInput) *api.Int { return &in.Limit }, minValue(1), maxValue(api.MaxTablesPage)),
},
	"Limit", "ExclusiveStartTableName")

var describeLimits = newShape("DescribeLimitsInput", []member[api.DescribeLimitsInput]{})

var describeEndpoints = newShape("DescribeEndpointsRequest", []member[api.DescribeEndpointsInput]{})

// DecodeCreateTable reads the body of a CreateTable request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeCreateTable(text string, in *api.CreateTableInput) error {
	return decodeBody(text, createTable, in)
}

// CheckCreateTable returns the member constraints that a CreateTable request breaks.
func CheckCreateTable(in *api.CreateTableInput) []api.Violation { return checkInput(createTable, in) }

// DecodeUpdateTable reads the body of an UpdateTable request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeUpdateTable(text string, in *api.UpdateTableInput) error {
	return decodeBody(text, updateTable, in)
}

// CheckUpdateTable returns the member constraints that an UpdateTable request breaks.
func CheckUpdateTable(in *api.UpdateTableInput) []api.Violation { return checkInput(updateTable, in) }

// DecodeDescribeTable reads the body of a DescribeTable request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeTable(text string, in *api.DescribeTableInput) error {
	return decodeBody(text, describeTable, in)
}

// CheckDescribeTable returns the member constraints that a DescribeTable request breaks.
func CheckDescribeTable(in *api.DescribeTableInput) []api.Violation {
	return checkInput(describeTable, in)
}

// DecodeDeleteTable reads the body of a DeleteTable request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDeleteTable(text string, in *api.DeleteTableInput) error {
	return decodeBody(text, deleteTable, in)
}

// CheckDeleteTable returns the member constraints that a DeleteTable request breaks.
func CheckDeleteTable(in *api.DeleteTableInput) []api.Violation { return checkInput(deleteTable, in) }

// DecodeListTables reads the body of a ListTables request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeListTables(text string, in *api.ListTablesInput) error {
	return decodeBody(text, listTables, in)
}

// CheckListTables returns the member constraints that a ListTables request breaks.
func CheckListTables(in *api.ListTablesInput) []api.Violation { return checkInput(listTables, in) }

// DecodeDescribeLimits reads the body of a DescribeLimits request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeLimits(text string, in *api.DescribeLimitsInput) error {
	return decodeBody(text, describeLimits, in)
}

// CheckDescribeLimits returns the member constraints that a DescribeLimits request breaks.
func CheckDescribeLimits(in *api.DescribeLimitsInput) []api.Violation {
	return checkInput(describeLimits, in)
}

// DecodeDescribeEndpoints reads the body of a DescribeEndpoints request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeEndpoints(text string, in *api.DescribeEndpointsInput) error {
	return decodeBody(text, describeEndpoints, in)
}

// CheckDescribeEndpoints returns the member constraints that a DescribeEndpoints request breaks.
func CheckDescribeEndpoints(in *api.DescribeEndpointsInput) []api.Violation {
	return checkInput(describeEndpoints, in)
}
