package server

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page that tells users what is implemented must be right.
func TestCompatibilityPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (\w+) \| (yes|no) \|`)
	documented := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = m[2] == "yes"
	}
	if len(documented) != 66 {
		t.Errorf("the page lists %d operations, the service has 66", len(documented))
	}
	served := map[string]bool{}
	for target := range operations {
		_, op, _ := strings.Cut(target, ".")
		served[op] = true
	}
	var claimed []string
	for op, yes := range documented {
		if yes {
			claimed = append(claimed, op)
		}
	}
	slices.Sort(claimed)
	if diff := cmp.Diff(claimed, slices.Sorted(maps.Keys(served))); diff != "" {
		t.Errorf("implemented operations (-page +server):\n%s", diff)
	}
}
