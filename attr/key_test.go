package attr

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTuples(t *testing.T) {
	parts := []string{"", "\x00", "\x00\x00", "\x00\x01", "\x00\xff", "\x01", "a", "a\x00", "a\x00b", "aa", "ab", "b", "\xff", "\xff\xff"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		x := []string{parts[r.IntN(len(parts))], parts[r.IntN(len(parts))]}
		y := []string{parts[r.IntN(len(parts))], parts[r.IntN(len(parts))]}
		a := AppendTuple(AppendTuple(nil, x[0]), x[1])
		b := AppendTuple(AppendTuple(nil, y[0]), y[1])
		if got, want := bytes.Compare(a, b), slices.Compare(x, y); got != want {
			t.Fatalf("%q and %q order as %d, their tuples as %d: % x, % x", x, y, want, got, a, b)
		}
		begins := x[0] == y[0] && strings.HasPrefix(x[1], y[1])
		if got := bytes.HasPrefix(a, AppendTuplePrefix(AppendTuple(nil, y[0]), y[1])); got != begins {
			t.Fatalf("%q begins with %q: %t", x, y, got)
		}
	}
}

func TestKeyBytes(t *testing.T) {
	for text, want := range map[string]int{
		`{"S":"é\n"}`: 3, `{"B":"AAE="}`: 2, `{"N":"100"}`: 2, `{"BOOL":true}`: 0, `{"L":[]}`: 0, `{"S":""}`: 0,
	} {
		if got := KeyBytes(mustValue(t, text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

// FuzzKeyOrder holds strings and binaries against their bytes. FuzzNumber does
// it for numbers.
func FuzzKeyOrder(f *testing.F) {
	f.Add("a", "b")
	f.Add("\x00\n\"", "\\é")
	f.Add("\xff", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		want := strings.Compare(a, b)
		checkOrder(t, Binary([]byte(a)), Binary([]byte(b)), a, b, want)
		if utf8.ValidString(a) && utf8.ValidString(b) {
			checkOrder(t, String(a), String(b), a, b, want)
		}
		if got := bytes.Compare(AppendTuple(nil, a), AppendTuple(nil, b)); got != want {
			t.Fatalf("tuples of %q and %q order as %d", a, b, got)
		}
	})
}

func checkOrder(t *testing.T, v, w Value, a, b string, want int) {
	t.Helper()
	if Key(v) != a || Key(w) != b || string(AppendKey(nil, v)) != a || KeyBytes(v) != len(a) {
		t.Fatalf("keys of %s and %s are %q and %q", v, w, Key(v), Key(w))
	}
	if c, ok := Compare(v, w); !ok || sign(c) != want {
		t.Fatalf("Compare(%s, %s) = %d, %t", v, w, c, ok)
	}
	if got := HasPrefix(v, w); got != strings.HasPrefix(a, b) {
		t.Fatalf("HasPrefix(%s, %s) = %t", v, w, got)
	}
	if got := Contains(v, w); got != strings.Contains(a, b) {
		t.Fatalf("Contains(%s, %s) = %t", v, w, got)
	}
}
