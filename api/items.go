package api

import "github.com/dynalite-go/dynalite/attr"

// GetItemInput is the request of GetItem.
type GetItemInput struct {
	TableName                String
	Key                      Item
	AttributesToGet          []string
	ConsistentRead           Bool
	ReturnConsumedCapacity   String
	ProjectionExpression     String
	ExpressionAttributeNames []Name

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *GetItemInput) Reset() {
	*in = GetItemInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, nil)}
}

// GetItemOutput is the reply of GetItem. Found says whether the item exists: an existing item of which nothing is
// projected is printed as an empty Item, a missing one not at all.
type GetItemOutput struct {
	Found            bool
	Item             View
	ConsumedCapacity *ConsumedCapacity
}

// PutItemInput is the request of PutItem.
type PutItemInput struct {
	TableName                           String
	Item                                Item
	Expected                            []NamedExpected
	ReturnValues                        String
	ReturnConsumedCapacity              String
	ReturnItemCollectionMetrics         String
	ConditionalOperator                 String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *PutItemInput) Reset() {
	*in = PutItemInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, in.ExpressionAttributeValues)}
}

// PutItemOutput is the reply of PutItem. Attributes.Item is nil when no attributes are returned.
type PutItemOutput struct {
	Attributes            View
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// UpdateItemInput is the request of UpdateItem.
type UpdateItemInput struct {
	TableName                           String
	Key                                 Item
	AttributeUpdates                    []NamedUpdate
	Expected                            []NamedExpected
	ConditionalOperator                 String
	ReturnValues                        String
	ReturnConsumedCapacity              String
	ReturnItemCollectionMetrics         String
	UpdateExpression                    String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *UpdateItemInput) Reset() {
	*in = UpdateItemInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, in.ExpressionAttributeValues)}
}

// UpdateItemOutput is the reply of UpdateItem. Attributes.Item is nil when no attributes are returned; a view
// that shows nothing is printed as absent too (behaviours/07 §7.2).
type UpdateItemOutput struct {
	Attributes            View
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// DeleteItemInput is the request of DeleteItem.
type DeleteItemInput struct {
	TableName                           String
	Key                                 Item
	Expected                            []NamedExpected
	ConditionalOperator                 String
	ReturnValues                        String
	ReturnConsumedCapacity              String
	ReturnItemCollectionMetrics         String
	ConditionExpression                 String
	ExpressionAttributeNames            []Name
	ExpressionAttributeValues           []NamedValue
	ReturnValuesOnConditionCheckFailure String

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *DeleteItemInput) Reset() {
	*in = DeleteItemInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, in.ExpressionAttributeValues)}
}

// DeleteItemOutput is the reply of DeleteItem. Attributes.Item is nil when no attributes are returned.
type DeleteItemOutput struct {
	Attributes            View
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// ItemCollectionMetrics describes one item collection of a table with local secondary indexes. The range is in
// gigabytes.
type ItemCollectionMetrics struct {
	ItemCollectionKey   *attr.Item
	SizeEstimateRangeGB [2]float64
}
