package api

import "github.com/dynalite-go/dynalite/attr"

// Get is the read of one TransactGetItem.
type Get struct {
	Key                      Item
	TableName                String
	ProjectionExpression     String
	ExpressionAttributeNames []Name
}

// TransactGetItem is one element of TransactGetItems' TransactItems.
type TransactGetItem struct {
	Get *Get
}

// TransactGetItemsInput is the request of TransactGetItems.
type TransactGetItemsInput struct {
	TransactItems          []TransactGetItem
	ReturnConsumedCapacity String
}

// TransactGetItemsOutput is the reply of TransactGetItems. Responses are positional; a View without item is
// printed as an empty object.
type TransactGetItemsOutput struct {
	ConsumedCapacity []ConsumedCapacity
	Responses        []View
}

// ConditionCheck is the action of a transaction that only judges a condition.
type ConditionCheck struct {
	Key                                 Item
	TableName                           String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String
}

// Put is the put action of a transaction.
type Put struct {
	Item                                Item
	TableName                           String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String
}

// Delete is the delete action of a transaction.
type Delete struct {
	Key                                 Item
	TableName                           String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String
}

// Update is the update action of a transaction.
type Update struct {
	Key                                 Item
	UpdateExpression                    String
	TableName                           String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String
}

// TransactWriteItem is one action of a transaction; exactly one of its members is to be set.
type TransactWriteItem struct {
	ConditionCheck *ConditionCheck
	Put            *Put
	Delete         *Delete
	Update         *Update
}

// TransactWriteItemsInput is the request of TransactWriteItems.
type TransactWriteItemsInput struct {
	TransactItems               []TransactWriteItem
	ReturnConsumedCapacity      String
	ReturnItemCollectionMetrics String
	ClientRequestToken          String
}

// TransactWriteItemsOutput is the reply of TransactWriteItems.
type TransactWriteItemsOutput struct {
	ConsumedCapacity      []ConsumedCapacity
	ItemCollectionMetrics []TableMetrics
}

// CancellationReason says why an action made a transaction fail. Code is "None" for an action that did not;
// then Message is empty and left out. Item is the stored item when the action asked for it.
type CancellationReason struct {
	Code    string
	Message string
	Item    *attr.Item
}

// Codes of cancellation reasons (behaviours/08 §8.4).
const (
	ReasonNone                            = "None"
	ReasonConditionalCheckFailed          = "ConditionalCheckFailed"
	ReasonValidationError                 = "ValidationError"
	ReasonTransactionConflict             = "TransactionConflict"
	ReasonItemCollectionSizeLimitExceeded = "ItemCollectionSizeLimitExceeded"
	ReasonProvisionedThroughputExceeded   = "ProvisionedThroughputExceeded"
	ReasonThrottlingError                 = "ThrottlingError"
	ReasonDuplicateItem                   = "DuplicateItem"
	ReasonAccessDenied                    = "AccessDenied"
)
