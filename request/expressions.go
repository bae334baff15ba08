package request

import (
	"errors"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/expr"
)

// condition compiles a ConditionExpression or FilterExpression; nil when there is none.
func (c *Compiler) condition(kind expr.Kind, text api.String, b *bindings) (*expr.Predicate, *api.Error) {
	if !text.Set {
		return nil, nil
	}
	p, err := c.Cache.Condition(kind, text.Value, b.placeholders())
	if err != nil {
		return nil, expressionError(err)
	}
	return p, nil
}

// update compiles an UpdateExpression; nil when there is none.
func (c *Compiler) update(text api.String, b *bindings) (*expr.Update, *api.Error) {
	if !text.Set {
		return nil, nil
	}
	u, err := c.Cache.Update(text.Value, b.placeholders())
	if err != nil {
		return nil, expressionError(err)
	}
	return u, nil
}

// projection compiles a ProjectionExpression; nil when there is none.
func (c *Compiler) projection(text api.String, b *bindings) (*expr.Projection, *api.Error) {
	if !text.Set {
		return nil, nil
	}
	p, err := c.Cache.Projection(text.Value, b.placeholders())
	if err != nil {
		return nil, expressionError(err)
	}
	return p, nil
}

// expressionError gives a fault of an expression its place in the service's errors. Operations that envelope
// their errors envelope these too (behaviours.md, "Two wordings").
func expressionError(err error) *api.Error {
	var fault *expr.Error
	if !errors.As(err, &fault) {
		return api.Internal(err.Error())
	}
	return api.ValidationBoth(fault.Error(), fault.Current())
}

// isLate tells that the service reports a fault after the other expressions and the unused placeholders.
func isLate(err error) bool {
	var fault *expr.Error
	return errors.As(err, &fault) && fault.Late
}
