package wire

import "github.com/dynalite-go/dynalite/api"

func appendTable(dst []byte, t *api.TableDescription) []byte {
	o := begin(dst)
	optList(&o, "AttributeDefinitions", t.AttributeDefinitions, appendDefinition)
	optStruct(&o, "BillingModeSummary", t.BillingModeSummary, appendBilling)
	o.optTime("CreationDateTime", t.CreationDateTime)
	o.flag("DeletionProtectionEnabled", t.DeletionProtectionEnabled)
	o.optBool("DisassociationProtectionEnabled", t.DisassociationProtectionEnabled)
	optList(&o, "GlobalSecondaryIndexes", t.GlobalSecondaryIndexes, appendGlobalIndex)
	o.optText("GlobalTableSettingsReplicationMode", t.GlobalTableSettingsReplication)
	o.optText("GlobalTableVersion", t.GlobalTableVersion)
	optList(&o, "GlobalTableWitnesses", t.GlobalTableWitnesses, appendWitness)
	o.long("ItemCount", t.ItemCount)
	optList(&o, "KeySchema", t.KeySchema, appendKeyElement)
	o.optText("LatestStreamArn", t.LatestStreamARN)
	o.optText("LatestStreamLabel", t.LatestStreamLabel)
	optList(&o, "LocalSecondaryIndexes", t.LocalSecondaryIndexes, appendLocalIndex)
	o.optText("MultiRegionConsistency", t.MultiRegionConsistency)
	optStruct(&o, "OnDemandThroughput", t.OnDemandThroughput, appendOnDemand)
	optStruct(&o, "ProvisionedThroughput", t.ProvisionedThroughput, appendThroughput)
	optList(&o, "Replicas", t.Replicas, appendReplica)
	optStruct(&o, "RestoreSummary", t.RestoreSummary, appendRestore)
	optStruct(&o, "SSEDescription", t.SSEDescription, appendSSE)
	optStruct(&o, "StreamSpecification", t.StreamSpecification, appendStreamSpecification)
	o.optText("TableArn", t.TableARN)
	optStruct(&o, "TableClassSummary", t.TableClassSummary, appendClass)
	o.optText("TableId", t.TableID)
	o.optText("TableName", t.TableName)
	o.long("TableSizeBytes", t.TableSizeBytes)
	o.optText("TableStatus", t.TableStatus)
	optList(&o, "VectorIndexes", t.VectorIndexes, appendVectorIndex)
	optStruct(&o, "WarmThroughput", t.WarmThroughput, appendWarm)
	return o.end()
}

func appendDefinition(dst []byte, d *api.AttributeDefinition) []byte {
	o := begin(dst)
	o.text("AttributeName", d.AttributeName.Value)
	o.text("AttributeType", d.AttributeType.Value)
	return o.end()
}

func appendKeyElement(dst []byte, k *api.KeySchemaElement) []byte {
	o := begin(dst)
	o.text("AttributeName", k.AttributeName.Value)
	o.text("KeyType", k.KeyType.Value)
	return o.end()
}

func appendProjection(dst []byte, p *api.Projection) []byte {
	o := begin(dst)
	if len(p.NonKeyAttributes) > 0 {
		o.key("NonKeyAttributes")
		o.dst = appendStrings(o.dst, p.NonKeyAttributes)
	}
	o.optString("ProjectionType", p.ProjectionType)
	return o.end()
}

func appendBilling(dst []byte, b *api.BillingModeSummary) []byte {
	o := begin(dst)
	o.text("BillingMode", b.BillingMode)
	o.optTime("LastUpdateToPayPerRequestDateTime", b.LastUpdateToPayPerRequestDateTime)
	return o.end()
}

func appendThroughput(dst []byte, p *api.ProvisionedThroughputDescription) []byte {
	o := begin(dst)
	o.optTime("LastDecreaseDateTime", p.LastDecreaseDateTime)
	o.optTime("LastIncreaseDateTime", p.LastIncreaseDateTime)
	o.long("NumberOfDecreasesToday", p.NumberOfDecreasesToday)
	o.long("ReadCapacityUnits", p.ReadCapacityUnits)
	o.long("WriteCapacityUnits", p.WriteCapacityUnits)
	return o.end()
}

func appendOnDemand(dst []byte, t *api.OnDemandThroughput) []byte {
	o := begin(dst)
	o.optInt("MaxReadRequestUnits", t.MaxReadRequestUnits)
	o.optInt("MaxWriteRequestUnits", t.MaxWriteRequestUnits)
	return o.end()
}

func appendWarm(dst []byte, w *api.WarmThroughputDescription) []byte {
	o := begin(dst)
	o.long("ReadUnitsPerSecond", w.ReadUnitsPerSecond)
	o.optText("Status", w.Status)
	o.long("WriteUnitsPerSecond", w.WriteUnitsPerSecond)
	return o.end()
}

func appendLocalIndex(dst []byte, x *api.LocalSecondaryIndexDescription) []byte {
	o := begin(dst)
	o.optText("IndexArn", x.IndexARN)
	o.text("IndexName", x.IndexName)
	o.long("IndexSizeBytes", x.IndexSizeBytes)
	o.long("ItemCount", x.ItemCount)
	optList(&o, "KeySchema", x.KeySchema, appendKeyElement)
	optStruct(&o, "Projection", x.Projection, appendProjection)
	return o.end()
}

func appendGlobalIndex(dst []byte, x *api.GlobalSecondaryIndexDescription) []byte {
	o := begin(dst)
	o.optBool("Backfilling", x.Backfilling)
	o.optText("IndexArn", x.IndexARN)
	o.text("IndexName", x.IndexName)
	o.long("IndexSizeBytes", x.IndexSizeBytes)
	o.optText("IndexStatus", x.IndexStatus)
	o.long("ItemCount", x.ItemCount)
	optList(&o, "KeySchema", x.KeySchema, appendKeyElement)
	optStruct(&o, "OnDemandThroughput", x.OnDemandThroughput, appendOnDemand)
	optStruct(&o, "Projection", x.Projection, appendProjection)
	optStruct(&o, "ProvisionedThroughput", x.ProvisionedThroughput, appendThroughput)
	optStruct(&o, "WarmThroughput", x.WarmThroughput, appendWarm)
	return o.end()
}

func appendVectorIndex(dst []byte, x *api.VectorIndexDescription) []byte {
	o := begin(dst)
	o.optBool("Backfilling", x.Backfilling)
	o.long("Dimensions", x.Dimensions)
	o.optText("DistanceFunction", x.DistanceFunction)
	o.optText("IndexArn", x.IndexARN)
	o.text("IndexName", x.IndexName)
	o.long("IndexSizeBytes", x.IndexSizeBytes)
	o.optText("IndexStatus", x.IndexStatus)
	o.long("ItemCount", x.ItemCount)
	optStruct(&o, "Projection", x.Projection, appendProjection)
	optList(&o, "SearchSchema", x.SearchSchema, func(dst []byte, s *api.SearchSchemaElement) []byte {
		o := begin(dst)
		o.text("AttributeName", s.AttributeName.Value)
		o.text("SearchSchemaElementType", s.SearchSchemaElementType.Value)
		return o.end()
	})
	optStruct(&o, "VectorAttribute", x.VectorAttribute, func(dst []byte, v *api.VectorAttributeDefinition) []byte {
		o := begin(dst)
		o.text("AttributeName", v.AttributeName.Value)
		return o.end()
	})
	return o.end()
}

func appendStreamSpecification(dst []byte, s *api.StreamSpecification) []byte {
	o := begin(dst)
	o.optBool("StreamEnabled", s.StreamEnabled)
	o.optString("StreamViewType", s.StreamViewType)
	return o.end()
}

func appendSSE(dst []byte, s *api.SSEDescription) []byte {
	o := begin(dst)
	o.optTime("InaccessibleEncryptionDateTime", s.InaccessibleEncryptionTime)
	o.optText("KMSMasterKeyArn", s.KMSMasterKeyARN)
	o.optText("SSEType", s.SSEType)
	o.optText("Status", s.Status)
	return o.end()
}

func appendClass(dst []byte, c *api.TableClassSummary) []byte {
	o := begin(dst)
	o.optTime("LastUpdateDateTime", c.LastUpdateDateTime)
	o.optText("TableClass", c.TableClass)
	return o.end()
}

func appendRestore(dst []byte, r *api.RestoreSummary) []byte {
	o := begin(dst)
	o.optTime("RestoreDateTime", r.RestoreDateTime)
	o.flag("RestoreInProgress", r.RestoreInProgress)
	o.optText("SourceBackupArn", r.SourceBackupARN)
	o.optText("SourceTableArn", r.SourceTableARN)
	return o.end()
}

func appendReplica(dst []byte, r *api.ReplicaDescription) []byte {
	o := begin(dst)
	optList(&o, "GlobalSecondaryIndexes", r.GlobalSecondaryIndexes, appendReplicaIndex)
	o.optText("GlobalTableSettingsReplicationMode", r.SettingsReplicationMode)
	o.optText("KMSMasterKeyId", r.KMSMasterKeyID)
	optStruct(&o, "OnDemandThroughputOverride", r.OnDemandThroughputOverride, appendOnDemandOverride)
	optStruct(&o, "ProvisionedThroughputOverride", r.ProvisionedThroughputOverride, appendProvisionedOverride)
	o.optText("RegionName", r.RegionName)
	o.optText("ReplicaArn", r.ReplicaARN)
	o.optTime("ReplicaInaccessibleDateTime", r.ReplicaInaccessibleDateTime)
	o.optText("ReplicaStatus", r.ReplicaStatus)
	o.optText("ReplicaStatusDescription", r.ReplicaStatusDescription)
	o.optText("ReplicaStatusPercentProgress", r.ReplicaStatusPercentProgress)
	optStruct(&o, "ReplicaTableClassSummary", r.ReplicaTableClassSummary, appendClass)
	optStruct(&o, "WarmThroughput", r.WarmThroughput, appendWarm)
	return o.end()
}

func appendReplicaIndex(dst []byte, x *api.ReplicaGlobalSecondaryIndexDescription) []byte {
	o := begin(dst)
	o.text("IndexName", x.IndexName)
	optStruct(&o, "OnDemandThroughputOverride", x.OnDemandThroughputOverride, appendOnDemandOverride)
	optStruct(&o, "ProvisionedThroughputOverride", x.ProvisionedThroughputOverride, appendProvisionedOverride)
	optStruct(&o, "WarmThroughput", x.WarmThroughput, appendWarm)
	return o.end()
}

func appendOnDemandOverride(dst []byte, t *api.OnDemandThroughputOverride) []byte {
	o := begin(dst)
	o.optInt("MaxReadRequestUnits", t.MaxReadRequestUnits)
	return o.end()
}

func appendProvisionedOverride(dst []byte, t *api.ProvisionedThroughputOverride) []byte {
	o := begin(dst)
	o.optInt("ReadCapacityUnits", t.ReadCapacityUnits)
	return o.end()
}

func appendWitness(dst []byte, w *api.GlobalTableWitnessDescription) []byte {
	o := begin(dst)
	o.optText("RegionName", w.RegionName)
	o.optText("WitnessStatus", w.WitnessStatus)
	return o.end()
}
