package request

import (
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// Scan compiles a Scan. The order of checks is that of behaviours/01 §1.6: mixing, duplicates in AttributesToGet,
// ScanFilter, values of the start key, segments, expressions, unused placeholders, Select.
func (c *Compiler) Scan(in *api.ScanInput, s Scope) (*engine.Scan, error) {
	table, err := s.Table("Scan", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	cmd := &engine.Scan{
		Table:         table,
		Index:         in.IndexName.Value,
		Limit:         int(in.Limit.Value),
		Consistent:    in.ConsistentRead.Value,
		Segment:       int(in.Segment.Value),
		TotalSegments: int(in.TotalSegments.Value),
		Capacity:      api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	if err := c.scanParameters(in, cmd); err != nil {
		return nil, err
	}
	if err := c.scanExpressions(in, cmd); err != nil {
		return nil, err
	}
	cmd.Select, err = selected(in.Select, in.AttributesToGet, in.ProjectionExpression, in.IndexName)
	if err != nil {
		return nil, err
	}
	return cmd, nil
}

// scanParameters makes the checks that come before the expressions.
func (c *Compiler) scanParameters(in *api.ScanInput, cmd *engine.Scan) *api.Error {
	mix := params{
		legacy: []param{
			{"AttributesToGet", in.AttributesToGet != nil},
			{"ScanFilter", in.ScanFilter != nil},
			{"ConditionalOperator", in.ConditionalOperator.Set},
		},
		expressions: []param{
			{projectionExpression, in.ProjectionExpression.Set},
			{"FilterExpression", in.FilterExpression.Set},
		},
		names:  in.ExpressionAttributeNames != nil,
		values: in.ExpressionAttributeValues != nil,
	}
	if err := mix.check(); err != nil {
		return err
	}
	if err := loneOperator(in.ConditionalOperator, len(in.ScanFilter)); err != nil {
		return err
	}
	if err := duplicateName(in.AttributesToGet); err != nil {
		return err
	}
	var err *api.Error
	if cmd.Filter, err = legacyFilter(in.ScanFilter, in.ConditionalOperator); err != nil {
		return err
	}
	if in.ExclusiveStartKey.Set {
		if err := startFault(&in.ExclusiveStartKey, true); err != nil {
			return err
		}
		cmd.Start = keyItem(&in.ExclusiveStartKey)
	}
	return segments(in.Segment, in.TotalSegments)
}

// scanExpressions compiles the expressions of a scan, or AttributesToGet in the projection's place.
func (c *Compiler) scanExpressions(in *api.ScanInput, cmd *engine.Scan) *api.Error {
	b, err := bind(in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return err
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
	return b.unused()
}

// segments judges Segment and TotalSegments against each other (behaviours/06 §6.7). A Segment of 0 is present.
func segments(segment, total api.Int) *api.Error {
	switch {
	case segment.Set && !total.Set:
		return errNoTotalSegments
	case total.Set && !segment.Set:
		return errNoSegment
	case segment.Set && segment.Value >= total.Value:
		const text = "The Segment parameter is zero-based and must be less than parameter TotalSegments"
		return &api.Error{
			Code: api.CodeValidation,
			Message: text + ": Segment: " + strconv.FormatInt(segment.Value, 10) +
				" is not less than TotalSegments: " + strconv.FormatInt(total.Value, 10),
			Current: text,
		}
	}
	return nil
}

var (
	errNoTotalSegments = api.Validation("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	errNoSegment       = api.Validation("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
)
