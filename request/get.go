package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// Get compiles a GetItem. The order of checks is that of behaviours/01 §1.6: mixing, key values, duplicates in
// AttributesToGet, names, projection, unused names.
func (c *Compiler) Get(in *api.GetItemInput, s Scope) (*engine.Get, error) {
	table, err := s.Table("GetItem", in.TableName.Value)
	if err != nil {
		return nil, err
	}
	mix := params{
		legacy:      []param{{"AttributesToGet", in.AttributesToGet != nil}},
		expressions: []param{{projectionExpression, in.ProjectionExpression.Set}},
		names:       in.ExpressionAttributeNames != nil,
	}
	if err := mix.check(); err != nil {
		return nil, err
	}
	if err := valueFault(&in.Key); err != nil {
		return nil, err
	}
	if err := duplicateName(in.AttributesToGet); err != nil {
		return nil, err
	}
	proj, err := c.onlyProjection(in.ProjectionExpression, in.AttributesToGet, in.ExpressionAttributeNames)
	if err != nil {
		return nil, err
	}
	return &engine.Get{
		Table:      table,
		Key:        keyItem(&in.Key),
		Projection: proj,
		Consistent: in.ConsistentRead.Value,
		Capacity:   api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}, nil
}

// onlyProjection compiles what a read that knows no other expression shows: names, projection, unused names. It is
// nil for the whole item.
func (c *Compiler) onlyProjection(text api.String, toGet []string, names []api.Name) (*expr.Projection, *api.Error) {
	if toGet != nil {
		return attributesToGet(toGet), nil
	}
	if !text.Set {
		return nil, nil
	}
	b, err := bind(names, nil)
	if err != nil {
		return nil, err
	}
	p, err := c.projection(text, b)
	if err != nil {
		return nil, err
	}
	return p, b.unused()
}
