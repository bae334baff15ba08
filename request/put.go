package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// Put compiles a PutItem. The order of checks is that of behaviours/01 §1.6: values of the item, Expected, mixing,
// placement, ReturnValues, placeholders, condition, unused placeholders, size.
func (c *Compiler) Put(in *api.PutItemInput, s Scope) (*engine.Put, error) {
	table, err := s.Table("PutItem", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	if err := valueFault(&in.Item); err != nil {
		return nil, err
	}
	cond, err := expected(in.Expected, in.ConditionalOperator)
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
	item := keyItem(&in.Item)
	if err := itemSize(item); err != nil {
		return nil, err
	}
	return &engine.Put{
		Table:           table,
		Item:            item,
		Condition:       cond,
		ReturnOld:       rv == api.ReturnAllOld,
		ReturnOnFailure: isAllOld(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        api.ParseCapacityMode(in.ReturnConsumedCapacity),
		Metrics:         isSize(in.ReturnItemCollectionMetrics),
	}, nil
}

// onlyCondition compiles the condition of a request or action whose only expression it is: placeholders, condition,
// unused placeholders.
func (c *Compiler) onlyCondition(text api.String, names []api.Name, values []api.NamedValue) (*expr.Predicate, *api.Error) {
	b, err := bind(names, values)
	if err != nil {
		return nil, err
	}
	cond, err := c.condition(expr.Condition, text, b)
	if err != nil {
		return nil, err
	}
	return cond, b.unused()
}
