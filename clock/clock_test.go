package clock_test

import (
	"testing"
	"time"

	"github.com/dynalite-go/dynalite/clock"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestManualFiresTimersInOrder(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(start)
	late, early, never := m.NewTimer(2*time.Hour), m.NewTimer(time.Hour), m.NewTimer(3*time.Hour)
	if got := m.Waiters(); got != 3 {
		t.Fatalf("Waiters() = %d, want 3", got)
	}
	m.Advance(2 * time.Hour)
	if got, want := <-early.C(), start.Add(time.Hour); !got.Equal(want) {
		t.Errorf("early timer fired at %v, want %v", got, want)
	}
	if got, want := <-late.C(), start.Add(2*time.Hour); !got.Equal(want) {
		t.Errorf("late timer fired at %v, want %v", got, want)
	}
	select {
	case at := <-never.C():
		t.Errorf("timer of three hours fired at %v after two", at)
	default:
	}
	if !never.Stop() {
		t.Error("Stop of a pending timer reported that it had fired")
	}
	if never.Stop() {
		t.Error("second Stop reported a pending timer")
	}
}

func TestManualNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	m := clock.NewManual(start)
	m.Advance(-time.Hour)
	m.Set(start.Add(-time.Minute))
	if got := m.Now(); !got.Equal(start) {
		t.Errorf("Now() = %v, want %v", got, start)
	}
}

func TestTimerOfZeroFiresAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]clock.Clock{"manual": clock.NewManual(start), "real": clock.Real()} {
		t.Run(name, func(t *testing.T) {
			<-c.NewTimer(0).C()
		})
	}
}
