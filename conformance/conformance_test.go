package conformance_test

import (
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
