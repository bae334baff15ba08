package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCasesAreCanonical keeps the case files as Format prints them. CONFORMANCE_FORMAT=1 rewrites them.
func TestCasesAreCanonical(t *testing.T) {
	scripts, err := Scripts()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		name := filepath.Join("cases", filepath.FromSlash(s.Name)+".txt")
		written, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		printed := Format(s)
		if diff := cmp.Diff(string(written), printed); diff != "" {
			if os.Getenv("CONFORMANCE_FORMAT") != "" {
				if err := os.WriteFile(name, []byte(printed), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			t.Errorf("%s isn't formatted; run CONFORMANCE_FORMAT=1 go test ./conformance (-written +formatted)\n%s", name, diff)
		}
	}
}

// TestCoverage counts the statements of the reference that have a case.
func TestCoverage(t *testing.T) {
	scripts, err := Scripts()
	if err != nil {
		t.Fatal(err)
	}
	coverage, err := Cover(scripts)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, s := range scripts {
		all, err := instances(s)
		if err != nil {
			t.Fatal(err)
		}
		cases += len(all)
	}
	t.Logf("%d cases in %d files", cases, len(scripts))
	rows, covered := 0, 0
	for _, c := range coverage {
		rows, covered = rows+c.Rows, covered+c.Covered
		t.Logf("%-14s %3d of %3d rows, %3d%%", c.File, c.Covered, c.Rows, 100*c.Covered/c.Rows)
		for _, r := range c.Open {
			t.Logf("    no case for %-8s %s", r.ID, r.Name)
		}
	}
	t.Logf("%-14s %3d of %3d rows, %3d%%", "all", covered, rows, 100*covered/rows)
}
