package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// Query compiles a Query. The order of checks is that of behaviours/01 §1.6: mixing, QueryFilter, duplicates in
// AttributesToGet, values of the start key, presence of a key condition, placeholders, key condition, filter and
// projection expressions, unused placeholders, shape of the key condition, Select.
func (c *Compiler) Query(in *api.QueryInput, s Scope) (*engine.Query, error) {
	table, err := s.Table("Query", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	cmd := &engine.Query{
		Table:        table,
		Index:        in.IndexName.Value,
		FilterLegacy: in.QueryFilter != nil,
		Limit:        int(in.Limit.Value),
		Consistent:   in.ConsistentRead.Value,
		Backward:     in.ScanIndexForward.Set && !in.ScanIndexForward.Value,
		Capacity:     api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	if err := c.queryParameters(in, cmd); err != nil {
		return nil, err
	}
	if err := c.queryExpressions(in, cmd); err != nil {
		return nil, err
	}
	cmd.Select, err = selected(in.Select, in.AttributesToGet, in.ProjectionExpression, in.IndexName)
	if err != nil {
		return nil, err
	}
	return cmd, nil
}

// queryParameters makes the checks that come before the expressions.
func (c *Compiler) queryParameters(in *api.QueryInput, cmd *engine.Query) *api.Error {
	mix := params{
		legacy: []param{
			{"AttributesToGet", in.AttributesToGet != nil},
			{"QueryFilter", in.QueryFilter != nil},
			{"ConditionalOperator", in.ConditionalOperator.Set},
			// Key conditions mix with expressions other than their own.
			{"KeyConditions", in.KeyConditions != nil && in.KeyConditionExpression.Set},
		},
		expressions: []param{
			{projectionExpression, in.ProjectionExpression.Set},
			{"FilterExpression", in.FilterExpression.Set},
			{"KeyConditionExpression", in.KeyConditionExpression.Set},
		},
		names:  in.ExpressionAttributeNames != nil,
		values: in.ExpressionAttributeValues != nil,
	}
	if err := mix.check(); err != nil {
		return err
	}
	if err := loneOperator(in.ConditionalOperator, len(in.QueryFilter)); err != nil {
		return err
	}
	var err *api.Error
	if cmd.Filter, err = legacyFilter(in.QueryFilter, in.ConditionalOperator); err != nil {
		return err
	}
	if err := duplicateName(in.AttributesToGet); err != nil {
		return err
	}
	if in.ExclusiveStartKey.Set {
		if err := startFault(&in.ExclusiveStartKey, false); err != nil {
			return err
		}
		cmd.Start = keyItem(&in.ExclusiveStartKey)
	}
	if len(in.KeyConditions) == 0 && !in.KeyConditionExpression.Set {
		return errNoKeyCondition
	}
	return nil
}

var errNoKeyCondition = api.Validation("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")

// queryExpressions compiles the expressions of a query, or what the legacy parameters have in their place. Faults of
// the key condition's shape wait until the other expressions and the placeholders are found to be good.
func (c *Compiler) queryExpressions(in *api.QueryInput, cmd *engine.Query) *api.Error {
	b, err := bind(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return err
	}
	var late *api.Error
	if in.KeyConditionExpression.Set {
		key, err := c.Cache.KeyCondition(in.KeyConditionExpression.Value, b.placeholders())
		switch {
		case err == nil:
			cmd.Key = key
		case isLate(err):
			late = expressionError(err)
		default:
			return expressionError(err)
		}
	}
	if in.FilterExpression.Set {
		if cmd.Filter, err = c.condition(expr.Filter, in.FilterExpression, b); err != nil {
			return err
		}
	}
	if cmd.Projection, err = c.projection(in.ProjectionExpression, b); err != nil {
		return err
	}
	if in.AttributesToGet != nil {
		cmd.Projection = attributesToGet(in.AttributesToGet)
	}
	if err := b.unused(); err != nil {
		return err
	}
	if late != nil || cmd.Key != nil {
		return late
	}
	cmd.Key, err = keyConditions(in.KeyConditions)
	return err
}
