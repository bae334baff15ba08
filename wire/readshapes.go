package wire

import "github.com/dynalite-go/dynalite/api"

// query names Limit in its own case since before May 2026, so that form counts as classic too.
var query = newShape("QueryInput", []member[api.QueryInput]{
	text("TableName", func(in *api.QueryInput) *api.String { return &in.TableName }, itemTable()...),
	text("IndexName", func(in *api.QueryInput) *api.String { return &in.IndexName }, resourceName()...),
	text("Select", func(in *api.QueryInput) *api.String { return &in.Select }, selectEnum()),
	attributesToGet(func(in *api.QueryInput) *[]string { return &in.AttributesToGet }),
	integer("Limit", func(in *api.QueryInput) *api.Int { return &in.Limit }, minValue(1).quiet().always()),
	flag("ConsistentRead", func(in *api.QueryInput) *api.Bool { return &in.ConsistentRead }),
	conditions("KeyConditions", func(in *api.QueryInput) *[]api.NamedCondition { return &in.KeyConditions }),
	conditions("QueryFilter", func(in *api.QueryInput) *[]api.NamedCondition { return &in.QueryFilter }),
	text("ConditionalOperator",
		func(in *api.QueryInput) *api.String { return &in.ConditionalOperator }, operatorEnum()),
	flag("ScanIndexForward", func(in *api.QueryInput) *api.Bool { return &in.ScanIndexForward }),
	item("ExclusiveStartKey", func(in *api.QueryInput) *api.Item { return &in.ExclusiveStartKey }),
	text("ReturnConsumedCapacity",
		func(in *api.QueryInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ProjectionExpression", func(in *api.QueryInput) *api.String { return &in.ProjectionExpression }),
	text("FilterExpression", func(in *api.QueryInput) *api.String { return &in.FilterExpression }),
	text("KeyConditionExpression", func(in *api.QueryInput) *api.String { return &in.KeyConditionExpression }),
	names(func(in *api.QueryInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.QueryInput) *[]api.Name { return &in.Spare.Names }),
	named(func(in *api.QueryInput) *[]api.NamedValue { return &in.ExpressionAttributeValues },
		func(in *api.QueryInput) *[]api.NamedValue { return &in.Spare.Values }),
},
	"Select", "IndexName", "ReturnConsumedCapacity", "QueryFilter", "TableName", "ConditionalOperator",
	"AttributesToGet", "Limit", "KeyConditions", "ExclusiveStartKey")

var scan = newShape("ScanInput", []member[api.ScanInput]{
	text("TableName", func(in *api.ScanInput) *api.String { return &in.TableName }, itemTable()...),
	text("IndexName", func(in *api.ScanInput) *api.String { return &in.IndexName }, resourceName()...),
	attributesToGet(func(in *api.ScanInput) *[]string { return &in.AttributesToGet }),
	integer("Limit", func(in *api.ScanInput) *api.Int { return &in.Limit }, minValue(1).quiet()),
	text("Select", func(in *api.ScanInput) *api.String { return &in.Select }, selectEnum()),
	conditions("ScanFilter", func(in *api.ScanInput) *[]api.NamedCondition { return &in.ScanFilter }),
	text("ConditionalOperator",
		func(in *api.ScanInput) *api.String { return &in.ConditionalOperator }, operatorEnum()),
	item("ExclusiveStartKey", func(in *api.ScanInput) *api.Item { return &in.ExclusiveStartKey }),
	text("ReturnConsumedCapacity",
		func(in *api.ScanInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	integer("TotalSegments",
		func(in *api.ScanInput) *api.Int { return &in.TotalSegments },
		minValue(1).quiet(), maxValue(api.MaxTotalSegments).quiet()),
	integer("Segment",
		func(in *api.ScanInput) *api.Int { return &in.Segment },
		minValue(0).quiet(), maxValue(api.MaxTotalSegments-1).quiet()),
	text("ProjectionExpression", func(in *api.ScanInput) *api.String { return &in.ProjectionExpression }),
	text("FilterExpression", func(in *api.ScanInput) *api.String { return &in.FilterExpression }),
	names(func(in *api.ScanInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.ScanInput) *[]api.Name { return &in.Spare.Names }),
	named(func(in *api.ScanInput) *[]api.NamedValue { return &in.ExpressionAttributeValues },
		func(in *api.ScanInput) *[]api.NamedValue { return &in.Spare.Values }),
	flag("ConsistentRead", func(in *api.ScanInput) *api.Bool { return &in.ConsistentRead }),
},
	"Select", "IndexName", "TotalSegments", "ReturnConsumedCapacity", "TableName", "ConditionalOperator",
	"ScanFilter", "Segment", "Limit", "AttributesToGet", "ExclusiveStartKey")

// DecodeQuery reads the body of a Query request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeQuery(text string, in *api.QueryInput) error { return decodeBody(text, query, in) }

// CheckQuery returns the member constraints that a Query request breaks.
func CheckQuery(in *api.QueryInput) []api.Violation { return checkInput(query, in) }

// DecodeScan reads the body of a Scan request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeScan(text string, in *api.ScanInput) error { return decodeBody(text, scan, in) }

// CheckScan returns the member constraints that a Scan request breaks.
func CheckScan(in *api.ScanInput) []api.Violation { return checkInput(scan, in) }
