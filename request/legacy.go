package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// The legacy parameters (behaviours/05) become the programs of package expr. Their names are plain top-level
// attributes: no dots, no reserved words, no placeholders.

// attributesToGet is the projection of AttributesToGet, whose names are distinct.
func attributesToGet(names []string) *expr.Projection {
	paths := make([]attr.Path, len(names))
	for i, name := range names {
		paths[i] = attr.NamePath(name)
	}
	return expr.NewProjection(paths...)
}

// loneOperator returns the error of a ConditionalOperator without at least two conditions to join. The text for none
// at all comes from public recordings; the reference has that it is refused.
func loneOperator(op api.String, conditions int) *api.Error {
	switch {
	case !op.Set || conditions > 1:
		return nil
	case conditions == 1:
		return errOneCondition
	}
	return errNoConditions
}

var (
	errOneCondition = api.ValidationEnv("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	errNoConditions = api.ValidationEnv("ConditionalOperator cannot be used without Filter or Expected")
)

// joined is the condition that all, or with the operator OR any, of the conditions hold. Nil when there are none.
func joined(conditions []*expr.Predicate, op api.String) *expr.Predicate {
	switch {
	case len(conditions) == 0:
		return nil
	case len(conditions) == 1:
		return conditions[0]
	case op.Value == "OR":
		return expr.Or(conditions...)
	}
	return expr.And(conditions...)
}

// legacyFilter turns QueryFilter or ScanFilter into a filter; nil when there are no conditions.
func legacyFilter(filter []api.NamedCondition, op api.String) (*expr.Predicate, *api.Error) {
	if len(filter) == 0 {
		return nil, nil
	}
	conditions := make([]*expr.Predicate, len(filter))
	for i := range filter {
		f := &filter[i]
		cmp, err := checkCondition(&f.Condition)
		if err != nil {
			return nil, err
		}
		conditions[i] = expr.Compare(attr.NamePath(f.Name), cmp, plainValues(f.AttributeValueList)...)
	}
	return joined(conditions, op), nil
}

// keyConditions turns KeyConditions into clauses. Operators that no index can serve are left to the engine, which
// first looks at the table.
func keyConditions(conditions []api.NamedCondition) (*expr.KeyCondition, *api.Error) {
	key := &expr.KeyCondition{Clauses: make([]expr.KeyClause, len(conditions))}
	for i := range conditions {
		c := &conditions[i]
		op, err := checkCondition(&c.Condition)
		if err != nil {
			return nil, err
		}
		clause := &key.Clauses[i]
		clause.Name, clause.Op = c.Name, op
		clause.N = copy(clause.Values[:], plainValues(c.AttributeValueList))
	}
	return key, nil
}

// checkCondition judges one condition of a filter or of KeyConditions: value faults, then the rules of comparison.
func checkCondition(c *api.Condition) (expr.Operator, *api.Error) {
	for i := range c.AttributeValueList {
		if f := c.AttributeValueList[i].Fault; f != nil {
			return 0, api.FaultError(f)
		}
	}
	op, ok := expr.ParseOperator(c.ComparisonOperator.Value)
	if !ok {
		return 0, errBadOperator
	}
	return op, checkComparison(op, c.AttributeValueList)
}

// errBadOperator stands in for a member constraint that was not checked.
var errBadOperator = api.Validation(invalidParameter + "Invalid ComparisonOperator")

// checkComparison judges the values of a comparison (behaviours/05 §5.5): their number, that they are of one type,
// that the operator takes the type, and the order of BETWEEN's bounds.
func checkComparison(op expr.Operator, values []api.Value) *api.Error {
	if !takesCount(op, len(values)) {
		return api.ValidationEnv(invalidParameter + "Invalid number of argument(s) for the " + op.String() + " ComparisonOperator")
	}
	if len(values) == 0 {
		return nil
	}
	typ := values[0].Value.Type()
	for i := range values[1:] {
		if values[1+i].Value.Type() != typ {
			return errMixedTypes
		}
	}
	if !takesType(op, typ) {
		return api.ValidationEnv(invalidParameter + "ComparisonOperator " + op.String() + " is not valid for " +
			typ.String() + " AttributeValue type")
	}
	if op == expr.Between {
		if c, ok := attr.Compare(values[0].Value, values[1].Value); ok && c > 0 {
			return errReversed
		}
	}
	return nil
}

var (
	errMixedTypes = api.ValidationEnv(invalidParameter + "AttributeValues inside AttributeValueList must be of same type")
	errReversed   = api.ValidationEnv("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
)

func takesCount(op expr.Operator, n int) bool {
	switch op {
	case expr.Null, expr.NotNull:
		return n == 0
	case expr.In:
		return n > 0
	case expr.Between:
		return n == 2
	}
	return n == 1
}

func takesType(op expr.Operator, t attr.Type) bool {
	switch op {
	case expr.EQ, expr.NE:
		return true
	case expr.BeginsWith:
		return t == attr.S || t == attr.B
	}
	return t == attr.S || t == attr.N || t == attr.B
}

// plainValues are the values without what belongs to checking.
func plainValues(list []api.Value) []attr.Value {
	if len(list) == 0 {
		return nil
	}
	values := make([]attr.Value, len(list))
	for i := range list {
		values[i] = list[i].Value
	}
	return values
}
