package expr

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/internal/textcache"
	"github.com/google/go-cmp/cmp"
)

func TestCacheKeepsProgramsAndFaults(t *testing.T) {
	c := NewCache(0)
	body := []byte("a = :v AND attribute_exists(b)")
	text := unsafe.String(&body[0], len(body))
	first, err := c.program(Condition, text)
	if err != nil {
		t.Fatal(err)
	}
	// The cache must not depend on the memory of the request.
	want := strings.Clone(text)
	for i := range body {
		body[i] = 'x'
	}
	second, _ := c.program(Condition, want)
	if first != second {
		t.Error("the same text is compiled again")
	}
	if other, _ := c.program(Filter, want); other == first {
		t.Error("another kind shares the program")
	}
	_, err1 := c.program(Condition, "a = =")
	_, err2 := c.program(Condition, "a = =")
	if err1 == nil || err1 != err2 {
		t.Errorf("faults %p and %p, want the same one", err1, err2)
	}
	if got := c.entryTexts(); len(got) != 3 {
		t.Errorf("entries %q, want 3", got)
	}
	// What cannot be compiled at all is not kept.
	_, _ = c.program(Condition, "")
	_, _ = c.program(Condition, strings.Repeat("a", MaxExpressionBytes+1))
	if got := c.entryTexts(); len(got) != 3 {
		t.Errorf("entries %q, want 3", got)
	}
}

func (c *Cache) entryTexts() []string {
	var texts []string
	for _, k := range c.programs.Keys() {
		texts = append(texts, k.text)
	}
	return texts
}

func TestCacheIsBounded(t *testing.T) {
	c := NewCache(10)
	text := func(i int) string { return fmt.Sprintf("a%d", i) }
	for i := range 100 {
		_, _ = c.program(ProjectionKind, text(i))
		_, _ = c.program(ProjectionKind, text(0)) // stays, since it is used all the time
		if n := len(c.entryTexts()); n > 10 {
			t.Fatalf("%d entries", n)
		}
	}
	if _, ok := c.programs.Get(cacheKey{ProjectionKind, text(0)}); !ok {
		t.Error("the entry in use was dropped")
	}
	for i := range 1000 {
		long := text(i) + strings.Repeat(" ", 4000)
		_, _ = c.program(ProjectionKind, long)
	}
	bytes := 0
	for _, text := range c.entryTexts() {
		bytes += len(text)
	}
	if bytes != c.programs.Bytes() || bytes > textcache.MaxBytes {
		t.Errorf("%d bytes of text, counted as %d", bytes, c.programs.Bytes())
	}
	big := NewCache(1 << 20)
	for i := range 400 {
		_, _ = big.program(ProjectionKind, text(i)+strings.Repeat(" ", 4000))
	}
	if n := len(big.entryTexts()); big.programs.Bytes() > textcache.MaxBytes || n >= 400 {
		t.Errorf("%d entries of %d bytes", n, big.programs.Bytes())
	}
}

func TestCacheInParallel(t *testing.T) {
	c := NewCache(5)
	it := item(t, `{"a":{"N":"1"}}`)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				p := NewPlaceholders([]Name{{"#n", "a"}}, []NamedValue{{":v", attr.Int(1)}})
				text := fmt.Sprintf("#n = :v OR attribute_exists(x%d)", (g+i)%9)
				pred, err := c.Condition(Condition, text, p)
				if err != nil || !pred.Eval(it) {
					t.Errorf("%s: %v, %v", text, pred, err)
				}
				u, err := c.Update("SET #n = #n + :v", p)
				if err != nil {
					t.Error(err)
					continue
				}
				if got, err := u.Apply(it, nil); err != nil || got.Text() != `{"a":{"N":"2"}}` {
					t.Errorf("%v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// A program is bound again and again with other placeholders.
func TestCachedProgramsAreBoundAnew(t *testing.T) {
	c := NewCache(0)
	it := item(t, `{"a":{"N":"1"},"b":{"S":"x"}}`)
	for _, tc := range []struct {
		entries []string
		want    bool
		err     string
	}{
		{[]string{"#n=a", `:v={"N":"1"}`}, true, ""},
		{[]string{"#n=b", `:v={"N":"1"}`}, false, ""},
		{[]string{"#n=b", `:v={"S":"a"}`}, true, ""},
		{[]string{`:v={"S":"a"}`}, false, inCondition + nameText + "#n"},
		{[]string{"#n=b"}, false, inCondition + valueText + ":v"},
		{[]string{"#n=b", `:v={"BOOL":true}`}, false, inCondition + typeText(">=", "BOOL")},
		{[]string{"#n=a", `:v={"N":"0"}`}, true, ""},
	} {
		pred, err := c.Condition(Condition, "#n >= :v", placeholders(t, tc.entries...))
		checkError(t, err, tc.err)
		if err == nil && pred.Eval(it) != tc.want {
			t.Errorf("%v: %v", tc.entries, !tc.want)
		}
	}
}

func TestUnusedPlaceholders(t *testing.T) {
	c := NewCache(0)
	entries := []string{"#c=c", "#b=b", "#a=a", `:z={"S":"z"}`, `:y={"S":"y"}`, `:x={"N":"1"}`}
	tests := []struct {
		name          string
		bind          func(p *Placeholders) error
		names, values []string
	}{
		{"none used", func(*Placeholders) error { return nil }, []string{"#a", "#b", "#c"}, []string{":x", ":y", ":z"}},
		{"condition", func(p *Placeholders) error {
			return bindText(c, Condition, "#a = :y OR attribute_exists(x.#b)", p)
		}, []string{"#c"}, []string{":x", ":z"}},
		{"two expressions", func(p *Placeholders) error {
			if err := bindText(c, UpdateKind, "SET #a = if_not_exists(#b, :x), d = :y", p); err != nil {
				return err
			}
			return bindText(c, Condition, "#a = :z", p)
		}, []string{"#c"}, nil},
		{"all", func(p *Placeholders) error {
			if err := bindText(c, ProjectionKind, "#a, x[0].#c", p); err != nil {
				return err
			}
			return bindText(c, KeyConditionKind, "#b = :z AND d BETWEEN :y AND :z AND f = :x", p)
		}, nil, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := placeholders(t, entries...)
			if err := tc.bind(p); err != nil && tc.name != "all" {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.names, p.UnusedNames()); diff != "" {
				t.Errorf("unused names (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.values, p.UnusedValues()); diff != "" {
				t.Errorf("unused values (-want +got):\n%s", diff)
			}
		})
	}
	var none *Placeholders
	if none.UnusedNames() != nil || none.UnusedValues() != nil {
		t.Error("no placeholders, yet some are unused")
	}
	checkError(t, bindText(c, Condition, "#a = b", nil), inCondition+nameText+"#a")
	checkError(t, bindText(c, Condition, "a = :b", nil), inCondition+valueText+":b")
}

// Large maps take another way.
func TestManyPlaceholders(t *testing.T) {
	var entries, terms []string
	for i := range 150 {
		entries = append(entries, fmt.Sprintf("#n%d=name%d", i, i), fmt.Sprintf(`:v%d={"N":"%d"}`, i, i))
		if i != 70 && i < 140 {
			terms = append(terms, fmt.Sprintf("#n%d=:v%d", i, i))
		}
	}
	p := placeholders(t, entries...)
	u, err := (*Cache)(nil).Update("SET "+strings.Join(terms, ","), p)
	if err != nil {
		t.Fatal(err)
	}
	names := p.UnusedNames()
	if len(names) != 11 || names[len(names)-1] != "#n70" || len(p.UnusedValues()) != 11 {
		t.Errorf("unused %v %v", names, p.UnusedValues())
	}
	it, err := u.Apply(nil, item(t, `{"pk":{"S":"k"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := it.Lookup("name139"); v.NumberText() != "139" || it.Len() != 140 {
		t.Errorf("item %v", it)
	}
}

func TestPlaceholderKeyOK(t *testing.T) {
	for key, want := range map[string]bool{
		"#a": true, ":a": true, "#1": true, ":_": true, "#aB_9": true, ":" + strings.Repeat("x", 254): true,
		"": false, "#": false, ":": false, "a": false, "#a.b": false, "#a-b": false, "# a": false, "##a": false, ":é": false,
		":" + strings.Repeat("x", 255): false,
	} {
		if got := PlaceholderKeyOK(key); got != want {
			t.Errorf("PlaceholderKeyOK(%q) = %v", key, got)
		}
	}
}
