package conformance

import (
	"regexp"
	"sync"
)

// lazyRegexp returns a function that compiles expr when it is first called. The command holds this package, and a
// server that starts must not wait for the expressions of a tool that it does not run.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
