package server

import "github.com/dynalite-go/dynalite/engine"

// Source gives each request the engine that serves it. An engine may be replaced between two requests, but not during
// one.
type Source interface {
	// Acquire returns the engine and keeps it in place until Release. It returns nil, and needs no Release, when
	// the database is closed.
	Acquire() *engine.Engine
	// Release ends the use of an acquired engine.
	Release()
}

// Fixed is a Source that always gives the same engine.
func Fixed(e *engine.Engine) Source { return fixed{e} }

type fixed struct{ e *engine.Engine }

func (f fixed) Acquire() *engine.Engine { return f.e }
func (fixed) Release()                  {}
