package expr

import "github.com/dynalite-go/dynalite/attr"

// Projection is a set of document paths to return (behaviours/04 §4.7). It is
// immutable.
type Projection struct {
	// Paths are the paths in the order of the text.
	Paths []attr.Path
	*attr.Projection
}

// NewProjection makes a projection of paths that neither overlap nor
// conflict, such as the names of the legacy AttributesToGet.
func NewProjection(paths ...attr.Path) *Projection {
	return &Projection{paths, attr.NewProjection(paths)}
}

// projectionProgram is the compiled form of a ProjectionExpression.
type projectionProgram struct {
	slots slots
	rules []rule
	// static is the projection of a text without placeholders.
	static *Projection
}

// compileProjection compiles a checked tree, or returns the fault that no
// placeholder can mend.
func compileProjection(t *tree) (*projectionProgram, *Error) {
	p := &projectionProgram{}
	root := t.root.(*projectionNode)
	targets := make([]int, len(root.paths))
	for i, path := range root.paths {
		targets[i] = p.slots.path(path)
	}
	p.rules = append(p.slots.nameRules(), rule{kind: ruleTargets, at: root.extent, targets: targets})
	if !p.slots.isStatic() {
		return p, nil
	}
	var err *Error
	p.static, err = p.bind(nil)
	return p, err
}

func (p *projectionProgram) bind(ph *Placeholders) (*Projection, *Error) {
	if p.static != nil {
		return p.static, nil
	}
	var buf [8]string
	e, names := p.slots.bind(ph, buf[:0])
	if err := e.verify(ProjectionKind, names, p.rules); err != nil {
		return nil, err
	}
	return NewProjection(e.paths...), nil
}

// clash looks among the paths with the given numbers for the first that
// overlaps with an earlier one; without any, for the first that conflicts
// with an earlier one.
func clash(k Kind, at extent, paths []attr.Path, numbers []int) *Error {
	if len(numbers) > manyPaths && apart(paths, numbers) {
		return nil
	}
	var conflict *Error
	for i, n := range numbers {
		for _, m := range numbers[:i] {
			if attr.Overlaps(paths[m], paths[n]) {
				return overlapFault(k, at, paths[m], paths[n])
			}
			if conflict == nil && attr.Conflicts(paths[m], paths[n]) {
				conflict = conflictFault(k, at, paths[m], paths[n])
			}
		}
	}
	return conflict
}

// manyPaths is how many paths are compared pair by pair without a second
// thought. The text of an expression has room for some hundreds, legacy
// parameters for any number.
const manyPaths = 64

// apart reports whether all paths begin with different names, so that none can
// touch another.
func apart(paths []attr.Path, numbers []int) bool {
	seen := make(map[string]struct{}, len(numbers))
	for _, n := range numbers {
		seen[paths[n][0].Name()] = struct{}{}
	}
	return len(seen) == len(numbers)
}
