package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func projectionNames(t testing.TB) *Placeholders {
	return placeholders(t, "#a=a", "#b=b", "#three=[3]", "#dot=a.b")
}

func overlapText(one, two string) string {
	return "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: " + one + ", path two: " + two
}

func conflictText(one, two string) string {
	return "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: " + one + ", path two: " + two
}

// TestProjectionFaults goes through behaviours/04 §4.7.
func TestProjectionFaults(t *testing.T) {
	const prefix = "Invalid ProjectionExpression: "
	testFaults(t, ProjectionKind, projectionNames, []faultCase{
		{"", prefix + "The expression can not be empty;"},
		{"a,", prefix + `Syntax error; token: "<EOF>", near: ","`},
		{"#u, a.abort", prefix + reservedText + "abort"},
		{"and", prefix + reservedText + "and"},
		{"a, b, a, #u", prefix + nameText + "#u"},
		{"a, a", prefix + overlapText("[a]", "[a]")},
		{"a, #a.b", prefix + overlapText("[a]", "[a, b]")},
		{"a.b, a", prefix + overlapText("[a, b]", "[a]")},
		{"a, #a[1]", prefix + overlapText("[a]", "[a, [1]]")},
		{"a.b[1].c, #a.#b[1]", prefix + overlapText("[a, b, [1], c]", "[a, b, [1]]")},
		{"b, c, a.b, a.c, c.d, a.b", prefix + overlapText("[c]", "[c, d]")},
		{"a.b, a[1]", prefix + conflictText("[a, b]", "[a, [1]]")},
		{"a[1], a.b", prefix + conflictText("[a, [1]]", "[a, b]")},
		{"a.b[1], #a[1]", prefix + conflictText("[a, b, [1]]", "[a, [1]]")},
		{"a[3].b, a.#three.b", prefix + conflictText("[a, [3], b]", "[a, [3], b]")},
		{"a.b, a[1], c, c", prefix + overlapText("[c]", "[c]")}, // overlap before conflict
		{"a.b, a.c, a.d[0], a.d[1]", ""},
		{"#dot, a.b", ""},
		{"a.b, b.a[1], b.c, b.a[0]", ""},
		{"a[2147483648]", prefix + "List index is not within the allowable range; index: [2147483648]"},
	})
}

func TestProjectionApply(t *testing.T) {
	it := item(t, `{"a":{"S":"x"},"m":{"M":{"p":{"N":"1"},"q":{"M":{"r":{"S":"y"},"s":{"S":"z"}}}}},
		"l":{"L":[{"N":"0"},{"N":"1"},{"M":{"u":{"N":"2"},"v":{"N":"3"}}}]},"a.b":{"S":"dotted"}}`)
	tests := []struct {
		text string
		want string
	}{
		{"a", `{"a":{"S":"x"}}`},
		{"nothing", ""},
		{"nothing.x, a.b", ""},
		{"#dot", `{"a.b":{"S":"dotted"}}`},
		{"m.q.s, m.p", `{"m":{"M":{"p":{"N":"1"},"q":{"M":{"s":{"S":"z"}}}}}}`},
		{"l[2].u, l[0]", `{"l":{"L":[{"N":"0"},{"M":{"u":{"N":"2"}}}]}}`},
		{"l[2].u, l[2].v", `{"l":{"L":[{"M":{"u":{"N":"2"},"v":{"N":"3"}}}]}}`},
		{"l[7], m[0], a.x", ""},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			p, err := (*Cache)(nil).Projection(tc.text, projectionNames(t))
			if err != nil {
				t.Fatal(err)
			}
			got := p.Apply(it)
			if diff := cmp.Diff(item(t, tc.want), got); diff != "" {
				t.Errorf("projected item (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewProjection(t *testing.T) {
	p := NewProjection(paths(t, "a", "b.c")...)
	if len(p.Paths) != 2 || p.Paths[1].String() != "[b, c]" {
		t.Errorf("paths %v", p.Paths)
	}
	got := p.Apply(item(t, `{"a":{"N":"1"},"b":{"M":{"c":{"N":"2"},"d":{"N":"3"}}}}`))
	if want := item(t, `{"a":{"N":"1"},"b":{"M":{"c":{"N":"2"}}}}`); !got.Equal(want) {
		t.Errorf("projected %v, want %v", got, want)
	}
}
