package expr

import (
	"strings"

	"github.com/dynalite-go/dynalite/internal/textcache"
)

// DefaultCacheSize is the number of expressions that a cache holds unless
// told otherwise.
const DefaultCacheSize = textcache.DefaultSize

// Cache keeps compiled expressions, and faults that depend on the text alone,
// by kind and text. It is safe for concurrent use. A nil *Cache works too and
// compiles every time.
type Cache struct {
	programs *textcache.Cache[cacheKey, compiled]
}

type cacheKey struct {
	kind Kind
	text string
}

// compiled is a program, or the fault of its text.
type compiled struct {
	prog program
	err  *Error
}

// program is one of the compiled forms.
type program any

// NewCache makes a cache of up to size expressions, or of
// [DefaultCacheSize] when size is not positive.
func NewCache(size int) *Cache {
	return &Cache{textcache.New[cacheKey, compiled](size)}
}

// Condition returns the condition of a ConditionExpression or
// FilterExpression, as kind says. The error is an [*Error].
func (c *Cache) Condition(kind Kind, text string, p *Placeholders) (*Predicate, error) {
	prog, err := c.program(kind, text)
	if err != nil {
		return nil, err
	}
	pred, err := prog.(*condProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return pred, nil
}

// KeyCondition returns the clauses of a KeyConditionExpression. The error is
// an [*Error]; when it is Late, the request's other expressions and its
// unused placeholders come first.
func (c *Cache) KeyCondition(text string, p *Placeholders) (*KeyCondition, error) {
	prog, err := c.program(KeyConditionKind, text)
	if err != nil {
		return nil, err
	}
	cond, err := prog.(*keyProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return cond, nil
}

// Update returns the update of an UpdateExpression. The error is an [*Error].
func (c *Cache) Update(text string, p *Placeholders) (*Update, error) {
	prog, err := c.program(UpdateKind, text)
	if err != nil {
		return nil, err
	}
	update, err := prog.(*updateProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return update, nil
}

// Projection returns the paths of a ProjectionExpression. The error is an
// [*Error].
func (c *Cache) Projection(text string, p *Placeholders) (*Projection, error) {
	prog, err := c.program(ProjectionKind, text)
	if err != nil {
		return nil, err
	}
	proj, err := prog.(*projectionProgram).bind(p)
	if err != nil {
		return nil, err
	}
	return proj, nil
}

// program finds or compiles the program of a text.
func (c *Cache) program(kind Kind, text string) (program, *Error) {
	if c == nil || len(text) == 0 || len(text) > MaxExpressionBytes {
		return compile(kind, text)
	}
	e, ok := c.programs.Get(cacheKey{kind, text})
	if !ok {
		e = c.add(kind, text)
	}
	return e.prog, e.err
}

// add compiles a text and keeps the result. The text usually aliases a
// request body, which must not stay alive with it, so it is copied first.
func (c *Cache) add(kind Kind, text string) compiled {
	key := cacheKey{kind, strings.Clone(text)}
	prog, err := compile(kind, key.text)
	return c.programs.Add(key, len(text), compiled{prog, err})
}

// compile takes a text through the first three stages.
func compile(kind Kind, text string) (program, *Error) {
	t, err := parse(kind, text)
	if err != nil {
		return nil, err
	}
	if err := check(t); err != nil {
		return nil, err
	}
	switch kind {
	case UpdateKind:
		return compileUpdate(t)
	case ProjectionKind:
		return compileProjection(t)
	case KeyConditionKind:
		return compileKeyCondition(t), nil
	default:
		return compileCondition(t)
	}
}
