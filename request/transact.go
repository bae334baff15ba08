package request

import (
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/expr"
)

// TransactWrite compiles a TransactWriteItems. The actions are checked in request order, all checks of one before
// the next; then comes the size of the whole (behaviours/08 §8.3). What the tables decide, duplicate targets among
// it, is the engine's.
func (c *Compiler) TransactWrite(in *api.TransactWriteItemsInput, s Scope) (*engine.TransactWrite, error) {
	cmd := &engine.TransactWrite{
		Actions:  make([]engine.TransactAction, len(in.TransactItems)),
		Token:    in.ClientRequestToken.Value,
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
		Metrics:  isSize(in.ReturnItemCollectionMetrics),
	}
	for i := range in.TransactItems {
		if err := c.action(&in.TransactItems[i], s, &cmd.Actions[i]); err != nil {
			return nil, err
		}
	}
	if n := payloadBytes(in.TransactItems); n > api.MaxTransactBytes {
		return nil, errPayload(n)
	}
	if in.ClientRequestToken.Set {
		cmd.Digest = digest(in, cmd)
	}
	return cmd, nil
}

// errPayload has its text twice, as the service does.
func errPayload(n int) *api.Error {
	const text = "Transaction payload size cannot exceed 4MB. Payload Size: "
	return api.Validation(text + ": " + text + strconv.Itoa(n))
}

// The texts for an element with no action or several come from other emulators; what the service says was not
// recorded.
var (
	errManyActions = api.Validation("TransactItems can only contain one of Check, Put, Update or Delete")
	errNoAction    = api.Validation("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
)

// actionParts are the parts that all kinds of actions have in common.
type actionParts struct {
	kind              engine.ActionKind
	table             string
	item              *api.Item // of a put; else the key
	update, condition api.String
	names             []api.Name
	values            []api.NamedValue
	onFailure         api.String
}

// parts returns what an element of a transaction asks for. ok is false unless it holds exactly one action.
func parts(e *api.TransactWriteItem) (p actionParts, n int) {
	if a := e.ConditionCheck; a != nil {
		n++
		p = actionParts{engine.ActionCheck, a.TableName.Value, &a.Key, api.String{}, a.ConditionExpression,
			a.ExpressionAttributeNames, a.ExpressionAttributeValues, a.ReturnValuesOnConditionCheckFailure}
	}
	if a := e.Put; a != nil {
		n++
		p = actionParts{engine.ActionPut, a.TableName.Value, &a.Item, api.String{}, a.ConditionExpression,
			a.ExpressionAttributeNames, a.ExpressionAttributeValues, a.ReturnValuesOnConditionCheckFailure}
	}
	if a := e.Delete; a != nil {
		n++
		p = actionParts{engine.ActionDelete, a.TableName.Value, &a.Key, api.String{}, a.ConditionExpression,
			a.ExpressionAttributeNames, a.ExpressionAttributeValues, a.ReturnValuesOnConditionCheckFailure}
	}
	if a := e.Update; a != nil {
		n++
		p = actionParts{engine.ActionUpdate, a.TableName.Value, &a.Key, a.UpdateExpression, a.ConditionExpression,
			a.ExpressionAttributeNames, a.ExpressionAttributeValues, a.ReturnValuesOnConditionCheckFailure}
	}
	return p, n
}

// action compiles one action: values, placement, placeholders, expressions, unused placeholders, size.
func (c *Compiler) action(e *api.TransactWriteItem, s Scope, act *engine.TransactAction) *api.Error {
	p, n := parts(e)
	switch {
	case n == 0:
		return errNoAction
	case n > 1:
		return errManyActions
	}
	table, err := s.Table("TransactWriteItems", p.table)
	if err != nil {
		return err
	}
	if err := valueFault(p.item); err != nil {
		return err
	}
	expressions := []param{{"ConditionExpression", p.condition.Set}}
	if p.kind == engine.ActionUpdate {
		expressions = []param{{"UpdateExpression", p.update.Set}, {"ConditionExpression", p.condition.Set}}
	}
	place := params{expressions: expressions, names: p.names != nil, values: p.values != nil}
	if err := place.misplaced(); err != nil {
		return err
	}
	var update *expr.Update
	var cond *expr.Predicate
	if p.update.Set || p.condition.Set {
		if update, cond, err = c.updateAndCondition(p.update, p.condition, p.names, p.values); err != nil {
			return err
		}
	}
	item := keyItem(p.item)
	if p.kind == engine.ActionPut {
		if err := itemSize(item); err != nil {
			return err
		}
	}
	*act = engine.TransactAction{
		Kind:            p.kind,
		Table:           table,
		Item:            item,
		Update:          update,
		Condition:       cond,
		ReturnOnFailure: isAllOld(p.onFailure),
	}
	return nil
}

// payloadBytes is the size that a transaction's limit counts: what the request brings, not what is stored
// (behaviours/08 §8.3). How the service counts the rest besides items is not known.
func payloadBytes(items []api.TransactWriteItem) int {
	total := 0
	for i := range items {
		p, n := parts(&items[i])
		if n != 1 {
			continue
		}
		total += p.item.Item.Size() + len(p.update.Value) + len(p.condition.Value)
		for _, v := range p.values {
			total += len(v.Name) + v.Value.Size()
		}
		for _, v := range p.names {
			total += len(v.Placeholder) + len(v.Target)
		}
	}
	return total
}

// TransactGet compiles a TransactGetItems. Each element is checked in request order: key values, names, projection,
// unused names (behaviours/08 §8.6).
func (c *Compiler) TransactGet(in *api.TransactGetItemsInput, s Scope) (*engine.TransactGet, error) {
	cmd := &engine.TransactGet{
		Items:    make([]engine.TransactGetItem, len(in.TransactItems)),
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	for i := range in.TransactItems {
		if err := c.transactGet(in.TransactItems[i].Get, s, &cmd.Items[i]); err != nil {
			return nil, err
		}
	}
	return cmd, nil
}

func (c *Compiler) transactGet(get *api.Get, s Scope, item *engine.TransactGetItem) *api.Error {
	if get == nil {
		get = &api.Get{}
	}
	table, err := s.Table("TransactGetItems", get.TableName.Value)
	if err != nil {
		return err
	}
	if err := valueFault(&get.Key); err != nil {
		return err
	}
	place := params{
		expressions: []param{{projectionExpression, get.ProjectionExpression.Set}},
		names:       get.ExpressionAttributeNames != nil,
	}
	if err := place.misplaced(); err != nil {
		return err
	}
	proj, err := c.onlyProjection(get.ProjectionExpression, nil, get.ExpressionAttributeNames)
	if err != nil {
		return err
	}
	*item = engine.TransactGetItem{Table: table, Key: keyItem(&get.Key), Projection: proj}
	return nil
}
