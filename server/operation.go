package server

import (
	"context"
	"sync"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
	"github.com/dynalite-go/dynalite/partiql"
	"github.com/dynalite-go/dynalite/request"
)

// operation is one entry of the table of operations.
type operation struct {
	name string
	// serve decodes the request, checks it, runs it and appends the reply to the call's buffer.
	serve func(c *call) ([]byte, error)
}

// call is one request to an operation.
type call struct {
	ctx        context.Context
	compiler   *request.Compiler
	statements *partiql.Executor
	scope      request.Scope
	region     *engine.Region
	host       string // by which the caller reached us, with the port
	body       string // immutable; decoded strings point into it
	dst        []byte
}

// resetter is an input that may be used again.
type resetter interface{ Reset() }

// op makes the entry of one operation from its five steps: decode the JSON text, look for broken member constraints,
// compile the input into a command, run that, and append the output to the reply.
func op[In, Cmd, Out any](
	name string,
	decode func(string, *In) error,
	check func(*In) []api.Violation,
	compile func(*request.Compiler, *In, request.Scope) (*Cmd, error),
	run func(*engine.Region, context.Context, *Cmd) (*Out, error),
	encode func([]byte, *Out) []byte,
) *operation {
	_, reusable := any(new(In)).(resetter)
	inputs := sync.Pool{New: func() any { return new(In) }}
	return &operation{name: name, serve: func(c *call) ([]byte, error) {
		in := inputs.Get().(*In)
		if reusable {
			defer func() {
				any(in).(resetter).Reset()
				inputs.Put(in)
			}()
		}
		if err := decode(c.body, in); err != nil {
			return nil, err
		}
		if violations := check(in); len(violations) > 0 {
			return nil, api.Constraints(violations)
		}
		cmd, err := compile(c.compiler, in, c.scope)
		if err != nil {
			return nil, err
		}
		out, err := run(c.region, c.ctx, cmd)
		if err != nil {
			return nil, err
		}
		return encode(c.dst, out), nil
	}}
}
