package conformance

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed cases
var caseFiles embed.FS

// Scripts returns the case files of this package, by name. They must not be changed.
func Scripts() ([]*Script, error) { return loadScripts() }

var loadScripts = sync.OnceValues(func() ([]*Script, error) {
	sub, err := fs.Sub(caseFiles, "cases")
	if err != nil {
		return nil, err
	}
	return ReadScripts(sub)
})

// ReadScripts reads all case files, which end in ".txt", of a file system.
func ReadScripts(files fs.FS) ([]*Script, error) {
	var scripts []*Script
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txt") {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		s, err := Parse(path, string(text))
		if err != nil {
			return err
		}
		scripts = append(scripts, s)
		return nil
	})
	return scripts, err
}
