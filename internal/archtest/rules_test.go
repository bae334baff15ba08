package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Files longer than this hold more than one idea.
const (
	maxLines     = 600
	maxTestLines = 1000
)

func TestFileLength(t *testing.T) {
	for _, f := range tree(t) {
		limit := maxLines
		if f.test {
			limit = maxTestLines
		}
		if f.lines > limit {
			t.Errorf("%s has %d lines, more than %d", f.name, f.lines, limit)
		}
	}
}

// TestPackageNames: a package is named by what it provides.
func TestPackageNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "shared", "lib", "types"}
	for _, f := range tree(t) {
		if name := strings.TrimSuffix(f.syntax.Name.Name, "_test"); slices.Contains(vague, name) {
			t.Errorf("%s: package name %q says nothing", f.name, name)
		}
	}
}

// banned lists calls that libraries must not make, as package path and function, with the reason and the files that
// may.
var banned = []struct {
	pkg    string
	name   *regexp.Regexp
	reason string
	except []string // file or directory
}{
	{"fmt", regexp.MustCompile(`^Print`), "a library prints nothing", []string{"cmd/"}},
	{"log", regexp.MustCompile(`.`), "logs go to the log/slog logger of the options", []string{"cmd/"}},
	{"os", regexp.MustCompile(`^Exit$`), "a library doesn't end the process", []string{"cmd/"}},
	{"time", regexp.MustCompile(`^(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)$`),
		"time comes from package clock", []string{
			"clock/", "cmd/",
			"server/exchange.go", // how long a request took is told in real time
		}},
}

func TestBannedCalls(t *testing.T) {
	for _, f := range tree(t) {
		if f.test {
			continue
		}
		names := importNames(f)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			for _, b := range banned {
				if names[x.Name] == b.pkg && b.name.MatchString(sel.Sel.Name) && !excepted(f.name, b.except) {
					t.Errorf("%s: %s.%s: %s", f.at(sel.Pos()), b.pkg, sel.Sel.Name, b.reason)
				}
			}
			return true
		})
	}
}

// bannedImports are packages of the standard library that most of our code must not use.
var bannedImports = []struct {
	pkg, reason string
	except      []string
}{
	{"reflect", "nothing on the way of a request is reflective", nil},
	{"encoding/json", "requests and replies have a codec of their own", []string{"cmd/", "conformance/", "server/console/", "snapshot"}},
	{"unsafe", "not needed", []string{
		"server/body.go", // a request body becomes a string without a copy
	}},
	{"testing", "a library doesn't link the test framework", []string{"conformance/", "dynalitetest/"}},
}

func TestBannedImports(t *testing.T) {
	for _, f := range tree(t) {
		if f.test {
			continue
		}
		for imported, pos := range f.imports() {
			for _, b := range bannedImports {
				if imported == b.pkg && !excepted(f.name, b.except) {
					t.Errorf("%s: import of %s: %s", f.at(pos), b.pkg, b.reason)
				}
			}
		}
	}
}

// TestNoInit: what runs before main can't be ordered, configured or tested.
func TestNoInit(t *testing.T) {
	for _, f := range tree(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: func init", f.at(d.Pos()))
			}
		}
	}
}

// TestTODO: an open end belongs into the issue tracker.
func TestTODO(t *testing.T) {
	open := regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)
	issue := regexp.MustCompile(`(TODO|FIXME|XXX)\(#\d+\)`)
	for _, f := range tree(t) {
		if f.dir == "internal/archtest" {
			continue
		}
		for _, group := range f.syntax.Comments {
			if text := group.Text(); open.MatchString(text) && !issue.MatchString(text) {
				t.Errorf("%s: open end without an issue, write TODO(#N)", f.at(group.Pos()))
			}
		}
	}
}

// TestPackageDoc: each package says what it is.
func TestPackageDoc(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range tree(t) {
		if f.test {
			continue
		}
		documented[f.dir] = documented[f.dir] || f.syntax.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

// TestExportedDoc: each exported name has a comment, be it its own or that of its group.
func TestExportedDoc(t *testing.T) {
	for _, f := range tree(t) {
		if f.test || f.syntax.Name.Name == "main" {
			continue
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && !obvious(d) {
					t.Errorf("%s: %s has no comment", f.at(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				checkSpecs(t, f, d)
			}
		}
	}
}

func checkSpecs(t *testing.T, f *file, d *ast.GenDecl) {
	t.Helper()
	if d.Tok == token.IMPORT {
		return
	}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no comment", f.at(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: %s has no comment", f.at(name.Pos()), name.Name)
				}
			}
		}
	}
}

// exportedReceiver reports whether a method belongs to a type that others can name.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// obvious methods satisfy interfaces of the standard library that say what they do.
func obvious(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "String", "Unwrap", "Len", "Less", "Swap"}, d.Name.Name)
}

// importNames maps the local name of each import to its path.
func importNames(f *file) map[string]string {
	names := map[string]string{}
	for _, spec := range f.syntax.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

func excepted(name string, except []string) bool {
	return slices.ContainsFunc(except, func(e string) bool {
		return strings.HasPrefix(name, e) || !strings.Contains(e, "/") && strings.Contains(path.Base(name), e)
	})
}
