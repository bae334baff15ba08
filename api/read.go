package api

import "github.com/dynalite-go/dynalite/attr"

// QueryInput is the request of Query.
type QueryInput struct {
	TableName                 String
	IndexName                 String
	Select                    String
	AttributesToGet           []string
	Limit                     Int
	ConsistentRead            Bool
	KeyConditions             []NamedCondition
	QueryFilter               []NamedCondition
	ConditionalOperator       String
	ScanIndexForward          Bool
	ExclusiveStartKey         Item
	ReturnConsumedCapacity    String
	ProjectionExpression      String
	FilterExpression          String
	KeyConditionExpression    String
	ExpressionAttributeNames  []Name
	ExpressionAttributeValues []NamedValue

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *QueryInput) Reset() {
	*in = QueryInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, in.ExpressionAttributeValues)}
}

// QueryOutput is the reply of Query. OmitItems leaves Items out (Select COUNT); without it Items is printed even
// when empty. LastEvaluatedKey is nil on the last page.
type QueryOutput struct {
	Items            []View
	OmitItems        bool
	Count            int
	ScannedCount     int
	LastEvaluatedKey *attr.Item
	ConsumedCapacity *ConsumedCapacity
}

// ScanInput is the request of Scan.
type ScanInput struct {
	TableName                 String
	IndexName                 String
	AttributesToGet           []string
	Limit                     Int
	Select                    String
	ScanFilter                []NamedCondition
	ConditionalOperator       String
	ExclusiveStartKey         Item
	ReturnConsumedCapacity    String
	TotalSegments             Int
	Segment                   Int
	ProjectionExpression      String
	FilterExpression          String
	ExpressionAttributeNames  []Name
	ExpressionAttributeValues []NamedValue
	ConsistentRead            Bool

	Spare Spare // storage for pooled inputs; no member
}

// Reset forgets the request.
func (in *ScanInput) Reset() {
	*in = ScanInput{Spare: in.Spare.keep(in.ExpressionAttributeNames, in.ExpressionAttributeValues)}
}

// ScanOutput is the reply of Scan, with the rules of QueryOutput.
type ScanOutput struct {
	Items            []View
	OmitItems        bool
	Count            int
	ScannedCount     int
	LastEvaluatedKey *attr.Item
	ConsumedCapacity *ConsumedCapacity
}
