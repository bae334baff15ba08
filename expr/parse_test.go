package expr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// treeOptions compare trees by what they say and not by where it stands.
var treeOptions = []cmp.Option{
	cmp.AllowUnexported(pathNode{}, part{}, valueNode{}, callNode{}, compareNode{}, betweenNode{}, inNode{}, logicNode{},
		notNode{}, arithNode{}, updateNode{}, section{}, action{}, projectionNode{}),
	cmpopts.IgnoreTypes(extent{}),
}

// TestPrint parses each text and compares the printed tree, which must parse
// to the same tree again.
func TestPrint(t *testing.T) {
	tests := []struct {
		kind Kind
		text string
		want string // "" for the text itself
	}{
		{Condition, "a = :v", ""},
		{Condition, " a=:v ", "a = :v"},
		{Condition, "a<>b", "a <> b"},
		{Condition, "a.#b[ 007 ] . c >= :v", "a.#b[7].c >= :v"},
		{Condition, "a = :v and b = :w or c = :x", "a = :v AND b = :w OR c = :x"},
		{Condition, "a = :v AND (b = :w OR c = :x)", ""},
		{Condition, "a = :v OR (b = :w AND c = :x)", "a = :v OR b = :w AND c = :x"},
		{Condition, "(a = :v AND b = :w) AND c = :x", ""},
		{Condition, "a = :v AND (b = :w AND c = :x)", ""},
		{Condition, "(a = :v OR b = :w) OR c = :x", ""},
		{Condition, "not not a = :v", "NOT NOT a = :v"},
		{Condition, "NOT a = :v AND b = :w", ""},
		{Condition, "NOT (a = :v AND b = :w)", ""},
		{Condition, "NOT (a = :v)", "NOT a = :v"},
		{Condition, "(a) = (:v)", "a = :v"},
		{Condition, "(a = :v)", "a = :v"},
		{Condition, "((a = :v) AND b = :w)", "a = :v AND b = :w"},
		{Condition, "(a).b = :v", "a.b = :v"},
		{Condition, "(a.b)[1].c = (d)[2]", "a.b[1].c = d[2]"},
		{Condition, "(size(a)) = :v", "size(a) = :v"},
		{Condition, "a between :v and :w and b = c", "a BETWEEN :v AND :w AND b = c"},
		{Condition, "(a)BETWEEN(:v)AND(:w)", "a BETWEEN :v AND :w"},
		{Condition, "a IN (:v)", ""},
		{Condition, "a in(:v,(b),size( c ))", "a IN (:v, b, size(c))"},
		{Condition, "attribute_exists (a)", "attribute_exists(a)"},
		{Condition, "(attribute_exists((a)))", "attribute_exists(a)"},
		{Condition, "begins_with(a, :v) OR NOT contains(b, :w)", ""},
		{Condition, "whatever(a, b, :c)", ""},
		{Condition, "SET = :v", ""}, // a reserved word here, not a keyword
		{UpdateKind, "SET a = :v", ""},
		{UpdateKind, "set a=b.c,d[0]=:v remove e", "SET a = b.c, d[0] = :v REMOVE e"},
		{UpdateKind, "ADD a :v, b.c :w DELETE d :x", ""},
		{UpdateKind, "SET a = b + :v", ""},
		{UpdateKind, "SET a = (b-:v)", "SET a = b - :v"},
		{UpdateKind, "SET a = ((b.c.d)+(e))", "SET a = b.c.d + e"},
		{UpdateKind, "SET a = (b)+(e)", "SET a = b + e"},
		{UpdateKind, "SET a = ((b))", "SET a = b"},
		{UpdateKind, "SET a = f(x)+f(y)", "SET a = f(x) + f(y)"},
		{UpdateKind, "SET a = (f((x), :v))", "SET a = f(x, :v)"},
		{UpdateKind, "SET a = if_not_exists(a, if_not_exists(b, :v)) - :w", ""},
		{UpdateKind, "REMOVE a SET b = :v SET c = :v", ""},
		{ProjectionKind, "a,b . c [1] , #d", "a, b.c[1], #d"},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			first, err := parse(tc.kind, tc.text)
			if err != nil {
				t.Fatal(err)
			}
			want := tc.want
			if want == "" {
				want = tc.text
			}
			got := treeString(first.root)
			if got != want {
				t.Errorf("printed\n%s, want\n%s", got, want)
			}
			second, err := parse(tc.kind, got)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first.root, second.root, treeOptions...); diff != "" {
				t.Errorf("tree of the printed text (-first +second):\n%s", diff)
			}
		})
	}
}

func TestPositions(t *testing.T) {
	const text = "  a.#b = :v AND size( c ) IN (:w, d[0])"
	tr, err := parse(Condition, text)
	if err != nil {
		t.Fatal(err)
	}
	and := tr.root.(*logicNode)
	eq, in := and.conds[0].(*compareNode), and.conds[1].(*inNode)
	for _, tc := range []struct {
		node node
		want string
	}{
		{and, "a.#b = :v AND size( c ) IN (:w, d[0])"},
		{eq, "a.#b = :v"},
		{eq.left, "a.#b"},
		{eq.right, ":v"},
		{in, "size( c ) IN (:w, d[0])"},
		{in.x, "size( c )"},
		{in.list[1], "d[0]"},
	} {
		at := tc.node.at()
		if got := text[at.pos:at.end]; got != tc.want {
			t.Errorf("%T at %q, want %q", tc.node, got, tc.want)
		}
	}
	if at := eq.left.(*pathNode).parts[1].extent; text[at.pos:at.end] != "#b" {
		t.Errorf("placeholder at %v", at)
	}
}

func TestSyntaxFaults(t *testing.T) {
	tests := []struct {
		kind        Kind
		text        string
		token, near string
	}{
		// behaviours/04 §4.2.
		{UpdateKind, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"},
		{Condition, "!!! INVALID !!!", "!", "!!"},
		{ProjectionKind, "!!! INVALID !!!", "!", "!!"},
		{Condition, "a = = b", "=", "= = b"},
		{Condition, "attribute_not_exists(", "<EOF>", "("},
		{UpdateKind, "SET a=:v,", "<EOF>", ","},
		{UpdateKind, "SET _123 = :v", "_", "SET _123"},
		// The near part keeps the text as written, at both ends too.
		{Condition, "a  =\t=\n b", "=", "=\t=\n b"},
		{Condition, "a =", "<EOF>", "="},
		{Condition, "a", "<EOF>", "a"},
		{Condition, ":v", "<EOF>", ":v"},
		{UpdateKind, "whatever", "whatever", "whatever"},
		// Bare names and placeholders.
		{Condition, "1a = :v", "1", "1a"},
		{Condition, "# a = :v", "#", "# a"},
		{Condition, "a = : v", ":", "= : v"},
		{Condition, "a#b = :v", "#b", "a#b ="},
		{Condition, "é = :v", "é", "é ="},
		// Indexes.
		{Condition, "a[#b] = :v", "#b", "[#b]"},
		{Condition, "a[:b] = :v", ":b", "[:b]"},
		{Condition, "a[-1] = :v", "-", "[-1"},
		{Condition, "a[b] = :v", "b", "[b]"},
		{Condition, "a[] = :v", "]", "[] ="},
		{Condition, "a[1.5] = :v", ".", "1.5"},
		{Condition, "[1] = :v", "[", "[1"},
		// Symbols that look like operators elsewhere, and literals.
		{Condition, "a != :v", "!", "a !="},
		{Condition, "a == :v", "=", "== :v"},
		{Condition, "a = 5", "5", "= 5"},
		{Condition, `a = "x"`, `"`, `= "x`},
		{Condition, "a = 'x'", "'", "= 'x"},
		{UpdateKind, "SET a = 5", "5", "= 5"},
		{UpdateKind, "SET a = b * c", "*", "b * c"},
		// Conditions.
		{Condition, "things are wrong", "are", "things are wrong"},
		{Condition, "a AND b = :v", "AND", "a AND b"},
		{Condition, "(a) AND b = :v", "AND", ") AND b"},
		{Condition, "a = :v AND b", "<EOF>", "b"},
		{Condition, "(a)", "<EOF>", ")"},
		{Condition, "(:v) OR a = :v", "OR", ") OR a"},
		{Condition, "(a = :v AND b)", ")", "b)"},
		{Condition, "(NOT a)", ")", "a)"},
		{Condition, "NOT a AND b = :v", "AND", "a AND b"},
		{Condition, "a NOT IN (:v)", "NOT", "a NOT IN"},
		{Condition, "(a = :v) = :w", "=", ") = :w"},
		{Condition, "a = (b = :v)", "=", "b = :v"},
		{Condition, "a = b = c", "=", "b = c"},
		{Condition, "(a = :v", "<EOF>", ":v"},
		{Condition, "a = :v)", ")", ":v)"},
		{Condition, "a IN ()", ")", "()"},
		{Condition, "a IN :v", ":v", "IN :v"},
		{Condition, "a IN (:v,)", ")", ",)"},
		{Condition, "a IN (:v b)", "b", ":v b)"},
		{Condition, "a BETWEEN :v", "<EOF>", ":v"},
		{Condition, "a BETWEEN :v OR :w", "OR", ":v OR :w"},
		{Condition, "a BETWEEN :v, :w", ",", ":v, :w"},
		{Condition, "size(a).b = :v", ".", ").b"},
		{Condition, "(size(a))[0] = :v", "[", ")[0"},
		{Condition, "a = :v.b", ".", ":v.b"},
		{Condition, "size() = :v", ")", "() ="},
		{Condition, "a.AND = :v", "AND", ".AND ="},
		{Condition, "between = :v", "between", "between ="},
		{Condition, "a.b. = :v", "=", ". = :v"},
		{Condition, "a.(b) = :v", "(", ".(b"},
		{Condition, "not(a, b)", ",", "a, b"},
		// Updates.
		{UpdateKind, "SET", "<EOF>", "SET"},
		{UpdateKind, "SET a", "<EOF>", "a"},
		{UpdateKind, "SET a = set", "set", "= set"},
		{UpdateKind, "SET :v = a", ":v", "SET :v ="},
		{UpdateKind, "SET a = b + c + d", "+", "c + d"},
		{UpdateKind, "SET a = f(x + y)", "+", "x + y"},
		{UpdateKind, "SET a = (((b)))", "(", "((b"},
		{UpdateKind, "SET a = ((b + c))", "+", "b + c"},
		{UpdateKind, "SET a = (b + c) + d", "+", ") + d"},
		{UpdateKind, "SET a = ((b)) + c", "+", ") + c"},
		{UpdateKind, "SET a = (b).c", ".", ").c"},
		{UpdateKind, "SET (a = b)", "(", "SET (a"},
		{UpdateKind, "SET f(a) = b", "(", "f(a"},
		{UpdateKind, "SET a = b c = d", "c", "b c ="},
		{UpdateKind, "REMOVE a = b", "=", "a = b"},
		{UpdateKind, "REMOVE :v", ":v", "REMOVE :v"},
		{UpdateKind, "REMOVE a,", "<EOF>", ","},
		{UpdateKind, "REMOVE f(a)", "(", "f(a"},
		{UpdateKind, "ADD a b", "b", "a b"},
		{UpdateKind, "ADD a = :v", "=", "a = :v"},
		{UpdateKind, "ADD a f(:v)", "f", "a f("},
		{UpdateKind, "DELETE a", "<EOF>", "a"},
		{UpdateKind, "DELETE :v a", ":v", "DELETE :v a"},
		{UpdateKind, "SET a = not_a_keyword, and = :v =", "=", ":v ="},
		// Projections.
		{ProjectionKind, "a,", "<EOF>", ","},
		{ProjectionKind, ",a", ",", ",a"},
		{ProjectionKind, "a,,b", ",", ",,b"},
		{ProjectionKind, "a b", "b", "a b"},
		{ProjectionKind, ":a", ":a", ":a"},
		{ProjectionKind, "(a)", "(", "(a"},
		{ProjectionKind, "f(a)", "(", "f(a"},
		{ProjectionKind, "a-b", "-", "a-b"},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			want := "Invalid " + tc.kind.String() + `: Syntax error; token: "` + tc.token + `", near: "` + tc.near + `"`
			err := bindText(nil, tc.kind, tc.text, nil)
			checkError(t, err, want)
			e, ok := err.(*Error)
			if !ok || tc.token == "<EOF>" {
				return
			}
			if got := tc.text[e.Pos:e.End]; got != tc.token {
				t.Errorf("fault at %q, want %q", got, tc.token)
			}
		})
	}
}

func TestEmptyAndOversize(t *testing.T) {
	long := "a = :v" + strings.Repeat(" ", MaxExpressionBytes)
	for kind := Condition; kind <= ProjectionKind; kind++ {
		prefix := "Invalid " + kind.String() + ": "
		for _, text := range []string{"", " ", "\t\r\n"} {
			checkError(t, bindText(nil, kind, text, nil), prefix+"The expression can not be empty;")
		}
		// The size comes before the syntax, and is that of the text as written.
		const full = "Expression size has exceeded the maximum allowed size; expression size: 4102"
		err := bindText(nil, kind, long, nil)
		want := prefix + full
		if kind == UpdateKind {
			checkError(t, err, prefix+"Expression size has exceeded the maximum allowed size;")
		} else {
			checkError(t, err, want)
		}
		if got := err.(*Error).Current(); got != want {
			t.Errorf("current text %q, want %q", got, want)
		}
	}
	checkError(t, bindText(nil, Condition, long[:MaxExpressionBytes], placeholders(t, `:v={"S":"x"}`)), "")
}

// Deep nesting within the size limit is parsed, judged and printed without
// trouble.
func TestDeepNesting(t *testing.T) {
	deep := func(before, middle, after string) string {
		n := (MaxExpressionBytes - len(middle)) / (len(before) + len(after))
		return strings.Repeat(before, n) + middle + strings.Repeat(after, n)
	}
	for _, tc := range []struct {
		kind Kind
		text string
	}{
		{Condition, deep("(", "a = :v", ")")},
		{Condition, deep("(", "", "")},
		{Condition, deep("NOT ", "a = :v", "")},
		{Condition, deep("(NOT ", "a = :v", ")")},
		{Condition, deep("(a=a OR ", "a = :v", ")")},
		{Condition, deep("size(", "a", ")")},
		{Condition, "a = " + deep("(", "b", ")")[4:]},
		{Condition, deep("a.", "a", "")},
		{Condition, "a" + deep("[0]", "", "")[3:] + " = :v"},
		{UpdateKind, "SET a = " + deep("f(", "b", ")")[8:]},
	} {
		if err := bindText(nil, tc.kind, tc.text, placeholders(t, `:v={"S":"x"}`)); err == nil {
			t.Errorf("%.20s... is legal", tc.text)
		}
		if tr, err := parse(tc.kind, tc.text); err == nil && treeString(tr.root) == "" {
			t.Errorf("%.20s... prints as nothing", tc.text)
		}
	}
}
