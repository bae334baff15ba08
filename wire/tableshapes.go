package wire

import "github.com/dynalite-go/dynalite/api"

var attributeDefinition = newShape("AttributeDefinition", []member[api.AttributeDefinition]{
	text("AttributeName",
		func(in *api.AttributeDefinition) *api.String { return &in.AttributeName },
		required(), minLength(1), maxBytes(api.MaxKeyNameBytes)),
	text("AttributeType",
		func(in *api.AttributeDefinition) *api.String { return &in.AttributeType }, required(), oneOf("B", "N", "S")),
})

var keySchemaElement = newShape("KeySchemaElement", []member[api.KeySchemaElement]{
	text("AttributeName",
		func(in *api.KeySchemaElement) *api.String { return &in.AttributeName },
		required(), minLength(1), maxBytes(api.MaxKeyNameBytes)),
	text("KeyType",
		func(in *api.KeySchemaElement) *api.String { return &in.KeyType }, required(), oneOf("HASH", "RANGE")),
})

var projection = newShape("Projection", []member[api.Projection]{
	text("ProjectionType",
		func(in *api.Projection) *api.String { return &in.ProjectionType }, oneOf("ALL", "INCLUDE", "KEYS_ONLY")),
	texts("NonKeyAttributes",
		func(in *api.Projection) *[]string { return &in.NonKeyAttributes },
		minLength(1), maxLength(api.MaxNonKeyAttributes), eachLength(1, api.MaxKeyNameBytes)),
})

var provisionedThroughput = newShape("ProvisionedThroughput", []member[api.ProvisionedThroughput]{
	long("ReadCapacityUnits",
		func(in *api.ProvisionedThroughput) *api.Int { return &in.ReadCapacityUnits }, required(), minValue(1)),
	long("WriteCapacityUnits",
		func(in *api.ProvisionedThroughput) *api.Int { return &in.WriteCapacityUnits }, required(), minValue(1)),
},
	"WriteCapacityUnits", "ReadCapacityUnits")

var onDemandThroughput = newShape("OnDemandThroughput", []member[api.OnDemandThroughput]{
	long("MaxReadRequestUnits", func(in *api.OnDemandThroughput) *api.Int { return &in.MaxReadRequestUnits }),
	long("MaxWriteRequestUnits", func(in *api.OnDemandThroughput) *api.Int { return &in.MaxWriteRequestUnits }),
})

var warmThroughput = newShape("WarmThroughput", []member[api.WarmThroughput]{
	long("ReadUnitsPerSecond", func(in *api.WarmThroughput) *api.Int { return &in.ReadUnitsPerSecond }),
	long("WriteUnitsPerSecond", func(in *api.WarmThroughput) *api.Int { return &in.WriteUnitsPerSecond }),
})

var localIndex = newShape("LocalSecondaryIndex", []member[api.LocalSecondaryIndex]{
	text("IndexName", func(in *api.LocalSecondaryIndex) *api.String { return &in.IndexName }, requiredName()...),
	list("KeySchema", keySchemaElement,
		func(in *api.LocalSecondaryIndex) *[]api.KeySchemaElement { return &in.KeySchema },
		required(), minLength(1), maxLength(2)),
	structure("Projection", projection,
		func(in *api.LocalSecondaryIndex) **api.Projection { return &in.Projection }, required()),
})

// globalIndex may have up to four HASH and four RANGE elements, so its key schema has no greatest length here.
var globalIndex = newShape("GlobalSecondaryIndex", []member[api.GlobalSecondaryIndex]{
	text("IndexName", func(in *api.GlobalSecondaryIndex) *api.String { return &in.IndexName }, requiredName()...),
	list("KeySchema", keySchemaElement,
		func(in *api.GlobalSecondaryIndex) *[]api.KeySchemaElement { return &in.KeySchema }, required(), minLength(1)),
	structure("Projection", projection,
		func(in *api.GlobalSecondaryIndex) **api.Projection { return &in.Projection }, required()),
	structure("ProvisionedThroughput", provisionedThroughput,
		func(in *api.GlobalSecondaryIndex) **api.ProvisionedThroughput { return &in.ProvisionedThroughput }),
	structure("OnDemandThroughput", onDemandThroughput,
		func(in *api.GlobalSecondaryIndex) **api.OnDemandThroughput { return &in.OnDemandThroughput }),
	structure("WarmThroughput", warmThroughput,
		func(in *api.GlobalSecondaryIndex) **api.WarmThroughput { return &in.WarmThroughput }),
})

var createGlobalIndex = newShape("CreateGlobalSecondaryIndexAction", globalIndex.members)

var updateGlobalIndex = newShape("UpdateGlobalSecondaryIndexAction", []member[api.UpdateGlobalSecondaryIndexAction]{
	text("IndexName",
		func(in *api.UpdateGlobalSecondaryIndexAction) *api.String { return &in.IndexName }, requiredName()...),
	structure("ProvisionedThroughput", provisionedThroughput,
		func(in *api.UpdateGlobalSecondaryIndexAction) **api.ProvisionedThroughput {
			return &in.ProvisionedThroughput
		}),
	structure("OnDemandThroughput", onDemandThroughput,
		func(in *api.UpdateGlobalSecondaryIndexAction) **api.OnDemandThroughput { return &in.OnDemandThroughput }),
	structure("WarmThroughput", warmThroughput,
		func(in *api.UpdateGlobalSecondaryIndexAction) **api.WarmThroughput { return &in.WarmThroughput }),
})

var deleteGlobalIndex = newShape("DeleteGlobalSecondaryIndexAction", []member[api.DeleteIndexAction]{
	text("IndexName", func(in *api.DeleteIndexAction) *api.String { return &in.IndexName }, requiredName()...),
})

var globalIndexUpdate = newShape("GlobalSecondaryIndexUpdate", []member[api.GlobalSecondaryIndexUpdate]{
	structure("Update", updateGlobalIndex,
		func(in *api.GlobalSecondaryIndexUpdate) **api.UpdateGlobalSecondaryIndexAction { return &in.Update }),
	structure("Create", createGlobalIndex,
		func(in *api.GlobalSecondaryIndexUpdate) **api.GlobalSecondaryIndex { return &in.Create }),
	structure("Delete", deleteGlobalIndex,
		func(in *api.GlobalSecondaryIndexUpdate) **api.DeleteIndexAction { return &in.Delete }),
})

var streamSpecification = newShape("StreamSpecification", []member[api.StreamSpecification]{
	flag("StreamEnabled", func(in *api.StreamSpecification) *api.Bool { return &in.StreamEnabled }, required()),
	text("StreamViewType",
		func(in *api.StreamSpecification) *api.String { return &in.StreamViewType }, viewEnum()),
})

var sseSpecification = newShape("SSESpecification", []member[api.SSESpecification]{
	flag("Enabled", func(in *api.SSESpecification) *api.Bool { return &in.Enabled }),
	text("SSEType", func(in *api.SSESpecification) *api.String { return &in.SSEType }, sseEnum()),
	text("KMSMasterKeyId", func(in *api.SSESpecification) *api.String { return &in.KMSMasterKeyID }),
})

// tag has no lengths here: the service answers bad tags with texts of their own (api-surface §6.6).
var tag = newShape("Tag", []member[api.Tag]{
	text("Key", func(in *api.Tag) *api.String { return &in.Key }),
	text("Value", func(in *api.Tag) *api.String { return &in.Value }),
})
