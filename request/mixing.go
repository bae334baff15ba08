package request

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// param is a parameter that a request may hold.
type param struct {
	name string
	set  bool
}

// params are the parameters of a request that exclude each other, in the order in which texts list them
// (behaviours/01 §1.6). The legacy ones are not used together with expressions; the placeholder maps make sense
// only with an expression.
//
// Presence counts, not content: an empty map is present.
type params struct {
	legacy      []param
	expressions []param
	names       bool // ExpressionAttributeNames is present
	values      bool // ExpressionAttributeValues is present
}

const projectionExpression = "ProjectionExpression"

// mixed returns the error of legacy parameters beside expressions.
func (p *params) mixed() *api.Error {
	if !anySet(p.legacy) || !anySet(p.expressions) {
		return nil
	}
	return api.ValidationEnv("Can not use both expression and non-expression parameters in the same request: " +
		"Non-expression parameters: {" + present(p.legacy) + "} Expression parameters: {" + present(p.expressions) + "}")
}

// misplaced returns the error of a placeholder map without an expression that could use it. A projection uses no
// values. The classic layer says which expressions it missed.
func (p *params) misplaced() *api.Error {
	if p.names && !anySet(p.expressions) {
		return errLoneNames
	}
	if !p.values {
		return nil
	}
	for i := range p.expressions {
		if p.expressions[i].set && p.expressions[i].name != projectionExpression {
			return nil
		}
	}
	return errLoneValues(p.expressions)
}

func errLoneValues(expressions []param) *api.Error {
	var missed []string
	for _, e := range expressions {
		if e.name != projectionExpression {
			missed = append(missed, e.name)
		}
	}
	verb := " is null"
	if len(missed) > 1 {
		verb = " are null"
	}
	const text = "ExpressionAttributeValues can only be specified when using expressions"
	return api.ValidationBoth(text+": "+strings.Join(missed, " and ")+verb, text)
}

var errLoneNames = api.ValidationEnv("ExpressionAttributeNames can only be specified when using expressions")

// check is mixed, then misplaced.
func (p *params) check() *api.Error {
	if err := p.mixed(); err != nil {
		return err
	}
	return p.misplaced()
}

func anySet(list []param) bool {
	for i := range list {
		if list[i].set {
			return true
		}
	}
	return false
}

// present lists the names of the parameters that are set.
func present(list []param) string {
	var b strings.Builder
	for _, p := range list {
		if !p.set {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.name)
	}
	return b.String()
}
