package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/dynalite-go/dynalite"
	root   = "../.."
)

// file is one Go file of the project.
type file struct {
	name   string // slash-separated, from the project's root
	dir    string // package directory, "." for the root package
	test   bool
	lines  int
	text   string
	fset   *token.FileSet
	syntax *ast.File
}

// at is a position for a message.
func (f *file) at(p token.Pos) string {
	return f.name + ":" + strconv.Itoa(f.fset.Position(p).Line)
}

// imports are the import paths of the file.
func (f *file) imports() map[string]token.Pos {
	paths := map[string]token.Pos{}
	for _, spec := range f.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths[p] = spec.Pos()
		}
	}
	return paths
}

// tree parses every Go file of the module. Nested modules and test data are other worlds.
func tree(t *testing.T) []*file {
	t.Helper()
	var files []*file
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(name, root), string(filepath.Separator)))
		if d.IsDir() {
			if rel != "" && skipDir(name, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(rel) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, rel, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, &file{
			name: rel, dir: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"),
			lines: strings.Count(string(text), "\n"), text: string(text), fset: fset, syntax: syntax,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}

func skipDir(name, base string) bool {
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil
}
