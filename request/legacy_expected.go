package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// expected turns Expected into a condition; nil when there is nothing to expect.
func expected(list []api.NamedExpected, op api.String) (*expr.Predicate, *api.Error) {
	if len(list) == 0 {
		return nil, nil
	}
	conditions := make([]*expr.Predicate, len(list))
	for i := range list {
		var err *api.Error
		if conditions[i], err = expectedOne(&list[i]); err != nil {
			return nil, err
		}
	}
	return joined(conditions, op), nil
}

// expectedFault is the first value fault of an entry, Value before AttributeValueList.
func expectedFault(e *api.NamedExpected) *attr.Fault {
	if e.Value.Fault != nil {
		return e.Value.Fault
	}
	for i := range e.AttributeValueList {
		if f := e.AttributeValueList[i].Fault; f != nil {
			return f
		}
	}
	return nil
}

// expectedOne checks one entry in the order of behaviours/05 §5.4 and makes its condition.
func expectedOne(e *api.NamedExpected) (*expr.Predicate, *api.Error) {
	if f := expectedFault(e); f != nil {
		return nil, api.FaultError(f)
	}
	hasList := e.AttributeValueList != nil
	if e.Value.Set && hasList {
		return nil, errExpected("Value and AttributeValueList cannot be used together for Attribute: ", e)
	}
	path := attr.NamePath(e.Name)
	if e.ComparisonOperator.Set {
		return expectedComparison(e, path)
	}
	if hasList {
		return nil, errExpected("AttributeValueList can only be used with a ComparisonOperator for Attribute: ", e)
	}
	exists := !e.Exists.Set || e.Exists.Value
	switch {
	case exists && !e.Value.Set:
		how := "null"
		if e.Exists.Set {
			how = "true"
		}
		return nil, errExpected("Value must be provided when Exists is "+how+" for Attribute: ", e)
	case !exists && e.Value.Set:
		return nil, errExpected("Value cannot be used when Exists is false for Attribute: ", e)
	case !exists:
		return expr.Compare(path, expr.Null), nil
	}
	return expr.Compare(path, expr.EQ, e.Value.Value), nil
}

// expectedComparison is an entry with a ComparisonOperator. A Value acts as a list of one.
func expectedComparison(e *api.NamedExpected, path attr.Path) (*expr.Predicate, *api.Error) {
	if e.Exists.Set {
		return nil, errExpected("Exists and ComparisonOperator cannot be used together for Attribute: ", e)
	}
	op, ok := expr.ParseOperator(e.ComparisonOperator.Value)
	if !ok {
		return nil, errBadOperator
	}
	list := e.AttributeValueList
	if e.Value.Set {
		list = []api.Value{e.Value}
	}
	if list == nil && op != expr.Null && op != expr.NotNull {
		return nil, errExpected("Value or AttributeValueList must be used with ComparisonOperator: "+op.String()+
			" for Attribute: ", e)
	}
	if err := checkComparison(op, list); err != nil {
		return nil, err
	}
	return expr.Compare(path, op, plainValues(list)...), nil
}

func errExpected(text string, e *api.NamedExpected) *api.Error {
	return api.ValidationEnv(invalidParameter + text + e.Name)
}
