package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"a.b[3]", []string{"a", ".", "b", "[", "3", "]"}},
		{"a .\tb [\r\n 3 ] ", []string{"a", ".", "b", "[", "3", "]"}},
		{"#1a=:0_", []string{"#1a", "=", ":0_"}},
		{"a<>b<=c>=d<e>f", []string{"a", "<>", "b", "<=", "c", ">=", "d", "<", "e", ">", "f"}},
		{"a<=>b", []string{"a", "<=", ">", "b"}},
		{"a!=b", []string{"a", "!", "=", "b"}},
		{"a==b", []string{"a", "=", "=", "b"}},
		{"_x", []string{"_", "x"}},
		{"_1", []string{"_", "1"}},
		{"12ab_3", []string{"12", "ab_3"}},
		{"# a : b #", []string{"#", "a", ":", "b", "#"}},
		{"é☃\x80", []string{"é", "☃", "\x80"}},
		{"", nil},
		{" \t\r\n", nil},
		{"\v", []string{"\v"}},
	}
	for _, tc := range tests {
		var got []string
		lx := lexer{text: tc.text}
		for tok := lx.next(); tok.kind != tokEOF; tok = lx.next() {
			got = append(got, tc.text[tok.pos:tok.end])
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("tokens of %q (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestKeywordsBelongToTheirGrammar(t *testing.T) {
	tests := []struct {
		kind Kind
		word string
		want keyword
	}{
		{Condition, "and", kwAnd},
		{Filter, "Between", kwBetween},
		{KeyConditionKind, "IN", kwIn},
		{Condition, "SET", noKeyword},
		{UpdateKind, "sEt", kwSet},
		{UpdateKind, "REMOVE", kwRemove},
		{UpdateKind, "not", noKeyword},
		{ProjectionKind, "and", noKeyword},
		{Condition, "i\x0e", noKeyword},
		{Condition, "betweenx", noKeyword},
	}
	for _, tc := range tests {
		if got := keywordOf(tc.kind, tc.word); got != tc.want {
			t.Errorf("keywordOf(%v, %q) = %v, want %v", tc.kind, tc.word, got, tc.want)
		}
	}
}

func TestReservedWord(t *testing.T) {
	for _, word := range []string{"ABORT", "abort", "aBoRt", "ZONE", "Name", "status", "at", "TTL", "Action", "SET"} {
		if !ReservedWord(word) {
			t.Errorf("ReservedWord(%q) = false", word)
		}
	}
	for _, word := range []string{"", "a", "ABORTS", "ABOR", "pk", "Album", "REMOVE", "zzz", "AAAAAAAAAAAAAAAAAAAAAAA", "\xe1bort"} {
		if ReservedWord(word) {
			t.Errorf("ReservedWord(%q) = true", word)
		}
	}
	for _, word := range reservedWords {
		if !ReservedWord(word) {
			t.Errorf("ReservedWord(%q) = false", word)
		}
	}
	if len(reservedWords) != 573 {
		t.Errorf("%d reserved words, want 573", len(reservedWords))
	}
}
