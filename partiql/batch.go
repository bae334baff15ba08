package partiql

import (
	"context"
	"errors"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
)

var (
	errBatchMixed     = api.Validation("Read and write requests together in the same batch is not supported.")
	errBatchDuplicate = api.Validation("Provided list of item keys contains duplicates")
	errBatchKey       = api.Validation("Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
)

// member is one statement of a batch or of a transaction.
type member struct {
	bound
	err       *api.Error // that it can't run
	parameter bool       // err is a fault of a parameter
	table     string     // bare name
}

// BatchExecuteStatement runs up to 25 statements, each by itself (behaviours/09
// §9.8). The input has passed its member constraints. Errors are *api.Error;
// those of single statements are part of the output.
func (e *Executor) BatchExecuteStatement(ctx context.Context, r *engine.Region, s request.Scope, in *api.BatchExecuteStatementInput) (*api.BatchExecuteStatementOutput, error) {
	ses := &session{ctx, r, s, "BatchExecuteStatement"}
	members := make([]member, len(in.Statements))
	for i := range in.Statements {
		members[i] = e.member(in.Statements[i].Statement.Value, in.Statements[i].Parameters)
		if m := &members[i]; m.err == nil {
			m.table, m.err = s.Table(ses.op, m.bound.table)
		}
	}
	if mixed(members) {
		return nil, errBatchMixed
	}
	if ses.sameItem(members) {
		return nil, errBatchDuplicate
	}
	mode := api.ParseCapacityMode(in.ReturnConsumedCapacity)
	out := &api.BatchExecuteStatementOutput{Responses: make([]api.BatchStatementResponse, len(members))}
	bill := batchBill{mode: mode}
	for i := range members {
		m := &members[i]
		o := options{
			consistent: in.Statements[i].ConsistentRead.Value,
			capacity:   mode,
			// The stored item tells what a failed write is charged.
			onFailure: mode != api.CapacityNone,
		}
		pg, err := ses.runMember(m, o)
		out.Responses[i] = response(m, pg, err)
		bill.add(m, pg, err)
	}
	out.ConsumedCapacity = bill.report()
	return out, nil
}

// member compiles one statement and binds it.
func (e *Executor) member(text string, values []api.Value) member {
	st, err := e.cache.statement(text)
	if err != nil {
		return member{err: err}
	}
	b, parameter, err := st.bind(values)
	return member{bound: b, err: err, parameter: parameter}
}

// mixed reports whether there are reads and writes. Statements that can't be
// parsed are left out.
func mixed(members []member) bool {
	reads, writes := false, false
	for i := range members {
		if st := members[i].statement; st != nil {
			reads = reads || st.kind.reads()
			writes = writes || !st.kind.reads()
		}
	}
	return reads && writes
}

// sameItem reports whether two members name one item. Those that name none
// fail by themselves later.
func (s *session) sameItem(members []member) bool {
	seen := make(map[string]bool, len(members))
	for i := range members {
		m := &members[i]
		if m.err != nil || m.index != "" {
			continue
		}
		key := s.itemOf(m)
		if key == nil {
			continue
		}
		name := m.table + "\x00" + key.Text()
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// itemOf is the key of the item that a member is about, or nil. Its
// attributes are in the order of the schema.
func (s *session) itemOf(m *member) *attr.Item {
	schema, err := s.region.Schema(m.table, "")
	if err != nil {
		return nil
	}
	if m.kind != stmtInsert {
		t, _, refused := m.target(schema)
		if refused != nil {
			return nil
		}
		return t.key
	}
	item, refused := m.insertItem()
	if refused != nil {
		return nil
	}
	fields := make([]attr.Field, schema.Key.Len())
	for i := range fields {
		k := keyAttribute(schema.Key, i)
		v, ok := item.Lookup(k.Name)
		if !ok || v.Type() != k.Type {
			return nil
		}
		fields[i] = attr.Field{Name: k.Name, Value: v}
	}
	return attr.NewItem(fields...)
}

func (s *session) runMember(m *member, o options) (page, error) {
	switch {
	case m.err != nil:
		return page{}, m.err
	case m.kind == stmtExists:
		return page{}, errExists
	case m.kind != stmtSelect:
		return s.run(m.bound, place{}, o)
	}
	schema, err := m.schema(s.region, m.table)
	if err != nil {
		return page{}, err
	}
	if err := m.checkSelect(schema, false); err != nil {
		return page{}, err
	}
	t, ok, refused := m.target(schema)
	switch {
	case m.index != "" || !ok || len(t.rest) > 0:
		return page{}, errBatchKey
	case refused != nil:
		return page{}, refused
	}
	r := &reader{s.ctx, s.region, m.table, o.consistent, 0, o.capacity}
	return r.get(m.bound, t.key, nil)
}

// response is the answer to one member. A member that ran names its table,
// also when it failed.
func response(m *member, pg page, err error) api.BatchStatementResponse {
	if err == nil {
		return api.BatchStatementResponse{TableName: m.table, Item: pg.only}
	}
	e := asError(err)
	r := api.BatchStatementResponse{Error: &api.BatchStatementError{Code: shortCode(e.Code), Message: e.Error()}}
	if ran(e) {
		r.TableName = m.table
	}
	return r
}

func asError(err error) *api.Error {
	var e *api.Error
	if !errors.As(err, &e) {
		return api.Internal(err.Error())
	}
	return e
}

// ran reports whether a statement that failed had reached its item.
func ran(e *api.Error) bool {
	switch e.Code {
	case api.CodeConditionalCheckFailed, api.CodeDuplicateItem, api.CodeItemCollectionSizeLimitExceeded:
		return true
	}
	return false
}

// shortCode is the code of an exception as batches print it.
func shortCode(code string) string {
	switch code {
	case api.CodeValidation:
		return "ValidationError"
	case api.CodeConditionalCheckFailed:
		return "ConditionalCheckFailed"
	case api.CodeDuplicateItem:
		return "DuplicateItem"
	case api.CodeResourceNotFound:
		return "ResourceNotFound"
	case api.CodeItemCollectionSizeLimitExceeded:
		return "ItemCollectionSizeLimitExceeded"
	case api.CodeProvisionedThroughputExceeded:
		return "ProvisionedThroughputExceeded"
	case api.CodeTransactionConflict:
		return "TransactionConflict"
	case api.CodeThrottling:
		return "ThrottlingError"
	case api.CodeRequestLimitExceeded:
		return "RequestLimitExceeded"
	case api.CodeAccessDenied:
		return "AccessDenied"
	}
	return "InternalServerError"
}

// batchBill adds up what a batch consumed, table by table. A write that
// failed at its item is charged as attempted; a table on which nothing
// succeeded is left out (behaviours/07 §7.8).
type batchBill struct {
	mode   api.CapacityMode
	tables []tableBill
}

type tableBill struct {
	table     string
	sum       *api.ConsumedCapacity
	succeeded bool
}

func (b *batchBill) add(m *member, pg page, err error) {
	if b.mode == api.CapacityNone || err != nil && !ran(asError(err)) {
		return
	}
	t := b.of(m.table)
	if err == nil {
		t.succeeded = true
		t.sum = addCapacity(t.sum, pg.capacity)
		return
	}
	bytes := asError(err).Item.Size()
	if m.kind == stmtInsert {
		if item, refused := m.insertItem(); refused == nil {
			bytes = max(bytes, item.Size())
		}
	}
	units := float64(max(1, (bytes+1023)/1024))
	t.sum = addCapacity(t.sum, tableCapacity(m.table, b.mode, units))
}

func (b *batchBill) of(table string) *tableBill {
	for i := range b.tables {
		if b.tables[i].table == table {
			return &b.tables[i]
		}
	}
	b.tables = append(b.tables, tableBill{table: table})
	return &b.tables[len(b.tables)-1]
}

func (b *batchBill) report() []api.ConsumedCapacity {
	var list []api.ConsumedCapacity
	for _, t := range b.tables {
		if t.succeeded && t.sum != nil {
			list = append(list, *t.sum)
		}
	}
	return list
}
