package api

// KeysAndAttributes is what BatchGetItem reads from one table.
type KeysAndAttributes struct {
	Keys                     []Item
	AttributesToGet          []string
	ConsistentRead           Bool
	ProjectionExpression     String
	ExpressionAttributeNames []Name
}

// TableKeys is one entry of BatchGetItem's RequestItems and UnprocessedKeys.
type TableKeys struct {
	Table string
	KeysAndAttributes
}

// BatchGetItemInput is the request of BatchGetItem.
type BatchGetItemInput struct {
	RequestItems           []TableKeys
	ReturnConsumedCapacity String
}

// TableItems is one entry of BatchGetItem's Responses.
type TableItems struct {
	Table string
	Items []View
}

// BatchGetItemOutput is the reply of BatchGetItem. Responses holds every requested table; UnprocessedKeys is
// printed even when empty (behaviours/08 §8.1).
type BatchGetItemOutput struct {
	Responses        []TableItems
	UnprocessedKeys  []TableKeys
	ConsumedCapacity []ConsumedCapacity
}

// PutRequest is one put of a batch.
type PutRequest struct {
	Item Item
}

// DeleteRequest is one deletion of a batch.
type DeleteRequest struct {
	Key Item
}

// WriteRequest is one write of a batch; exactly one of the two is to be set.
type WriteRequest struct {
	PutRequest    *PutRequest
	DeleteRequest *DeleteRequest
}

// TableWrites is one entry of BatchWriteItem's RequestItems and UnprocessedItems.
type TableWrites struct {
	Table    string
	Requests []WriteRequest
}

// BatchWriteItemInput is the request of BatchWriteItem.
type BatchWriteItemInput struct {
	RequestItems                []TableWrites
	ReturnConsumedCapacity      String
	ReturnItemCollectionMetrics String
}

// TableMetrics is one entry of a map from table name to a list of ItemCollectionMetrics.
type TableMetrics struct {
	Table   string
	Metrics []ItemCollectionMetrics
}

// BatchWriteItemOutput is the reply of BatchWriteItem. UnprocessedItems is printed even when empty.
type BatchWriteItemOutput struct {
	UnprocessedItems      []TableWrites
	ItemCollectionMetrics []TableMetrics
	ConsumedCapacity      []ConsumedCapacity
}
