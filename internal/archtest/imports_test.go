package archtest

import (
	"slices"
	"strings"
	"testing"
)

// Modules outside the standard library, by the short names used below.
const (
	btree  = "github.com/google/btree"
	mux    = "github.com/gorilla/mux"
	cmp    = "github.com/google/go-cmp"
	aws    = "github.com/aws/aws-sdk-go-v2"
	lambda = "github.com/aws/aws-lambda-go/events"
	cobra  = "github.com/spf13/"
)

// allowed lists, for each package directory, the packages of this module and the outside modules that it may import.
// A request walks one straight road, wire, request, engine, wire, and nobody calls back up; this table is that road.
// The standard library is open to all. What isn't listed is forbidden, new packages included.
var allowed = map[string][]string{
	"clock":                 {},
	"hashring":              {},
	"internal/coral":        {},
	"internal/lockrank":     {},
	"internal/textcache":    {},
	"internal/archtest":     {},
	"attr":                  {"internal/coral"},
	"api":                   {"attr"},
	"expr":                  {"attr", "internal/textcache"},
	"wire":                  {"api", "attr", "internal/coral"},
	"engine/internal/store": {"attr", "hashring", "internal/lockrank", btree},
	"engine": {"engine/internal/store", "api", "attr", "expr", "hashring", "clock",
		"internal/lockrank"},
	"request": {"api", "attr", "expr", "engine"},
	"partiql": {"api", "attr", "expr", "request", "engine", "internal/textcache"},
	"server": {"wire", "api", "expr", "request", "partiql", "engine", "clock",
		"internal/coral", mux},
	".":               {"server", "engine", "api", "clock"},
	"dynalitetest":    {".", aws},
	"lambdastream":    {".", "engine", "api", "attr", "clock", "internal/coral", lambda},
	"conformance":     {".", "clock", cmp, aws, "pgregory.net/rapid"},
	"cmd/dynalite-go": {".", "conformance", "lambdastream", cobra},
}

// testModules may be imported by tests anywhere, besides every package of this module.
var testModules = []string{
	cmp, aws, "github.com/aws/smithy-go", lambda, btree, mux, cobra,
	"github.com/rogpeppe/go-internal/", "github.com/anishathalye/porcupine", "pgregory.net/rapid", "go.uber.org/goleak",
}

func TestImports(t *testing.T) {
	for _, f := range tree(t) {
		edges, known := allowed[f.dir]
		if !known && !f.test {
			t.Errorf("%s: package %s has no row in the table of allowed imports", f.name, f.dir)
			continue
		}
		for imported, pos := range f.imports() {
			if standard(imported) {
				continue
			}
			ours := relative(imported)
			switch {
			case f.test && (ours != "" || hasPrefixOf(imported, testModules)):
			case ours != "" && slices.Contains(edges, ours):
			case ours == "" && hasPrefixOf(imported, edges):
			default:
				t.Errorf("%s: %s must not import %s", f.at(pos), f.dir, imported)
			}
		}
	}
}

// TestSDKStaysOut makes sure that users of the root package don't compile the AWS SDK, directly or through others.
func TestSDKStaysOut(t *testing.T) {
	for dir, edges := range allowed {
		if slices.Contains(edges, aws) && dir != "dynalitetest" && dir != "conformance" {
			t.Errorf("%s may import the AWS SDK", dir)
		}
		if dir != "cmd/dynalite-go" && (slices.Contains(edges, "dynalitetest") || slices.Contains(edges, "conformance")) {
			t.Errorf("%s may import a package that imports the AWS SDK", dir)
		}
	}
}

// standard reports whether an import path belongs to the standard library: its first part has no dot.
func standard(imported string) bool {
	head, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(head, ".")
}

// relative returns the directory of a package of this module, "." for the root package, "" for foreign ones.
func relative(imported string) string {
	if imported == module {
		return "."
	}
	dir, ok := strings.CutPrefix(imported, module+"/")
	if !ok {
		return ""
	}
	return dir
}

func hasPrefixOf(imported string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool {
		return strings.Contains(p, ".") && p != "." && strings.HasPrefix(imported, p)
	})
}
