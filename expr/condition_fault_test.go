package expr

import (
	"fmt"
	"strings"
	"testing"
)

const (
	inCondition = "Invalid ConditionExpression: "
	inUpdate    = "Invalid UpdateExpression: "

	parensText    = "The expression has redundant parentheses;"
	unknownText   = "Invalid function name; function: "
	misplacedText = "The function is not allowed to be used this way in an expression; function: "
	reservedText  = "Attribute name is a reserved keyword; reserved keyword: "
	nameText      = "An expression attribute name used in the document path is not defined; attribute name: "
	valueText     = "An expression attribute value used in expression is not defined; attribute value: "
	pathText      = "Operator or function requires a document path; operator or function: "
)

func countText(op string, n int) string {
	return fmt.Sprintf("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", op, n)
}

func typeText(op, typ string) string {
	return "Incorrect operand type for operator or function; operator or function: " + op + ", operand type: " + typ
}

func distinctText(op, path string) string {
	return "The first operand must be distinct from the remaining operands for this operator or function; operator: " + op +
		", first operand: " + path
}

// conditionLiterals adds names to the literals of all types.
func conditionLiterals(t testing.TB) *Placeholders {
	return literals(t, "#a=a", "#b=b", "#dot=x.y", "#size=size",
		`:one={"N":"1"}`, `:two={"N":"2"}`, `:x={"S":"x"}`, `:tag={"S":"SS"}`, `:dog={"S":"DOG"}`, `:empty={"S":""}`, `:bb={"B":"YmI="}`)
}

// TestConditionFaults goes through the rows of behaviours/04 §4.4.
func TestConditionFaults(t *testing.T) {
	testFaults(t, Condition, conditionLiterals, []faultCase{
		// Row 1: doubled parentheses, around anything.
		{"((a = :S))", inCondition + parensText},
		{"((a)) = :S", inCondition + parensText},
		{"a = ((:S))", inCondition + parensText},
		{"a BETWEEN ((b)) AND c", inCondition + parensText},
		{"a IN (((b)))", inCondition + parensText},
		{"attribute_exists(((a)))", inCondition + parensText},
		{"((a)).b = :S", inCondition + parensText},
		{"((a.b)[1]) = :S", ""},
		{"a = :S AND ((b = :S OR c = :S))", inCondition + parensText},
		{"NOT ((a = :S))", inCondition + parensText},
		{"(((a = :S)))", inCondition + parensText},
		{"((a = :S) AND b = :S)", ""},
		{"(a = :S AND (b = :S))", ""},
		{"((a = :S) AND (b = :S))", ""},
		{"a IN ((:S), (:N))", ""},
		{"(attribute_exists((a)))", ""},
		{"(size((a))) = (:N)", ""},
		// Row 2: unknown functions; names are case-sensitive.
		{"whatever(a)", inCondition + unknownText + "whatever"},
		{"a = whatever(:S)", inCondition + unknownText + "whatever"},
		{"Attribute_exists(a)", inCondition + unknownText + "Attribute_exists"},
		{"SIZE(a) = :N", inCondition + unknownText + "SIZE"},
		{"contains(a, b.c) AND d = first(second(a))", inCondition + unknownText + "first"},
		// Row 3: functions in the wrong place.
		{"size(a)", inCondition + misplacedText + "size"},
		{"NOT size(a)", inCondition + misplacedText + "size"},
		{"a = :S AND (size(a))", inCondition + misplacedText + "size"},
		{"if_not_exists(a, b)", inCondition + misplacedText + "if_not_exists"},
		{"a = if_not_exists(a, b)", inCondition + misplacedText + "if_not_exists"},
		{"a = list_append(a, b)", inCondition + misplacedText + "list_append"},
		{"attribute_exists(a) = :BOOL", inCondition + misplacedText + "attribute_exists"},
		{"a BETWEEN b AND contains(a, b)", inCondition + misplacedText + "contains"},
		{"a IN (b, begins_with(a, b))", inCondition + misplacedText + "begins_with"},
		{"begins_with(a, b) IN (c)", inCondition + misplacedText + "begins_with"},
		{"size(attribute_type(a, :tag)) = :N", inCondition + misplacedText + "attribute_type"},
		{"attribute_exists(attribute_exists(a))", inCondition + misplacedText + "attribute_exists"},
		// Row 4: reserved words, as written, first in the text.
		{"ABORT = :S", inCondition + reservedText + "ABORT"},
		{"a.status = :S", inCondition + reservedText + "status"},
		{"a = b.c AND Name = :S AND abort = :S", inCondition + reservedText + "Name"},
		{"attribute_exists(views)", inCondition + reservedText + "views"},
		{"SET = :S", inCondition + reservedText + "SET"},
		{"#size = :S", ""},
		{"#dot = :S", ""},
		// Row 5: undefined placeholders, in the order of the text.
		{"#c = :S", inCondition + nameText + "#c"},
		{"a.b[1].#c = :S", inCondition + nameText + "#c"},
		{"a = :v", inCondition + valueText + ":v"},
		{":v = #c", inCondition + valueText + ":v"},
		{"#c = :v", inCondition + nameText + "#c"},
		{"a = :v AND #c = :S", inCondition + valueText + ":v"},
		{"a BETWEEN :S AND :v", inCondition + valueText + ":v"},
		{"a IN (:S, b.#c, :v)", inCondition + nameText + "#c"},
		{"size(#c) = :v", inCondition + nameText + "#c"},
		{"#A = :S", inCondition + nameText + "#A"},
		// Row 6: number of operands.
		{"attribute_exists(a, b)", inCondition + countText("attribute_exists", 2)},
		{"attribute_not_exists(a, b, c)", inCondition + countText("attribute_not_exists", 3)},
		{"attribute_type(a)", inCondition + countText("attribute_type", 1)},
		{"begins_with(a)", inCondition + countText("begins_with", 1)},
		{"contains(a, b, c)", inCondition + countText("contains", 3)},
		{"size(a, b) = :N", inCondition + countText("size", 2)},
		{"contains(size(a, b))", inCondition + countText("size", 2)},
		// Row 7: distinct operands, by path and not by value.
		{"a = a", inCondition + distinctText("=", "[a]")},
		{"#a <> a", inCondition + distinctText("<>", "[a]")},
		{"(a.b[0].c) >= a.#b[0].c", inCondition + distinctText(">=", "[a, b, [0], c]")},
		{"contains(a.b, a.b)", inCondition + distinctText("contains", "[a, b]")},
		{"begins_with(a[3], #a[3])", inCondition + distinctText("begins_with", "[a, [3]]")},
		{"attribute_type(a, a)", inCondition + distinctText("attribute_type", "[a]")},
		{"a BETWEEN a AND a", ""},
		{"a IN (a, a)", ""},
		{":S = :S", ""},
		{"size(a) = size(a)", ""},
		{"a = a[0]", ""},
		{"#dot = x.y", ""},
		// Row 8: a path is required.
		{"attribute_exists(:S)", inCondition + pathText + "attribute_exists"},
		{"attribute_not_exists(size(a))", inCondition + pathText + "attribute_not_exists"},
		{"attribute_type(:S, :tag)", ""},
		{"begins_with(:S, a)", ""},
		// Row 10: the type of attribute_type is no path.
		{"attribute_type(a, b)", inCondition + typeText("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")},
		{"attribute_type(a, size(b))", inCondition + typeText("attribute_type", "N")},
		// Row 11: the type must be one.
		{"attribute_type(a, :dog)", inCondition + "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"attribute_type(a, :empty)", inCondition + "Invalid attribute type name found; type: , valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"attribute_type(a, :tag)", ""},
		// Rows 12 and 13: bounds of BETWEEN.
		{"a BETWEEN :N AND :S", inCondition + "The BETWEEN operator requires same data type for lower and upper bounds; " +
			"lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
		{"a BETWEEN :two AND :one", inCondition + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"a BETWEEN :x AND :S", inCondition + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {S:x}, upper bound operand: AttributeValue: {S:a}"},
		{"a BETWEEN :bb AND :B", inCondition + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {B:YmI=}, upper bound operand: AttributeValue: {B:YQ==}"},
		{"a BETWEEN :one AND :N", ""},
		{"a BETWEEN :one AND :one", ""},
		{"a BETWEEN :two AND b", ""},
		{"a BETWEEN size(b) AND :one", ""},
		{":S BETWEEN :one AND :two", ""},
	})
}

// TestConditionOrder pins which of several faults is reported.
func TestConditionOrder(t *testing.T) {
	testFaults(t, Condition, conditionLiterals, []faultCase{
		{"a = = b AND ((nofn(a)))", inCondition + `Syntax error; token: "=", near: "= = b"`},
		{"((a = nofn(abort, #u))) AND size(a)", inCondition + parensText},
		{"size(a) AND nofn(abort)", inCondition + unknownText + "nofn"},
		{"abort = :S AND size(a)", inCondition + misplacedText + "size"},
		{"#u = :S AND abort = :S", inCondition + reservedText + "abort"},
		// Below this line condition by condition.
		{"begins_with(#u) AND a = :S", inCondition + nameText + "#u"},
		{"begins_with(a) AND b = :u", inCondition + countText("begins_with", 1)},
		{"a = a AND begins_with(a)", inCondition + distinctText("=", "[a]")},
		{"begins_with(a) AND a = a", inCondition + countText("begins_with", 1)},
		{"begins_with(a, :N) AND a = a", inCondition + typeText("begins_with", "N")},
		{"a = a AND begins_with(a, :N)", inCondition + distinctText("=", "[a]")},
		{"attribute_exists(:u) AND a = :S", inCondition + valueText + ":u"},
		{"attribute_exists(:S) OR a < :BOOL", inCondition + pathText + "attribute_exists"},
		{"NOT a < :BOOL OR attribute_exists(:S)", inCondition + typeText("<", "BOOL")},
		// Within one, inner functions before outer ones.
		{"attribute_not_exists(size(:N))", inCondition + typeText("size", "N")},
		{"attribute_not_exists(size(:S))", inCondition + pathText + "attribute_not_exists"},
		{"size(a, b) > size(:N)", inCondition + countText("size", 2)},
		{"a BETWEEN :BOOL AND :S", inCondition + typeText("BETWEEN", "BOOL")},
		{"a BETWEEN :two AND :one AND b < :u", inCondition + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
	})
}

// TestConditionLiteralTypes goes through the table of literal types.
func TestConditionLiteralTypes(t *testing.T) {
	const all = "S N B SS NS BS M L BOOL NULL"
	tests := []struct {
		text  string // ":x" stands for the literal
		op    string
		legal string
	}{
		{"a = :x", "=", all},
		{":x = a", "=", all},
		{"a <> :x", "<>", all},
		{"a IN (:x)", "IN", all},
		{":x IN (a)", "IN", all},
		{"a < :x", "<", "S N B"},
		{":x < a", "<", "S N B"},
		{"a <= :x", "<=", "S N B"},
		{"a > :x", ">", "S N B"},
		{"a >= :x", ">=", "S N B"},
		{"a BETWEEN :x AND b", "BETWEEN", "S N B"},
		{"a BETWEEN b AND :x", "BETWEEN", "S N B"},
		{":x BETWEEN a AND b", "BETWEEN", "S N B"},
		{"begins_with(a, :x)", "begins_with", "S B"},
		{"begins_with(:x, a)", "begins_with", "S B"},
		{"contains(:x, a)", "contains", all},
		{"contains(a, :x)", "contains", all},
		{"size(:x) = a", "size", "S B SS NS BS L M"},
		{"attribute_type(:x, :type)", "attribute_type", all},
		{"attribute_type(a, :x)", "attribute_type", "S"},
	}
	for _, tc := range tests {
		for tag := range strings.FieldsSeq(all) {
			text := strings.ReplaceAll(tc.text, ":x", ":"+tag)
			t.Run(text, func(t *testing.T) {
				want := inCondition + typeText(tc.op, tag)
				if strings.Contains(" "+tc.legal+" ", " "+tag+" ") {
					want = ""
				}
				p := literals(t, `:type={"S":"S"}`)
				if tag == "S" && tc.text == "attribute_type(a, :x)" {
					p = placeholders(t, `:S={"S":"BOOL"}`)
				}
				checkError(t, bindText(nil, Condition, text, p), want)
			})
		}
	}
	testFaults(t, Condition, conditionLiterals, []faultCase{
		{"begins_with(size(a), :S)", inCondition + typeText("begins_with", "N")},
		{"begins_with(a, size(b))", inCondition + typeText("begins_with", "N")},
		{"size(size(a)) = :N", inCondition + typeText("size", "N")},
		{"contains(size(a), :N)", ""},
		{"size(a) < size(b)", ""},
		{"size(a) BETWEEN :N AND size(b)", ""},
		{"size(a) < :S", ""},
	})
}

func TestConditionLimits(t *testing.T) {
	tooMany := func(n int) string {
		return fmt.Sprintf("%sThe expression contains too many operators; operator count: %d", inCondition, n)
	}
	ors := func(n int, cond string) string { return strings.TrimSuffix(strings.Repeat(cond+" OR ", n), " OR ") }
	in := func(n int) string { return "a IN (" + strings.TrimSuffix(strings.Repeat(":S,", n), ",") + ")" }
	testFaults(t, Condition, conditionLiterals, []faultCase{
		{ors(150, "a=:S"), ""},                        // 150 comparators and 149 ORs
		{ors(151, "a=:S"), tooMany(301)},              //
		{"NOT " + ors(150, "a=:S"), ""},               // 300
		{"NOT NOT " + ors(150, "a=:S"), tooMany(301)}, //
		{ors(301, "contains(a,:S)")[:4], `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "cont"`},
		{ors(200, "contains(a,:S)"), ""},                      // functions do not count
		{ors(301, "(f(a))"), inCondition + unknownText + "f"}, // judged before the operators
		{ors(151, "a=:u"), inCondition + valueText + ":u"},    //
		{ors(150, "a BETWEEN b AND c"), ""},                   // BETWEEN counts once
		{ors(151, "a BETWEEN b AND c"), tooMany(301)},         //
		{in(99), ""}, //
		{in(100), inCondition + "The IN operator is provided with too many operands; number of operands: 101"},
		{"a" + strings.Repeat(".b", 31) + " = :S", ""}, // 32 elements
		{"a" + strings.Repeat(".b", 32) + " = :S", inCondition + "The document path has too many nesting levels; nesting levels: 33"},
		{"a[2147483647] = :S", ""},
		{"a[2147483648] = :S", inCondition + "List index is not within the allowable range; index: [2147483648]"},
		{"a[99999999999999999999] = :S", inCondition + "List index is not within the allowable range; index: [99999999999999999999]"},
	})
}
