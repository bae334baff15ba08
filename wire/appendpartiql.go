package wire

import "github.com/dynalite-go/dynalite/api"

// AppendExecuteStatement prints the reply of ExecuteStatement.
func AppendExecuteStatement(dst []byte, out *api.ExecuteStatementOutput) []byte {
	o := begin(dst)
	optStruct(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.key("Items")
	o.dst = appendViews(o.dst, out.Items)
	o.optItem("LastEvaluatedKey", out.LastEvaluatedKey)
	o.optText("NextToken", out.NextToken)
	return o.end()
}

// AppendBatchExecuteStatement prints the reply of BatchExecuteStatement.
func AppendBatchExecuteStatement(dst []byte, out *api.BatchExecuteStatementOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.key("Responses")
	o.dst = appendList(o.dst, out.Responses, appendStatementResponse)
	return o.end()
}

func appendStatementResponse(dst []byte, r *api.BatchStatementResponse) []byte {
	o := begin(dst)
	optStruct(&o, "Error", r.Error, appendStatementError)
	if r.Item.Item != nil {
		o.view("Item", r.Item)
	}
	o.optText("TableName", r.TableName)
	return o.end()
}

func appendStatementError(dst []byte, e *api.BatchStatementError) []byte {
	o := begin(dst)
	o.text("Code", e.Code)
	o.optItem("Item", e.Item)
	o.optText("Message", e.Message)
	return o.end()
}

// AppendExecuteTransaction prints the reply of ExecuteTransaction.
func AppendExecuteTransaction(dst []byte, out *api.ExecuteTransactionOutput) []byte {
	o := begin(dst)
	optList(&o, "ConsumedCapacity", out.ConsumedCapacity, appendConsumed)
	o.key("Responses")
	o.dst = appendList(o.dst, out.Responses, appendResponse)
	return o.end()
}
