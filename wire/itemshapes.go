package wire

import "github.com/dynalite-go/dynalite/api"

var getItem = newShape("GetItemInput", []member[api.GetItemInput]{
	text("TableName", func(in *api.GetItemInput) *api.String { return &in.TableName }, itemTable()...),
	item("Key", func(in *api.GetItemInput) *api.Item { return &in.Key }, required()),
	attributesToGet(func(in *api.GetItemInput) *[]string { return &in.AttributesToGet }),
	flag("ConsistentRead", func(in *api.GetItemInput) *api.Bool { return &in.ConsistentRead }),
	text("ReturnConsumedCapacity",
		func(in *api.GetItemInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ProjectionExpression", func(in *api.GetItemInput) *api.String { return &in.ProjectionExpression }),
	names(func(in *api.GetItemInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.GetItemInput) *[]api.Name { return &in.Spare.Names }),
},
	"ReturnConsumedCapacity", "AttributesToGet", "TableName", "Key")

var putItem = newShape("PutItemInput", []member[api.PutItemInput]{
	text("TableName", func(in *api.PutItemInput) *api.String { return &in.TableName }, itemTable()...),
	item("Item", func(in *api.PutItemInput) *api.Item { return &in.Item }, required()),
	expected(func(in *api.PutItemInput) *[]api.NamedExpected { return &in.Expected }),
	text("ReturnValues", func(in *api.PutItemInput) *api.String { return &in.ReturnValues }, returnEnum()),
	text("ReturnConsumedCapacity",
		func(in *api.PutItemInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ReturnItemCollectionMetrics",
		func(in *api.PutItemInput) *api.String { return &in.ReturnItemCollectionMetrics }, metricsEnum()),
	text("ConditionalOperator",
		func(in *api.PutItemInput) *api.String { return &in.ConditionalOperator }, operatorEnum()),
	text("ConditionExpression", func(in *api.PutItemInput) *api.String { return &in.ConditionExpression }),
	names(func(in *api.PutItemInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.PutItemInput) *[]api.Name { return &in.Spare.Names }),
	named(func(in *api.PutItemInput) *[]api.NamedValue { return &in.ExpressionAttributeValues },
		func(in *api.PutItemInput) *[]api.NamedValue { return &in.Spare.Values }),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.PutItemInput) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
},
	"ReturnConsumedCapacity", "TableName", "Item", "ConditionalOperator", "Expected", "ReturnValues",
	"ReturnItemCollectionMetrics")

// updateItem stops at ReturnValues in the current layer. Its report has ConditionalOperator before Key, as two
// recordings of October 2026 show; older lists have it after.
var updateItem = newShape("UpdateItemInput", []member[api.UpdateItemInput]{
	text("TableName", func(in *api.UpdateItemInput) *api.String { return &in.TableName }, itemTable()...),
	item("Key", func(in *api.UpdateItemInput) *api.Item { return &in.Key }, required()),
	attributeUpdates(func(in *api.UpdateItemInput) *[]api.NamedUpdate { return &in.AttributeUpdates }),
	expected(func(in *api.UpdateItemInput) *[]api.NamedExpected { return &in.Expected }),
	text("ConditionalOperator",
		func(in *api.UpdateItemInput) *api.String { return &in.ConditionalOperator },
		operatorEnum().at(stageMain, stageMain)),
	text("ReturnValues",
		func(in *api.UpdateItemInput) *api.String { return &in.ReturnValues }, returnEnum().at(stageMain, stageEarly)),
	text("ReturnConsumedCapacity",
		func(in *api.UpdateItemInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ReturnItemCollectionMetrics",
		func(in *api.UpdateItemInput) *api.String { return &in.ReturnItemCollectionMetrics }, metricsEnum()),
	text("UpdateExpression", func(in *api.UpdateItemInput) *api.String { return &in.UpdateExpression }),
	text("ConditionExpression", func(in *api.UpdateItemInput) *api.String { return &in.ConditionExpression }),
	names(func(in *api.UpdateItemInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.UpdateItemInput) *[]api.Name { return &in.Spare.Names }),
	named(func(in *api.UpdateItemInput) *[]api.NamedValue { return &in.ExpressionAttributeValues },
		func(in *api.UpdateItemInput) *[]api.NamedValue { return &in.Spare.Values }),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.UpdateItemInput) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
},
	"ReturnConsumedCapacity", "TableName", "ReturnItemCollectionMetrics", "ReturnValues", "ConditionalOperator",
	"Key", "Expected", "AttributeUpdates")

var deleteItem = newShape("DeleteItemInput", []member[api.DeleteItemInput]{
	text("TableName", func(in *api.DeleteItemInput) *api.String { return &in.TableName }, itemTable()...),
	item("Key", func(in *api.DeleteItemInput) *api.Item { return &in.Key }, required()),
	expected(func(in *api.DeleteItemInput) *[]api.NamedExpected { return &in.Expected }),
	text("ConditionalOperator",
		func(in *api.DeleteItemInput) *api.String { return &in.ConditionalOperator }, operatorEnum()),
	text("ReturnValues", func(in *api.DeleteItemInput) *api.String { return &in.ReturnValues }, returnEnum()),
	text("ReturnConsumedCapacity",
		func(in *api.DeleteItemInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ReturnItemCollectionMetrics",
		func(in *api.DeleteItemInput) *api.String { return &in.ReturnItemCollectionMetrics }, metricsEnum()),
	text("ConditionExpression", func(in *api.DeleteItemInput) *api.String { return &in.ConditionExpression }),
	names(func(in *api.DeleteItemInput) *[]api.Name { return &in.ExpressionAttributeNames },
		func(in *api.DeleteItemInput) *[]api.Name { return &in.Spare.Names }),
	named(func(in *api.DeleteItemInput) *[]api.NamedValue { return &in.ExpressionAttributeValues },
		func(in *api.DeleteItemInput) *[]api.NamedValue { return &in.Spare.Values }),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.DeleteItemInput) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
},
	"ReturnConsumedCapacity", "TableName", "ReturnValues", "ReturnItemCollectionMetrics", "Key",
	"ConditionalOperator", "Expected")

// DecodeGetItem reads the body of a GetItem request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeGetItem(text string, in *api.GetItemInput) error { return decodeBody(text, getItem, in) }

// CheckGetItem returns the member constraints that a GetItem request breaks.
func CheckGetItem(in *api.GetItemInput) []api.Violation { return checkInput(getItem, in) }

// DecodePutItem reads the body of a PutItem request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodePutItem(text string, in *api.PutItemInput) error { return decodeBody(text, putItem, in) }

// CheckPutItem returns the member constraints that a PutItem request breaks.
func CheckPutItem(in *api.PutItemInput) []api.Violation { return checkInput(putItem, in) }

// DecodeUpdateItem reads the body of an UpdateItem request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeUpdateItem(text string, in *api.UpdateItemInput) error {
	return decodeBody(text, updateItem, in)
}

// CheckUpdateItem returns the member constraints that an UpdateItem request breaks.
func CheckUpdateItem(in *api.UpdateItemInput) []api.Violation { return checkInput(updateItem, in) }

// DecodeDeleteItem reads the body of a DeleteItem request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDeleteItem(text string, in *api.DeleteItemInput) error {
	return decodeBody(text, deleteItem, in)
}

// CheckDeleteItem returns the member constraints that a DeleteItem request breaks.
func CheckDeleteItem(in *api.DeleteItemInput) []api.Violation { return checkInput(deleteItem, in) }
