package expr

import (
	"testing"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/google/go-cmp/cmp"
)

const (
	inKey       = "Invalid KeyConditionExpression: "
	keyOpText   = "Invalid operator used in KeyConditionExpression: "
	keyCondText = "Invalid condition in KeyConditionExpression: "
	nestedText  = "KeyConditionExpressions cannot contain nested operations"
	deepText    = inKey + "KeyConditionExpressions cannot have conditions on nested attributes"
	oncePerKey  = inKey + "KeyConditionExpressions must only contain one condition per key"
)

// TestKeyConditionFaults goes through rows 1 to 9 of behaviours/04 §4.6.
func TestKeyConditionFaults(t *testing.T) {
	testFaults(t, KeyConditionKind, conditionLiterals, []faultCase{
		// Row 1.
		{"", inKey + "The expression can not be empty;"},
		{"a = ", inKey + `Syntax error; token: "<EOF>", near: "="`},
		{"((a = :S))", inKey + parensText},
		{"nofn(a)", inKey + unknownText + "nofn"},
		{"size(a)", inKey + misplacedText + "size"},
		{"abort = :S", inKey + reservedText + "abort"},
		{"#c = :S", inKey + nameText + "#c"},
		// Row 2.
		{"a = :v AND begins_with(b, :N)", inKey + valueText + ":v"},
		{"begins_with(b, :N) AND a = :v", inKey + typeText("begins_with", "N")},
		{"a = :S AND begins_with(b, :BOOL)", inKey + typeText("begins_with", "BOOL")},
		{"a = :S AND :BOOL >= b", inKey + typeText(">=", "BOOL")},
		{"a = :S AND b < :L", inKey + typeText("<", "L")},
		{"a = :BOOL", ""},
		{"a = :S AND b BETWEEN :two AND :one", inKey + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"a = :S AND b BETWEEN :N AND :S", inKey + "The BETWEEN operator requires same data type for lower and upper bounds; " +
			"lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
		{"a = a", inKey + distinctText("=", "[a]")},
		// Row 3.
		{"a = :S OR b = :S", keyOpText + "OR"},
		{"not a = :S", keyOpText + "NOT"},
		{"a in (:S)", keyOpText + "IN"},
		{"a <> :S", keyOpText + "<>"},
		{"attribute_exists(a)", keyOpText + "attribute_exists"},
		{"attribute_not_exists(a)", keyOpText + "attribute_not_exists"},
		{"attribute_type(a, :tag)", keyOpText + "attribute_type"},
		{"contains(a.c, b)", keyOpText + "contains"},
		{"a = :S AND (b = :S OR c = :S)", keyOpText + "OR"},
		{"a = :S AND size(b) > c OR a > :S", keyOpText + "OR"},
		// Row 4.
		{"a > size(b.c)", nestedText},
		{"size(a) > :N", nestedText},
		{"a BETWEEN size(b) AND size(c)", nestedText},
		// Row 5.
		{":S BETWEEN a AND b", keyCondText + "BETWEEN operator must have the key attribute as its first operand"},
		{"size(a) BETWEEN b AND c", keyCondText + "BETWEEN operator must have the key attribute as its first operand"},
		{"begins_with(:S, a)", keyCondText + "begins_with operator must have the key attribute as its first operand"},
		// Row 6.
		{"a = b", keyCondText + "Multiple attribute names used in one condition"},
		{"a > b.c", keyCondText + "Multiple attribute names used in one condition"},
		{"a BETWEEN b AND size(c)", keyCondText + "Multiple attribute names used in one condition"},
		{"begins_with(a, b)", keyCondText + "Multiple attribute names used in one condition"},
		// Row 7.
		{"a.b = :S", deepText},
		{"a[0] = :S", deepText},
		{"a.b > c", deepText},
		{"#a.b = :S AND c.d = e", deepText},
		{"#dot = :S", ""},
		// Row 8.
		{":S = :x", keyCondText + "No key attribute specified"},
		{":S > :x AND a = b", keyCondText + "No key attribute specified"},
		// Row 9.
		{"a = :S AND a > :S", oncePerKey},
		{"a > :S AND #a = :S AND size(b) = :N", oncePerKey},
		{"(a = :S AND b > :S) AND (c = :S AND b < :S)", oncePerKey},
		{"a = :S AND size(b) = :N AND a > :S", nestedText},
		{"a = :S AND b = :S AND c = :S", ""}, // row 10 needs the table
	})
}

func TestKeyConditionFaultsThatComeLate(t *testing.T) {
	for _, tc := range []struct {
		text string
		late bool
	}{
		{"a = ", false},
		{"a = :v", false},
		{"a < :BOOL", false},
		{"a = :S OR b = :S", true},
		{"a.b = :S", true},
		{"a = :S AND a = :S", true},
	} {
		err := bindText(nil, KeyConditionKind, tc.text, conditionLiterals(t))
		if e, ok := err.(*Error); !ok || e.Late != tc.late {
			t.Errorf("%s: error %v, want one that is late: %v", tc.text, err, tc.late)
		}
	}
	p := placeholders(t, "#u=a", `:u={"S":"x"}`, "#no=b")
	_ = bindText(nil, KeyConditionKind, "#u = :u OR #u <> :u", p)
	if diff := cmp.Diff([]string{"#no"}, p.UnusedNames()); diff != "" || len(p.UnusedValues()) > 0 {
		t.Errorf("a late fault leaves placeholders unused: %s %v", diff, p.UnusedValues())
	}
}

func TestKeyConditionClauses(t *testing.T) {
	s, n, x := value(t, `{"S":"a"}`), value(t, `{"N":"1"}`), value(t, `{"S":"x"}`)
	clause := func(name string, op KeyOp, values ...attr.Value) KeyClause {
		c := KeyClause{Name: name, Op: op, N: len(values)}
		copy(c.Values[:], values)
		return c
	}
	tests := []struct {
		text string
		want []KeyClause
	}{
		{"a = :S", []KeyClause{clause("a", EQ, s)}},
		{":S = a", []KeyClause{clause("a", EQ, s)}},
		{"(a) = (:S)", []KeyClause{clause("a", EQ, s)}},
		{"(a = :S) AND (#b < :N)", []KeyClause{clause("a", EQ, s), clause("b", LT, n)}},
		{"#b <= :N AND a = :S", []KeyClause{clause("b", LE, n), clause("a", EQ, s)}},
		{"a > :S", []KeyClause{clause("a", GT, s)}},
		{"a >= :S", []KeyClause{clause("a", GE, s)}},
		{":S < a", []KeyClause{clause("a", GT, s)}},
		{":S <= a", []KeyClause{clause("a", GE, s)}},
		{":S > a", []KeyClause{clause("a", LT, s)}},
		{":S >= a", []KeyClause{clause("a", LE, s)}},
		{"a BETWEEN :S AND :x", []KeyClause{clause("a", Between, s, x)}},
		{"begins_with(#dot, :S)", []KeyClause{clause("x.y", BeginsWith, s)}},
		{"a = :S AND (b = :S AND c = :S)", []KeyClause{clause("a", EQ, s), clause("b", EQ, s), clause("c", EQ, s)}},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			got, err := (*Cache)(nil).KeyCondition(tc.text, conditionLiterals(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got.Clauses); diff != "" {
				t.Errorf("clauses (-want +got):\n%s", diff)
			}
		})
	}
}
