package partiql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const notWellFormed = "Statement wasn't well formed, can't be processed: "

// TestSyntaxErrors holds the refusals of behaviours/09 §9.4, and how the open
// parser words its others.
func TestSyntaxErrors(t *testing.T) {
	const leftover = "Unexpected token after expression"
	tests := []struct{ text, want string }{
		{`SELECTT * FROMM "t"`, leftover},
		{`SELECTT * FROM "t"`, "Expected data manipulation"},
		{`SLECT * FROM "t" WHERE pk = 'x'`, "Expected data manipulation"},
		{`UPSERT INTO "t" VALUE {'pk': 1}`, leftover},

		{`SELECT * FROM "t" WHERE pk = 1 foo`, leftover},
		{`SELECT * FROM "t" WHERE pk = 1 e5`, leftover},
		{`INSERT INTO "t" VALUE {'pk': 970001} foo`, leftover},
		{`UPDATE "t" SET a = 9 WHERE pk = 970002 foo`, leftover},
		{`DELETE FROM "t" WHERE pk = 970003 foo`, leftover},
		{`SELECT * FROM "t" WHERE pk = 1)`, leftover},
		{`DELETE FROM "t" WHERE pk = 970004 ORDER BY pk`, leftover},
		{`SELECT * FROM "t" ORDER BY pk WHERE pk = 1`, leftover},
		{`FROM "t" SET c = 1 WHERE pk = 'x'`, leftover},
		{`FROM "t" SET c = 1 WHERE pk = 'x' SET d = 2`, leftover},
		{`INSERT INTO "t" t VALUE {'pk': 'x'}`, leftover},

		{`SELECT * FROM "t" WHERE`, "Unexpected term"},
		{`SELECT * FROM "t" WHERE;`, "Unexpected term"},
		{`SELECT * FROM "t" WHERE   `, "Unexpected term"},
		{`SELECT pk FROM "t" WHERE`, "Unexpected term"},
		{`UPDATE "t" SET a = 1 WHERE`, "Unexpected term"},
		{`DELETE FROM "t" WHERE`, "Unexpected term"},
		{`SELECT * FROM "t" WHERE NOT`, "Unexpected term"},
		{`SELECT * FROM "t" WHERE (`, "Unexpected term"},
		{`SELECT * FROM`, "Unexpected term"},
		{``, "Unexpected term"},

		{`SELECT * FROM "t" WHERE pk = 'p1' AND`, "Missing right-hand side expression of infix operator"},
		{`SELECT * FROM "t" WHERE pk = 'p1' OR`, "Missing right-hand side expression of infix operator"},
		{`SELECT * FROM "t" WHERE ORDER BY pk`, "Unexpected keyword"},
		{`SELECT * FROM "t" WHERE IS NULL`, "Unexpected operator"},
		{`SELECT * FROM "t" WHERE pk = LIKE`, "Unexpected operator"},
		{`SELECT * FROM "t" WHERE pk == 1`, "Unexpected operator"},
		{`SELECT * FROM "t" WHERE pk = 'a' AND x IS FOO`, "Expected type name"},

		{`DELETE FROM`, "Expected identifier for simple path"},
		{`DELETE FROM   `, "Expected identifier for simple path"},
		{`DELETE FROM;`, "Expected identifier for simple path"},
		{`DELETE FROM WHERE pk = 'a'`, "Expected identifier for simple path"},
		{`SELECT * FROM "t" WHERE attribute_exists(m.inner)`, "Invalid path dot component"},
		{`UPDATE "t" SET m.inner = set_add(m.inner, <<'y'>>)`, "Invalid path dot component"},

		{`SELECT * FROM "t" WHERE pk = 1e2147483648`, ""},
		{`SELECT * FROM "t" WHERE pk = 1e99999999999`, ""},
		{`SELECT * FROM "t" WHERE pk = 1.5e-2147483647`, ""},
		{`SELECT * FROM "t" WHERE pk = 1e`, ""},
		{`SELECT * FROM "t" WHERE pk = 1 # note`, ""},
		{`SELECT * FROM "t" WHERE pk = 1 /* note`, ""},
		{`SELECT * FROM "t`, ""},
		{`SELECT * FROM "`, ""},
		{`SELECT * FROM "t" WHERE pk = 'a`, ""},
		{`SELECT * FROM "t" WHERE pk ! 1`, ""},
		{`SELECT * FROM t WHERE é = 1`, ""},

		{`SELECT * t`, "Expected FROM after SELECT list"},
		{`DELETE "t"`, "Expected FROM after DELETE"},
		{`UPDATE "t" WHERE pk = 1 SET a = 1`, "Expected data manipulation"},
		{`UPDATE "t" SET a`, "Expected '='"},
		{`UPDATE "t" SET a = 1 WHERE pk = 1 RETURNING OLD *`,
			"Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
		{`SELECT * FROM "t"; SELECT * FROM "t"`, "Unexpected token after semicolon. (Only one query is allowed.)"},
		{`SELECT * FROM "t" WHERE (DELETE FROM "t" WHERE pk = 1)`, "Keyword delete only expected at the top level in the query"},
		{`SELECT * FROM "t" WHERE ` + strings.Repeat("(", maxNesting) + "a", ""},
		{`SELECT * FROM "t" WHERE ` + strings.Repeat("NOT ", maxNesting) + "a", ""},
		{`SELECT * FROM "t" WHERE a = ` + strings.Repeat("-(", maxNesting) + "a", ""},
	}
	for _, tt := range tests {
		_, _, err := parse(tt.text)
		if err == nil {
			t.Errorf("%s: no error", tt.text)
			continue
		}
		if err.Error() != notWellFormed+tt.want {
			t.Errorf("%s: %q, want %q", tt.text, err.Error(), notWellFormed+tt.want)
		}
		if err.Pos < 0 || err.End < err.Pos || err.End > len(tt.text) {
			t.Errorf("%s: range %d to %d", tt.text, err.Pos, err.End)
		}
	}
}

// TestParse shows what is read by how it prints.
func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{`select * from t`, `(SELECT * FROM "t")`},
		{`SELECT a, b.c[0].d FROM t."i" WHERE NOT a = 1 AND b = 2 OR c`,
			`(SELECT "a", "b"."c"[0]."d" FROM "t"."i" WHERE (((not ("a" = 1)) and ("b" = 2)) or "c"))`},
		{`SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN 3 AND 4`,
			`(SELECT * FROM "t" WHERE (("a" between 1 and 2) and ("b" not between 3 and 4)))`},
		{`SELECT * FROM t WHERE a IN ('x') AND b not in ['y', ?] and c IS NOT character varying`,
			`(SELECT * FROM "t" WHERE ((("a" in ['x']) and ("b" not in ['y', ?])) and ("c" is not character varying)))`},
		{`SELECT * FROM t WHERE a != -7.31e6 AND b <> .5 AND c = - 5 AND d = +5`,
			`(SELECT * FROM "t" WHERE (((("a" <> -7.31e6) and ("b" <> .5)) and ("c" = -5)) and ("d" = 5)))`},
		{"SELECT * -- note\r\nFROM t /* a\nb */ WHERE a = 'it''s' ORDER BY a DESC, b ASC;",
			`(SELECT * FROM "t" WHERE ("a" = 'it''s') ORDER BY "a" DESC, "b")`},
		{`SELECT * FROM "a""b" AS x`, `(SELECT * FROM "a""b" AS t)`},
		{`SELECT COUNT(*), Size(a) FROM t LIMIT 5`, `(SELECT count(*), size("a") FROM "t" LIMIT 5)`},
		{`INSERT INTO t VALUE {'a': 1, 'b': [true, false, null], 'c': <<1, 2>>, 'd': {}}`,
			`INSERT INTO "t" value {'a': 1, 'b': [true, false, null], 'c': <<1, 2>>, 'd': {}}`},
		{`UPDATE t SET a = 1, b = b + ? REMOVE c[1] SET d['x'] = 2 WHERE pk = 1 RETURNING ALL OLD *`,
			`UPDATE "t" SET "a" = 1 SET "b" = ("b" + ?) REMOVE "c"[1] SET "d"['x'] = 2 WHERE ("pk" = 1) RETURNING ALL OLD *`},
		{`from t where pk = 1 remove a, b returning modified new *`,
			`FROM "t" WHERE ("pk" = 1) REMOVE "a" REMOVE "b" RETURNING MODIFIED NEW *`},
		{`DELETE FROM t WHERE pk = 1`, `DELETE FROM "t" WHERE ("pk" = 1)`},
		{`EXISTS(SELECT * FROM t WHERE pk = 1 AND a = 2)`,
			`exists((SELECT * FROM "t" WHERE (("pk" = 1) and ("a" = 2))))`},
	}
	for _, tt := range tests {
		n, _, err := parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := printed(n); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// sameTree compares trees without their positions.
var sameTree = []cmp.Option{
	cmp.Comparer(func(a, b span) bool { return true }),
	cmp.AllowUnexported(nameNode{}, literalNode{}, paramNode{}, pathNode{}, step{}, callNode{}, unaryNode{}, binaryNode{},
		betweenNode{}, isNode{}, listNode{}, bagNode{}, structNode{}, structField{}, selectNode{}, column{}, source{},
		orderTerm{}, clause{}, insertNode{}, updateNode{}, actionNode{}, returningElem{}, deleteNode{}),
}

func FuzzParse(f *testing.F) {
	for _, text := range fuzzSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, params, err := parse(text)
		if err != nil {
			if err.Pos < 0 || err.End < err.Pos || err.End > len(text) {
				t.Fatalf("fault at %d to %d of %d bytes", err.Pos, err.End, len(text))
			}
			return
		}
		again := printed(tree)
		reread, count, err := parse(again)
		if err != nil {
			t.Fatalf("%q does not parse: %v", again, err)
		}
		if diff := cmp.Diff(tree, reread, sameTree...); diff != "" || count != params {
			t.Fatalf("%q, %d and %d parameters: %s", again, params, count, diff)
		}
	})
}

var fuzzSeeds = []string{
	`SELECT * FROM "t"."i" WHERE pk = 'a' AND sk BETWEEN 1 AND 2.5e3 ORDER BY sk DESC`,
	`SELECT a, b.c[0].d['x'] FROM t WHERE NOT begins_with(a, 'b') OR c IS NOT MISSING`,
	`SELECT * FROM t WHERE a IN (1, ?) AND b NOT IN [2] AND size(c) >= -.5`,
	`SELECT COUNT(*) FROM t, u x GROUP BY a HAVING b LIMIT 1`,
	`INSERT INTO t VALUE {'a': 'it''s', 'b': [1, {'c': ?}], 'd': << 'x' >>}`,
	`UPDATE t SET a = a + 1, b = list_append(b, [?]) REMOVE c[3] WHERE pk = ? RETURNING MODIFIED OLD *`,
	"FROM t WHERE pk = 1 SET a.b = set_add(a.b, <<1>>) -- note\n/* x */;",
	`DELETE FROM "t" WHERE pk = true AND x IS double precision RETURNING ALL OLD *`,
	`EXISTS(SELECT * FROM t WHERE pk = 1 AND a <> null)`,
	`x IS INT4`, `a || b - c * -(d)`, `((@a))[*].*`, `(a, b)`,
}
