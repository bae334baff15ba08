package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// Delete compiles a DeleteItem. The order of checks is that of behaviours/01 §1.6: mixing, key values, Expected,
// placeholders, condition, unused placeholders. ReturnValues has the place that PutItem gives it.
func (c *Compiler) Delete(in *api.DeleteItemInput, s Scope) (*engine.Delete, error) {
	table, err := s.Table("DeleteItem", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	mix := params{
		legacy:      []param{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator.Set}},
		expressions: []param{{"ConditionExpression", in.ConditionExpression.Set}},
		names:       in.ExpressionAttributeNames != nil,
		values:      in.ExpressionAttributeValues != nil,
	}
	if err := mix.check(); err != nil {
		return nil, err
	}
	if err := loneOperator(in.ConditionalOperator, len(in.Expected)); err != nil {
		return nil, err
	}
	if err := valueFault(&in.Key); err != nil {
		return nil, err
	}
	cond, err := expected(in.Expected, in.ConditionalOperator)
	if err != nil {
		return nil, err
	}
	rv := api.ParseReturnValues(in.ReturnValues)
	if err := onlyOld(rv); err != nil {
		return nil, err
	}
	if in.ConditionExpression.Set {
		cond, err = c.onlyCondition(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		if err != nil {
			return nil, err
		}
	}
	return &engine.Delete{
		Table:           table,
		Key:             keyItem(&in.Key),
		Condition:       cond,
		ReturnOld:       rv == api.ReturnAllOld,
		ReturnOnFailure: isAllOld(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        api.ParseCapacityMode(in.ReturnConsumedCapacity),
		Metrics:         isSize(in.ReturnItemCollectionMetrics),
	}, nil
}
