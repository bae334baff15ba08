package api

import "github.com/dynalite-go/dynalite/attr"

// ExecuteStatementInput is the request of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement                           String
	Parameters                          []Value
	ConsistentRead                      Bool
	NextToken                           String
	ReturnConsumedCapacity              String
	Limit                               Int
	ReturnValuesOnConditionCheckFailure String
}

// ExecuteStatementOutput is the reply of ExecuteStatement. Items is printed even when empty.
type ExecuteStatementOutput struct {
	Items            []View
	NextToken        string
	ConsumedCapacity *ConsumedCapacity
	LastEvaluatedKey *attr.Item
}

// BatchStatementRequest is one statement of a batch.
type BatchStatementRequest struct {
	Statement                           String
	Parameters                          []Value
	ConsistentRead                      Bool
	ReturnValuesOnConditionCheckFailure String
}

// BatchExecuteStatementInput is the request of BatchExecuteStatement.
type BatchExecuteStatementInput struct {
	Statements             []BatchStatementRequest
	ReturnConsumedCapacity String
}

// BatchStatementError says why one statement of a batch failed. Code is the short form, "ValidationError".
type BatchStatementError struct {
	Code    string
	Message string
	Item    *attr.Item
}

// BatchStatementResponse is the answer to one statement of a batch.
type BatchStatementResponse struct {
	Error     *BatchStatementError
	TableName string
	Item      View
}

// BatchExecuteStatementOutput is the reply of BatchExecuteStatement.
type BatchExecuteStatementOutput struct {
	Responses        []BatchStatementResponse
	ConsumedCapacity []ConsumedCapacity
}

// ParameterizedStatement is one statement of a transaction.
type ParameterizedStatement struct {
	Statement                           String
	Parameters                          []Value
	ReturnValuesOnConditionCheckFailure String
}

// ExecuteTransactionInput is the request of ExecuteTransaction.
type ExecuteTransactionInput struct {
	TransactStatements     []ParameterizedStatement
	ClientRequestToken     String
	ReturnConsumedCapacity String
}

// ExecuteTransactionOutput is the reply of ExecuteTransaction. Responses is printed even when empty.
type ExecuteTransactionOutput struct {
	Responses        []View
	ConsumedCapacity []ConsumedCapacity
}
