package wire

import "github.com/dynalite-go/dynalite/api"

var get = newShape("Get", []member[api.Get]{
	item("Key", func(in *api.Get) *api.Item { return &in.Key }, required()),
	text("TableName", func(in *api.Get) *api.String { return &in.TableName }, itemTable()...),
	text("ProjectionExpression", func(in *api.Get) *api.String { return &in.ProjectionExpression }),
	names(func(in *api.Get) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
})

var transactGetItem = newShape("TransactGetItem", []member[api.TransactGetItem]{
	structure("Get", get, func(in *api.TransactGetItem) **api.Get { return &in.Get }, required()),
})

var conditionCheck = newShape("ConditionCheck", []member[api.ConditionCheck]{
	item("Key", func(in *api.ConditionCheck) *api.Item { return &in.Key }, required()),
	text("TableName", func(in *api.ConditionCheck) *api.String { return &in.TableName }, itemTable()...),
	text("ConditionExpression",
		func(in *api.ConditionCheck) *api.String { return &in.ConditionExpression }, required()),
	names(func(in *api.ConditionCheck) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
	named(func(in *api.ConditionCheck) *[]api.NamedValue { return &in.ExpressionAttributeValues }, nil),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.ConditionCheck) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
})

var put = newShape("Put", []member[api.Put]{
	item("Item", func(in *api.Put) *api.Item { return &in.Item }, required()),
	text("TableName", func(in *api.Put) *api.String { return &in.TableName }, itemTable()...),
	text("ConditionExpression", func(in *api.Put) *api.String { return &in.ConditionExpression }),
	names(func(in *api.Put) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
	named(func(in *api.Put) *[]api.NamedValue { return &in.ExpressionAttributeValues }, nil),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.Put) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
})

var del = newShape("Delete", []member[api.Delete]{
	item("Key", func(in *api.Delete) *api.Item { return &in.Key }, required()),
	text("TableName", func(in *api.Delete) *api.String { return &in.TableName }, itemTable()...),
	text("ConditionExpression", func(in *api.Delete) *api.String { return &in.ConditionExpression }),
	names(func(in *api.Delete) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
	named(func(in *api.Delete) *[]api.NamedValue { return &in.ExpressionAttributeValues }, nil),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.Delete) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
})

var update = newShape("Update", []member[api.Update]{
	item("Key", func(in *api.Update) *api.Item { return &in.Key }, required()),
	text("UpdateExpression", func(in *api.Update) *api.String { return &in.UpdateExpression }, required()),
	text("TableName", func(in *api.Update) *api.String { return &in.TableName }, itemTable()...),
	text("ConditionExpression", func(in *api.Update) *api.String { return &in.ConditionExpression }),
	names(func(in *api.Update) *[]api.Name { return &in.ExpressionAttributeNames }, nil),
	named(func(in *api.Update) *[]api.NamedValue { return &in.ExpressionAttributeValues }, nil),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.Update) *api.String { return &in.ReturnValuesOnConditionCheckFailure }, failureEnum()),
})

var transactWriteItem = newShape("TransactWriteItem", []member[api.TransactWriteItem]{
	structure("ConditionCheck", conditionCheck,
		func(in *api.TransactWriteItem) **api.ConditionCheck { return &in.ConditionCheck }),
	structure("Put", put, func(in *api.TransactWriteItem) **api.Put { return &in.Put }),
	structure("Delete", del, func(in *api.TransactWriteItem) **api.Delete { return &in.Delete }),
	structure("Update", update, func(in *api.TransactWriteItem) **api.Update { return &in.Update }),
})

var transactGetItems = newShape("TransactGetItemsInput", []member[api.TransactGetItemsInput]{
	list("TransactItems", transactGetItem,
		func(in *api.TransactGetItemsInput) *[]api.TransactGetItem { return &in.TransactItems },
		required(), minLength(1).quiet(), maxLength(api.MaxTransactActions).quiet()),
	text("ReturnConsumedCapacity",
		func(in *api.TransactGetItemsInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
},
	"ReturnConsumedCapacity", "TransactItems")

var transactWriteItems = newShape("TransactWriteItemsInput", []member[api.TransactWriteItemsInput]{
	list("TransactItems", transactWriteItem,
		func(in *api.TransactWriteItemsInput) *[]api.TransactWriteItem { return &in.TransactItems },
		required(), minLength(1).quiet(), maxLength(api.MaxTransactActions).quiet()),
	text("ReturnConsumedCapacity",
		func(in *api.TransactWriteItemsInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	text("ReturnItemCollectionMetrics",
		func(in *api.TransactWriteItemsInput) *api.String { return &in.ReturnItemCollectionMetrics }, metricsEnum()),
	text("ClientRequestToken",
		func(in *api.TransactWriteItemsInput) *api.String { return &in.ClientRequestToken }, minLength(1), maxLength(36)),
},
	"ClientRequestToken", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "TransactItems")

// DecodeTransactGetItems reads the body of a TransactGetItems request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeTransactGetItems(text string, in *api.TransactGetItemsInput) error {
	return decodeBody(text, transactGetItems, in)
}

// CheckTransactGetItems returns the member constraints that a TransactGetItems request breaks.
func CheckTransactGetItems(in *api.TransactGetItemsInput) []api.Violation {
	return checkInput(transactGetItems, in)
}

// DecodeTransactWriteItems reads the body of a TransactWriteItems request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeTransactWriteItems(text string, in *api.TransactWriteItemsInput) error {
	return decodeBody(text, transactWriteItems, in)
}

// CheckTransactWriteItems returns the member constraints that a TransactWriteItems request breaks.
func CheckTransactWriteItems(in *api.TransactWriteItemsInput) []api.Violation {
	return checkInput(transactWriteItems, in)
}
