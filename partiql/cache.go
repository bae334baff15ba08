package partiql

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/internal/textcache"
)

// DefaultCacheSize is the number of statements that an Executor keeps unless
// told otherwise.
const DefaultCacheSize = textcache.DefaultSize

// cache keeps compiled statements, and faults that depend on the text alone,
// by text. It is safe for concurrent use. A nil *cache compiles every time.
type cache struct {
	statements *textcache.Cache[string, compiled]
}

// compiled is a statement, or the fault of its text.
type compiled struct {
	st  *statement
	err *api.Error
}

func newCache(size int) *cache {
	return &cache{textcache.New[string, compiled](size)}
}

// statement returns the statement of a text, which may be part of a request.
func (c *cache) statement(text string) (*statement, *api.Error) {
	if c == nil {
		return compile(strings.Clone(text))
	}
	e, ok := c.statements.Get(text)
	if !ok {
		e = c.add(strings.Clone(text)) // the text must not keep the request alive
	}
	return e.st, e.err
}

func (c *cache) add(text string) compiled {
	st, err := compile(text)
	return c.statements.Add(text, len(text), compiled{st, err})
}
