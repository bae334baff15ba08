package request

import "github.com/dynalite-go/dynalite/expr"

// Compiler turns inputs into engine commands. One serves a whole database; it is safe for concurrent use. The zero
// Compiler works, without a cache.
type Compiler struct {
	// Cache keeps parsed expressions. Nil means that each request parses its own.
	Cache *expr.Cache
}
