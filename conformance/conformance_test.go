package conformance_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// TestInProcess holds the emulator against all cases, under both wordings.
func TestInProcess(t *testing.T) {
	for name, wording := range map[string]struct {
		option dynalite.Wording
		target conformance.Wording
	}{
		"current": {dynalite.CurrentWording, conformance.Current},
		"classic": {dynalite.ClassicWording, conformance.Classic},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dynalite.Start(t, dynalite.WithWording(wording.option))
			target := conformance.InProcess(db.Transport())
			target.Wording = wording.target
			conformance.Run(t, target)
		})
	}
}

// TestTransitions runs the cases that look at states which pass by themselves.
func TestTransitions(t *testing.T) {
	t.Parallel()
	db := dynalite.Start(t, dynalite.WithCreateDelay(300*time.Millisecond))
	target := conformance.InProcess(db.Transport())
	target.Without = nil
	conformance.Run(t, target, conformance.WithTags("transitions"))
}

// TestPartitionsDontShow runs all cases against two databases, one of them with many partitions: their answers are the
// same. Streams have a shard for each partition, so theirs are not.
func TestPartitionsDontShow(t *testing.T) {
	t.Parallel()
	one := conformance.InProcess(dynalite.Start(t).Transport())
	many := conformance.InProcess(dynalite.Start(t, dynalite.WithPartitions(16)).Transport())
	conformance.Run(t, one, conformance.Against(many),
		conformance.WithoutTags("DescribeStream", "GetShardIterator", "GetRecords"))
}

// TestDifferencesShow runs a few cases against two databases that speak differently.
func TestDifferencesShow(t *testing.T) {
	t.Parallel()
	current := conformance.InProcess(dynalite.Start(t).Transport())
	classic := conformance.InProcess(dynalite.Start(t, dynalite.WithWording(dynalite.ClassicWording)).Transport())
	r, err := conformance.NewRunner(current, conformance.Against(classic),
		conformance.Only(regexp.MustCompile(`^items/faults/a repeat in a set`)))
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	passed, differing, broken, _ := report.Count()
	if passed != 0 || differing == 0 || broken != 0 {
		t.Fatalf("%s", report.Summary())
	}
	if text := report.Results[0].Text(); !strings.Contains(text, "-") || !strings.Contains(text, "validation error detected") {
		t.Errorf("%s", text)
	}
}
