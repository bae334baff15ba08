package partiql

import (
	"context"
	"errors"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/request"
)

// Executor runs statements. One serves a whole database; it is safe for
// concurrent use. The zero Executor works, without a cache.
type Executor struct {
	cache *cache
}

// New returns an Executor that keeps up to size statements, or
// [DefaultCacheSize] when size is not positive.
func New(size int) *Executor { return &Executor{cache: newCache(size)} }

// session is where a request runs.
type session struct {
	ctx    context.Context
	region *engine.Region
	scope  request.Scope
	op     string // name of the operation
}

// ExecuteStatement runs one statement, or one page of it. The input has
// passed its member constraints. Errors are *api.Error.
func (e *Executor) ExecuteStatement(ctx context.Context, r *engine.Region, s request.Scope, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	ses := &session{ctx, r, s, "ExecuteStatement"}
	st, err := e.cache.statement(in.Statement.Value)
	if err != nil {
		return nil, err
	}
	if st.kind == stmtExists {
		return nil, errExists
	}
	b, _, err := st.bind(in.Parameters)
	if err != nil {
		return nil, err
	}
	from, err := b.resume(in.NextToken)
	if err != nil {
		return nil, err
	}
	o := options{
		consistent: in.ConsistentRead.Value,
		limit:      int(in.Limit.Value),
		capacity:   api.ParseCapacityMode(in.ReturnConsumedCapacity),
		// The error of an INSERT shows no item.
		onFailure: isAllOld(in.ReturnValuesOnConditionCheckFailure) && st.kind != stmtInsert,
	}
	pg, failed := ses.run(b, from, o)
	if failed != nil {
		return nil, failed
	}
	// The output with room for the one row of most statements.
	out := &struct {
		api.ExecuteStatementOutput
		row [1]api.View
	}{}
	out.Items, out.ConsumedCapacity = pg.rows(out.row[:0]), pg.capacity
	if pg.next != nil {
		out.NextToken = b.token(*pg.next)
		out.LastEvaluatedKey = pg.next.start
	}
	return &out.ExecuteStatementOutput, nil
}

// isAllOld reports whether ReturnValuesOnConditionCheckFailure asks for the
// stored item.
func isAllOld(s api.String) bool { return s.Value == "ALL_OLD" }

// options are the members of a request besides the statement.
type options struct {
	consistent bool
	limit      int
	capacity   api.CapacityMode
	onFailure  bool // return the stored item when a condition fails
}

// run carries out a statement that is not part of a transaction.
func (s *session) run(b bound, from place, o options) (page, error) {
	if b.kind == stmtInsert {
		return s.insert(b, o)
	}
	table, err := s.scope.Table(s.op, b.table)
	if err != nil {
		return page{}, err
	}
	switch b.kind {
	case stmtUpdate:
		return s.update(b, table, o)
	case stmtDelete:
		return s.delete(b, table, o)
	}
	r := &reader{s.ctx, s.region, table, o.consistent, o.limit, o.capacity}
	return r.run(b, from)
}

func (s *session) insert(b bound, o options) (page, error) {
	item, err := b.insertItem()
	if err != nil {
		return page{}, err
	}
	table, err := s.scope.Table(s.op, b.table)
	if err != nil {
		return page{}, err
	}
	schema, failed := s.region.Schema(table, "")
	if failed != nil {
		return page{}, failed
	}
	out, failed := s.region.Put(s.ctx, &engine.Put{
		Table: table, Item: item, Condition: absent(schema), ReturnOnFailure: o.onFailure, Capacity: o.capacity,
	})
	if failed != nil {
		return page{}, duplicate(failed)
	}
	return page{capacity: out.ConsumedCapacity}, nil
}

// duplicate is the error of an INSERT whose condition failed. The stored item
// comes along for who has to charge the attempt.
func duplicate(err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.CodeConditionalCheckFailed {
		return err
	}
	if e.Item == nil {
		return errDuplicate
	}
	return &api.Error{Code: errDuplicate.Code, Message: errDuplicate.Message, Item: e.Item}
}

func (s *session) update(b bound, table string, o options) (page, error) {
	schema, failed := s.region.Schema(table, "")
	if failed != nil {
		return page{}, failed
	}
	t, err := b.writeTarget(schema)
	if err != nil {
		return page{}, err
	}
	u, err := b.update()
	if err != nil {
		return page{}, err
	}
	out, failed := s.region.Update(s.ctx, &engine.Update{
		Table: table, Key: t.key, Update: u, Condition: b.exists(schema, t.rest), Return: b.returning,
		ReturnOnFailure: o.onFailure, Capacity: o.capacity,
	})
	if failed != nil {
		return page{}, failed
	}
	return page{only: returned(out.Attributes), capacity: out.ConsumedCapacity}, nil
}

func (s *session) delete(b bound, table string, o options) (page, error) {
	if b.returningErr != nil {
		return page{}, b.returningErr
	}
	schema, failed := s.region.Schema(table, "")
	if failed != nil {
		return page{}, failed
	}
	t, err := b.writeTarget(schema)
	if err != nil {
		return page{}, err
	}
	cmd := &engine.Delete{
		Table: table, Key: t.key, ReturnOld: b.returning == api.ReturnAllOld, ReturnOnFailure: o.onFailure,
		Capacity: o.capacity,
	}
	if len(t.rest) > 0 {
		cmd.Condition = b.exists(schema, t.rest)
	}
	out, failed := s.region.Delete(s.ctx, cmd)
	if failed != nil {
		return page{}, failed
	}
	return page{only: returned(out.Attributes), capacity: out.ConsumedCapacity}, nil
}

// returned is what RETURNING shows: nothing rather than an empty row.
func returned(v api.View) api.View {
	item := v.Item
	if v.Projection != nil {
		item = v.Projection.Apply(item)
	}
	if item.Len() == 0 {
		return api.View{}
	}
	return api.View{Item: item}
}
