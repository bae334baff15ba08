package partiql

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/dynalite-go/dynalite/internal/textcache"
)

// TestCacheBounds: the cache holds no more statements and no more text than
// it may, whatever comes.
func TestCacheBounds(t *testing.T) {
	c := newCache(10)
	for i := range 100 {
		if _, err := c.statement(fmt.Sprintf("SELECT a%d FROM t", i)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.statement("SELECT * FROM t"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.statements.Keys()); n != 10 {
		t.Errorf("%d entries", n)
	}
	if _, ok := c.statements.Get("SELECT * FROM t"); !ok {
		t.Error("the statement in use was dropped")
	}
	c = newCache(0)
	for i := range 300 {
		_, _ = c.statement(fmt.Sprintf("SELECT a%d FROM t -- %s", i, strings.Repeat("x", 8000)))
	}
	bytes := 0
	texts := c.statements.Keys()
	for _, text := range texts {
		bytes += len(text)
	}
	if bytes != c.statements.Bytes() || bytes > textcache.MaxBytes || len(texts) < 100 {
		t.Errorf("%d entries with %d bytes, counted as %d", len(texts), bytes, c.statements.Bytes())
	}
}

func TestCacheKeepsFaults(t *testing.T) {
	c := newCache(0)
	_, first := c.statement("SELECT")
	_, second := c.statement("SELECT")
	if first == nil || first != second {
		t.Errorf("%v and %v", first, second)
	}
}

func TestCacheConcurrently(t *testing.T) {
	c := newCache(5)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 200 {
				text := fmt.Sprintf("SELECT a%d FROM t", (i*7+g)%20)
				if st, err := c.statement(text); err != nil || st.text != text {
					t.Errorf("%s: %v, %v", text, st, err)
				}
			}
		})
	}
	wg.Wait()
}
