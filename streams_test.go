package dynalite_test

import (
	"errors"
	"testing"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/engine"
)

func TestReplacedTellsOfEveryReplacement(t *testing.T) {
	t.Parallel()
	db, err := dynalite.New()
	if err != nil {
		t.Fatal(err)
	}
	saved := db.Snapshot()
	for name, replace := range map[string]func() error{
		"Reset":   db.Reset,
		"Restore": func() error { return db.Restore(saved) },
	} {
		replaced := db.Replaced()
		select {
		case <-replaced:
			t.Errorf("replaced before %s", name)
		default:
		}
		if err := replace(); err != nil {
			t.Fatal(err)
		}
		<-replaced
	}
	before := db.Replaced()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	<-before
	<-db.Replaced()
	if err := db.InRegion("", "", func(*engine.Region) error { return nil }); !errors.Is(err, dynalite.ErrClosed) {
		t.Errorf("InRegion of a closed database: %v", err)
	}
}
