package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// Update compiles an UpdateItem. The order of checks is that of behaviours/01 §1.6: NULL false, mixing and
// placement, key values, AttributeUpdates, Expected, placeholders, update, condition, unused placeholders.
func (c *Compiler) Update(in *api.UpdateItemInput, s Scope) (*engine.Update, error) {
	table, err := s.Table("UpdateItem", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	if err := firstNull(in); err != nil {
		return nil, err
	}
	mix := params{
		legacy: []param{
			{"AttributeUpdates", in.AttributeUpdates != nil},
			{"Expected", in.Expected != nil},
			{"ConditionalOperator", in.ConditionalOperator.Set},
		},
		expressions: []param{
			{"UpdateExpression", in.UpdateExpression.Set},
			{"ConditionExpression", in.ConditionExpression.Set},
		},
		names:  in.ExpressionAttributeNames != nil,
		values: in.ExpressionAttributeValues != nil,
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
	update, err := attributeUpdates(in.AttributeUpdates)
	if err != nil {
		return nil, err
	}
	cond, err := expected(in.Expected, in.ConditionalOperator)
	if err != nil {
		return nil, err
	}
	if in.UpdateExpression.Set || in.ConditionExpression.Set {
		update, cond, err = c.updateAndCondition(in.UpdateExpression, in.ConditionExpression,
			in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		if err != nil {
			return nil, err
		}
	}
	return &engine.Update{
		Table:           table,
		Key:             keyItem(&in.Key),
		Update:          update,
		Condition:       cond,
		Return:          api.ParseReturnValues(in.ReturnValues),
		ReturnOnFailure: isAllOld(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        api.ParseCapacityMode(in.ReturnConsumedCapacity),
		Metrics:         isSize(in.ReturnItemCollectionMetrics),
	}, nil
}

// updateAndCondition compiles the expressions of an update: placeholders, update, condition, unused placeholders.
func (c *Compiler) updateAndCondition(update, condition api.String, names []api.Name, values []api.NamedValue) (*expr.Update, *expr.Predicate, *api.Error) {
	b, err := bind(names, values)
	if err != nil {
		return nil, nil, err
	}
	u, err := c.update(update, b)
	if err != nil {
		return nil, nil, err
	}
	cond, err := c.condition(expr.Condition, condition, b)
	if err != nil {
		return nil, nil, err
	}
	return u, cond, b.unused()
}
