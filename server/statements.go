package server

import (
	"context"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/partiql"
	"github.com/dynalite-go/dynalite/request"
)

// statements runs PartiQL: a front end to the engine's commands beside request.
type statements = *partiql.Executor

// statement makes the entry of a PartiQL operation. It differs from op in that compiling and running are one step,
// since a statement is planned by the table's schema and may become several commands.
func statement[In, Out any](
	name string,
	decode func(string, *In) error,
	check func(*In) []api.Violation,
	run func(*partiql.Executor, context.Context, *engine.Region, request.Scope, *In) (*Out, error),
	encode func([]byte, *Out) []byte,
) *operation {
	return &operation{name: name, serve: func(c *call) ([]byte, error) {
		in := new(In)
		if err := decode(c.body, in); err != nil {
			return nil, err
		}
		if violations := check(in); len(violations) > 0 {
			return nil, api.Constraints(violations)
		}
		out, err := run(c.statements, c.ctx, c.region, c.scope, in)
		if err != nil {
			return nil, err
		}
		return encode(c.dst, out), nil
	}}
}
