package expr

import (
	"fmt"
	"strings"
	"testing"
)

func actionText(op, typ string) string {
	return "Incorrect operand type for operator or function; operator: " + op + ", operand type: " + typ
}

func updateLiterals(t testing.TB) *Placeholders {
	return literals(t, "#a=a", "#b=b", "#three=[3]")
}

// TestUpdateFaults goes through rows 1 to 10 of behaviours/04 §4.8.
func TestUpdateFaults(t *testing.T) {
	testFaults(t, UpdateKind, updateLiterals, []faultCase{
		// Row 1.
		{"", inUpdate + "The expression can not be empty;"},
		{"SET a = :S,", inUpdate + `Syntax error; token: "<EOF>", near: ","`},
		{"SET a = ((b))", ""},
		// Row 2.
		{"SET #u = :u SET abOrt = nofn(a)", inUpdate + reservedText + "abOrt"},
		{"REMOVE a.Absolute", inUpdate + reservedText + "Absolute"},
		{"ADD status :N", inUpdate + reservedText + "status"},
		{"SET a = and", inUpdate + reservedText + "and"},
		// Row 3.
		{"SET #u = if_not_exist(:u) SET c = d", inUpdate + unknownText + "if_not_exist"},
		{"SET a = contains(a, nofn(b))", inUpdate + unknownText + "nofn"},
		{"SET a = List_append(a, b)", inUpdate + unknownText + "List_append"},
		// Row 4.
		{"SET a = size(b) SET c = d", inUpdate + misplacedText + "size"},
		{"SET a = attribute_exists(b)", inUpdate + misplacedText + "attribute_exists"},
		{"SET a = list_append(b, list_append(c, d))", inUpdate + misplacedText + "list_append"},
		{"SET a = list_append(list_append(c, d), b) + :N", inUpdate + misplacedText + "list_append"},
		{"SET a = list_append(b, if_not_exists(c, list_append(d, e)))", ""},
		// Row 5.
		{"SET a = #u SET b = :u", inUpdate + `The "SET" section can only be used once in an update expression;`},
		{"REMOVE #u SET a = b remove c", inUpdate + `The "REMOVE" section can only be used once in an update expression;`},
		{"ADD a :N SET b = c ADD d :N", inUpdate + `The "ADD" section can only be used once in an update expression;`},
		{"DELETE a :SS DELETE b :SS", inUpdate + `The "DELETE" section can only be used once in an update expression;`},
		{"DELETE a :SS ADD b :N ADD c :N DELETE d :SS", inUpdate + `The "ADD" section can only be used once in an update expression;`},
		// Row 6: names before values, wherever they stand.
		{"SET a = :u, b = #u", inUpdate + nameText + "#u"},
		{"SET a = :u, a = b", inUpdate + valueText + ":u"},
		{"SET a = if_not_exists(:u)", inUpdate + valueText + ":u"},
		{"ADD a :u", inUpdate + valueText + ":u"},
		{"REMOVE #u", inUpdate + nameText + "#u"},
		// Row 7.
		{"SET a = :S, #a = :N", inUpdate + overlapText("[a]", "[a]")},
		{"SET a.b = :S REMOVE a", inUpdate + overlapText("[a, b]", "[a]")},
		{"SET d[1] = a, d.b = a, c[1].a = a, c = b", inUpdate + overlapText("[c, [1], a]", "[c]")},
		{"ADD a :S DELETE a.b :S", inUpdate + overlapText("[a]", "[a, b]")},
		{"REMOVE a.b SET a[1] = :S", inUpdate + conflictText("[a, b]", "[a, [1]]")},
		{"SET c[3].#three = a, c.#three[3] = a", inUpdate + conflictText("[c, [3], [3]]", "[c, [3], [3]]")},
		{"SET a = b, b = a", ""},
		{"SET a.b = :S, a.c = :S REMOVE d[0], d[1]", ""},
		// Row 9: functions.
		{"SET a = if_not_exists(b)", inUpdate + countText("if_not_exists", 1)},
		{"SET a = if_not_exists(a, b, c)", inUpdate + countText("if_not_exists", 3)},
		{"SET a = list_append(b)", inUpdate + countText("list_append", 1)},
		{"SET a = if_not_exists(:S, b)", inUpdate + pathText + "if_not_exists"},
		{"SET a = if_not_exists(if_not_exists(a, b), c)", inUpdate + pathText + "if_not_exists"},
		{"SET a = if_not_exists(list_append(a, b), c)", inUpdate + pathText + "if_not_exists"},
		{"SET a = if_not_exists(a, if_not_exists(:S, b))", inUpdate + pathText + "if_not_exists"},
		{"SET a = list_append(if_not_exists(a, :S), :L)", ""},
		{"SET a = if_not_exists(a, :N) + :N", ""},
		// The order of rows 8 to 10.
		{"SET b = list_append(:S, a), c = if_not_exists(a) ADD a.b :S", inUpdate + actionText("ADD", "STRING")},
		{"SET a = :S + b, c = list_append(:S, d)", inUpdate + typeText("list_append", "S")},
		{"SET a = :S + if_not_exists(b)", inUpdate + countText("if_not_exists", 1)},
	})
}

// TestUpdateLiteralTypes goes through rows 8 to 10 for all types.
func TestUpdateLiteralTypes(t *testing.T) {
	long := map[string]string{"S": "STRING", "N": "NUMBER", "B": "BINARY", "BOOL": "BOOLEAN", "NULL": "NULL", "L": "LIST", "M": "MAP"}
	tests := []struct {
		text  string // ":x" stands for the literal
		op    string
		legal string
	}{
		{"ADD a.b :x", "ADD", "N SS NS BS"},
		{"DELETE a.b :x", "DELETE", "SS NS BS"},
		{"SET a = list_append(:x, b)", "list_append", "L"},
		{"SET a = list_append(b, :x)", "list_append", "L"},
		{"SET a = b + :x", "+", "N"},
		{"SET a = :x + b", "+", "N"},
		{"SET a = b - (:x)", "-", "N"},
		{"SET a = if_not_exists(b, :x)", "", "S N B SS NS BS M L BOOL NULL"},
		{"SET a = :x", "", "S N B SS NS BS M L BOOL NULL"},
	}
	for _, tc := range tests {
		for tag := range strings.FieldsSeq("S N B SS NS BS M L BOOL NULL") {
			text := strings.ReplaceAll(tc.text, ":x", ":"+tag)
			t.Run(text, func(t *testing.T) {
				want := inUpdate + typeText(tc.op, tag)
				if tc.op == "ADD" || tc.op == "DELETE" {
					want = inUpdate + actionText(tc.op, long[tag])
				}
				if strings.Contains(" "+tc.legal+" ", " "+tag+" ") {
					want = ""
				}
				checkError(t, bindText(nil, UpdateKind, text, updateLiterals(t)), want)
			})
		}
	}
}

func TestUpdateLimits(t *testing.T) {
	sums := func(n int) string {
		var actions []string
		for i := range n {
			actions = append(actions, fmt.Sprintf("x%d=a+b", i))
		}
		return "SET " + strings.Join(actions, ",")
	}
	testFaults(t, UpdateKind, updateLiterals, []faultCase{
		{"REMOVE a" + strings.Repeat(".b", 32), inUpdate + "The document path has too many nesting levels; nesting levels: 33"},
		{"SET a[2147483648] = :S", inUpdate + "List index is not within the allowable range; index: [2147483648]"},
		{sums(300), ""},
		{sums(301), inUpdate + "The expression contains too many operators; operator count: 301"},
		{strings.ReplaceAll(sums(301), "a+b", "a"), ""}, // assignments do not count
	})
}
