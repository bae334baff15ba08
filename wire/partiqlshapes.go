package wire

import "github.com/dynalite-go/dynalite/api"

var executeStatement = newShape("ExecuteStatementInput", []member[api.ExecuteStatementInput]{
	text("Statement", func(in *api.ExecuteStatementInput) *api.String { return &in.Statement }, statement()...),
	values("Parameters", func(in *api.ExecuteStatementInput) *[]api.Value { return &in.Parameters }, minLength(1)),
	flag("ConsistentRead", func(in *api.ExecuteStatementInput) *api.Bool { return &in.ConsistentRead }),
	text("NextToken",
		func(in *api.ExecuteStatementInput) *api.String { return &in.NextToken }, minLength(1), maxLength(32768)),
	text("ReturnConsumedCapacity",
		func(in *api.ExecuteStatementInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
	integer("Limit", func(in *api.ExecuteStatementInput) *api.Int { return &in.Limit }, minValue(1)),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.ExecuteStatementInput) *api.String { return &in.ReturnValuesOnConditionCheckFailure },
		failureEnum()),
})

var batchStatement = newShape("BatchStatementRequest", []member[api.BatchStatementRequest]{
	text("Statement", func(in *api.BatchStatementRequest) *api.String { return &in.Statement }, statement()...),
	values("Parameters", func(in *api.BatchStatementRequest) *[]api.Value { return &in.Parameters }, minLength(1)),
	flag("ConsistentRead", func(in *api.BatchStatementRequest) *api.Bool { return &in.ConsistentRead }),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.BatchStatementRequest) *api.String { return &in.ReturnValuesOnConditionCheckFailure },
		failureEnum()),
})

var batchExecuteStatement = newShape("BatchExecuteStatementInput", []member[api.BatchExecuteStatementInput]{
	list("Statements", batchStatement,
		func(in *api.BatchExecuteStatementInput) *[]api.BatchStatementRequest { return &in.Statements },
		required(), minLength(1), maxLength(25)),
	text("ReturnConsumedCapacity",
		func(in *api.BatchExecuteStatementInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
})

var parameterizedStatement = newShape("ParameterizedStatement", []member[api.ParameterizedStatement]{
	text("Statement", func(in *api.ParameterizedStatement) *api.String { return &in.Statement }, statement()...),
	values("Parameters",
		func(in *api.ParameterizedStatement) *[]api.Value { return &in.Parameters }, minLength(1)),
	text("ReturnValuesOnConditionCheckFailure",
		func(in *api.ParameterizedStatement) *api.String { return &in.ReturnValuesOnConditionCheckFailure },
		failureEnum()),
})

var executeTransaction = newShape("ExecuteTransactionInput", []member[api.ExecuteTransactionInput]{
	list("TransactStatements", parameterizedStatement,
		func(in *api.ExecuteTransactionInput) *[]api.ParameterizedStatement { return &in.TransactStatements },
		required(), minLength(1), maxLength(api.MaxTransactActions)),
	text("ClientRequestToken",
		func(in *api.ExecuteTransactionInput) *api.String { return &in.ClientRequestToken }, minLength(1), maxLength(36)),
	text("ReturnConsumedCapacity",
		func(in *api.ExecuteTransactionInput) *api.String { return &in.ReturnConsumedCapacity }, capacityEnum()),
})

// statement is the rule set of a PartiQL statement, in characters.
func statement() []rule { return []rule{required(), minLength(1), maxLength(8192)} }

// DecodeExecuteStatement reads the body of an ExecuteStatement request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeExecuteStatement(text string, in *api.ExecuteStatementInput) error {
	return decodeBody(text, executeStatement, in)
}

// CheckExecuteStatement returns the member constraints that an ExecuteStatement request breaks.
func CheckExecuteStatement(in *api.ExecuteStatementInput) []api.Violation {
	return checkInput(executeStatement, in)
}

// DecodeBatchExecuteStatement reads the body of a BatchExecuteStatement request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeBatchExecuteStatement(text string, in *api.BatchExecuteStatementInput) error {
	return decodeBody(text, batchExecuteStatement, in)
}

// CheckBatchExecuteStatement returns the member constraints that a BatchExecuteStatement request breaks.
func CheckBatchExecuteStatement(in *api.BatchExecuteStatementInput) []api.Violation {
	return checkInput(batchExecuteStatement, in)
}

// DecodeExecuteTransaction reads the body of an ExecuteTransaction request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeExecuteTransaction(text string, in *api.ExecuteTransactionInput) error {
	return decodeBody(text, executeTransaction, in)
}

// CheckExecuteTransaction returns the member constraints that an ExecuteTransaction request breaks.
func CheckExecuteTransaction(in *api.ExecuteTransactionInput) []api.Violation {
	return checkInput(executeTransaction, in)
}
