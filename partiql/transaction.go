package partiql

import (
	"context"
	"crypto/sha256"
	"strconv"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
)

var (
	errTransactMixed = api.Validation("ExecuteTransaction API does not support both read and write operations in the same request.")
	errTransactKey   = api.Validation("Select statements within ExecuteTransaction must specify the primary key in the where clause.")
	errTransactIndex = api.Validation("Reads on indices are not supported within transactions.")
	errReturning     = api.Validation("RETURNING clause is not supported in ExecuteTransaction.")
	errExistsForm    = api.Validation("EXISTS() must contain a single item read with additional condition")
)

// ExecuteTransaction runs up to 100 statements, all or none of them
// (behaviours/09 §9.9). The input has passed its member constraints. Errors
// are *api.Error.
func (e *Executor) ExecuteTransaction(ctx context.Context, r *engine.Region, s request.Scope, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	ses := &session{ctx, r, s, "ExecuteTransaction"}
	members := make([]member, len(in.TransactStatements))
	for i := range in.TransactStatements {
		m := &members[i]
		*m = e.member(in.TransactStatements[i].Statement.Value, in.TransactStatements[i].Parameters)
		if m.err != nil && m.statement == nil {
			return nil, m.failed(i, m.err)
		}
	}
	if mixed(members) {
		return nil, errTransactMixed
	}
	for i := range members {
		m := &members[i]
		if m.err == nil && m.returning != api.ReturnNone {
			m.err = errReturning
		}
		if m.err == nil {
			m.table, m.err = s.Table(ses.op, m.bound.table)
		}
		if m.err != nil {
			return nil, m.failed(i, m.err)
		}
	}
	if len(members) > 0 && members[0].kind.reads() {
		return ses.transactGet(members, in)
	}
	return ses.transactWrite(members, in)
}

// failed names the member in an error about its text. Faults of parameters
// and missing tables stand alone.
func (m *member) failed(i int, err *api.Error) *api.Error {
	if m.parameter || err.Code != api.CodeValidation {
		return err
	}
	return api.Validation("Validation failed in TransactStatements[" + strconv.Itoa(i) + "]: " + err.Message)
}

func (s *session) transactGet(members []member, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	cmd := &engine.TransactGet{
		Items:    make([]engine.TransactGetItem, len(members)),
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	for i := range members {
		m := &members[i]
		t, err := s.singleItem(m, i)
		if err != nil {
			return nil, err
		}
		if len(t.rest) > 0 {
			return nil, m.failed(i, errTransactKey)
		}
		cmd.Items[i] = engine.TransactGetItem{Table: m.table, Key: t.key, Projection: m.projection}
	}
	got, err := s.region.TransactGet(s.ctx, cmd)
	if err != nil {
		return nil, err
	}
	out := &api.ExecuteTransactionOutput{Responses: got.Responses, ConsumedCapacity: got.ConsumedCapacity}
	for i, v := range out.Responses {
		// As in TransactGetItems, an item of which nothing is selected is
		// left out.
		if v.Item != nil {
			out.Responses[i] = returned(members[i].show(v))
		}
	}
	return out, nil
}

// singleItem is the item that a SELECT or EXISTS reads.
func (s *session) singleItem(m *member, i int) (target, error) {
	schema, err := m.schema(s.region, m.table)
	if err != nil {
		return target{}, m.failed(i, asError(err))
	}
	t, ok, refused := m.target(schema)
	switch {
	case m.index != "":
		refused = errTransactIndex
	case !ok && m.kind == stmtExists:
		refused = errExistsForm
	case !ok:
		refused = errTransactKey
	}
	if refused != nil {
		return t, m.failed(i, refused)
	}
	return t, nil
}

// tokenScope keeps the tokens of ExecuteTransaction apart from those of
// TransactWriteItems. It is longer than any token, so none can look like it.
const tokenScope = "ClientRequestToken of ExecuteTransaction: "

func (s *session) transactWrite(members []member, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	cmd := &engine.TransactWrite{
		Actions:  make([]engine.TransactAction, len(members)),
		Capacity: api.ParseCapacityMode(in.ReturnConsumedCapacity),
	}
	for i := range members {
		if err := s.action(&members[i], i, &cmd.Actions[i]); err != nil {
			return nil, err
		}
		cmd.Actions[i].Table = members[i].table
		cmd.Actions[i].ReturnOnFailure = isAllOld(in.TransactStatements[i].ReturnValuesOnConditionCheckFailure)
	}
	if n := payload(members); n > api.MaxTransactBytes {
		const text = "Transaction payload size cannot exceed 4MB. Payload Size: "
		return nil, api.Validation(text + ": " + text + strconv.Itoa(n))
	}
	if in.ClientRequestToken.Set {
		cmd.Token = tokenScope + in.ClientRequestToken.Value
		cmd.Digest = requestDigest(members)
	}
	got, err := s.region.TransactWrite(s.ctx, cmd)
	if err != nil {
		return nil, duplicates(members, asError(err))
	}
	return &api.ExecuteTransactionOutput{Responses: []api.View{}, ConsumedCapacity: got.ConsumedCapacity}, nil
}

// action makes the action of one member, but for what all have in common.
func (s *session) action(m *member, i int, a *engine.TransactAction) error {
	if m.kind == stmtExists {
		t, err := s.singleItem(m, i)
		if err != nil {
			return err
		}
		if len(t.rest) == 0 {
			return m.failed(i, errExistsForm)
		}
		// As a ConditionCheck, it judges a missing item too.
		*a = engine.TransactAction{Kind: engine.ActionCheck, Item: t.key, Condition: m.all(t.rest)}
		return nil
	}
	if m.kind == stmtInsert {
		item, refused := m.insertItem()
		if refused != nil {
			return refused
		}
		schema, err := s.region.Schema(m.table, "")
		*a = engine.TransactAction{Kind: engine.ActionPut, Item: item}
		if err == nil {
			a.Condition = absent(schema)
		}
		return err
	}
	schema, err := s.region.Schema(m.table, "")
	if err != nil {
		return err
	}
	t, refused := m.writeTarget(schema)
	if refused != nil {
		return m.failed(i, refused)
	}
	if m.kind == stmtDelete {
		*a = engine.TransactAction{Kind: engine.ActionDelete, Item: t.key}
		if len(t.rest) > 0 {
			a.Condition = m.exists(schema, t.rest)
		}
		return nil
	}
	u, refused := m.update()
	if refused != nil {
		return m.failed(i, refused)
	}
	*a = engine.TransactAction{Kind: engine.ActionUpdate, Item: t.key, Update: u, Condition: m.exists(schema, t.rest)}
	return nil
}

// payload is the size that the limit of a transaction counts: what the
// request brings (behaviours/08 §8.3).
func payload(members []member) int {
	n := 0
	for i := range members {
		n += len(members[i].text)
		for j := range members[i].values {
			n += members[i].values[j].Value.Size()
		}
	}
	return n
}

// requestDigest tells requests under one token apart: by their statements and
// parameters.
func requestDigest(members []member) [32]byte {
	h := sha256.New()
	for i := range members {
		d := members[i].digest()
		h.Write(d[:])
	}
	return [32]byte(h.Sum(nil))
}

// duplicates words the reasons of an INSERT whose item exists.
func duplicates(members []member, err *api.Error) *api.Error {
	if err.Code != api.CodeTransactionCanceled {
		return err
	}
	for i := range err.Reasons {
		if r := &err.Reasons[i]; members[i].kind == stmtInsert && r.Code == api.ReasonConditionalCheckFailed {
			r.Code, r.Message, r.Item = api.ReasonDuplicateItem, errDuplicate.Message, nil
		}
	}
	return api.TransactionCanceled(err.Reasons)
}
