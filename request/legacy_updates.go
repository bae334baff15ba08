package request

import (
	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
)

// attributeUpdates turns AttributeUpdates into an update; nil when there are none.
func attributeUpdates(list []api.NamedUpdate) (*expr.Update, *api.Error) {
	if len(list) == 0 {
		return nil, nil
	}
	actions := make([]expr.Action, len(list))
	for i := range list {
		var err *api.Error
		if actions[i], err = attributeUpdate(&list[i]); err != nil {
			return nil, err
		}
	}
	update, err := expr.NewUpdate(actions...)
	if err != nil {
		return nil, expressionError(err) // one name twice; the decoder refuses that
	}
	return update, nil
}

// attributeUpdate checks one entry in the order of behaviours/05 §5.3: value faults, a missing value, the type that
// DELETE takes, the type that ADD takes.
func attributeUpdate(u *api.NamedUpdate) (expr.Action, *api.Error) {
	if f := u.Value.Fault; f != nil {
		return expr.Action{}, api.FaultError(f)
	}
	if f := attr.NameFault(u.Name); f != nil {
		return expr.Action{}, api.FaultError(f)
	}
	path, value := attr.NamePath(u.Name), u.Value.Value
	action := u.Action.Or("PUT")
	switch typ := value.Type(); {
	case !u.Value.Set && action == "DELETE":
		return expr.Remove(path), nil
	case !u.Value.Set:
		return expr.Action{}, errNoUpdateValue
	case action == "DELETE":
		if !typ.IsSet() {
			return expr.Action{}, api.ValidationEnv(invalidParameter +
				"DELETE action with value is not supported for the type " + typ.String())
		}
		return expr.LegacyDelete(path, value), nil
	case action == "ADD":
		if typ != attr.N && typ != attr.L && !typ.IsSet() {
			return expr.Action{}, api.ValidationEnv(invalidParameter + "ADD action is not supported for the type " + typ.String())
		}
		return expr.LegacyAdd(path, value), nil
	}
	return expr.Set(path, expr.Literal(value)), nil
}

var errNoUpdateValue = api.ValidationEnv(invalidParameter + "Only DELETE action is allowed when no attribute value is specified")
