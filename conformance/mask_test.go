package conformance

import (
	"bytes"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMaskKeepsOrder: equality, order and prefixes are the same after masking.
func TestMaskKeepsOrder(t *testing.T) {
	m := NewMask("test", NumbersHidden)
	texts := []string{"", "a", "ab", "abc", "abd", "ac", "b", "order#", "order#1", "order#10", "order#2", "orders", "ä", "zz", "~",
		"Z", "0", "00", "\x00", "\x00\x00", "😀", "\uffff", strings.Repeat("x", 300), strings.Repeat("x", 300) + "y"}
	for _, a := range texts {
		for _, b := range texts {
			ma, mb := m.strings.apply(nil, []byte(a)), m.strings.apply(nil, []byte(b))
			if strings.Compare(a, b) != bytes.Compare(ma, mb) || strings.HasPrefix(a, b) != bytes.HasPrefix(ma, mb) {
				t.Errorf("%q and %q became %s and %s", a, b, ma, mb)
			}
			ma, mb = m.binary.apply(nil, []byte(a)), m.binary.apply(nil, []byte(b))
			if strings.Compare(a, b) != bytes.Compare(ma, mb) || strings.HasPrefix(a, b) != bytes.HasPrefix(ma, mb) {
				t.Errorf("%q and %q became %x and %x", a, b, ma, mb)
			}
		}
	}
	if a, b := m.strings.apply(nil, []byte("secret")), NewMask("", NumbersHidden).strings.apply(nil, []byte("secret")); bytes.Equal(a, b) {
		t.Error("two secrets make the same mask")
	}
}

func number(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

func TestMaskKeepsOrderOfNumbers(t *testing.T) {
	m := NewMask("test", NumbersHidden)
	run := &masking{m: m, echoes: map[string]string{}}
	numbers := []string{"0", "-0", "0.0", "1", "1.0", "1e0", "+1", "01", "2", "9", "10", "1E1", "11", "19", "99", "100", "101", "1001",
		"100.5", "0.1", "0.10", "0.01", "0.011", "1.5", "-1", "-1.5", "-2", "-10", "123456789", "1700000000", "1700000001",
		"1700000000000", "9007199254740993", "18446744073709551615", "18446744073709551614", "1E40", "1.5E40", "1E-40", "12e-3", ".5", "5."}
	for _, a := range numbers {
		for _, b := range numbers {
			ma, mb := run.number(a), run.number(b)
			if number(t, a).Cmp(number(t, b)) != number(t, ma).Cmp(number(t, mb)) {
				t.Errorf("%s and %s became %s and %s", a, b, ma, mb)
			}
			if number(t, a).IsInt() && !number(t, ma).IsInt() {
				t.Errorf("%s is whole, %s is not", a, ma)
			}
			if digits := strings.Trim(strings.ReplaceAll(strings.TrimLeft(ma, "-0."), ".", ""), "0"); len(digits) > 38 {
				t.Errorf("%s became %s, of %d digits", a, ma, len(digits))
			}
		}
	}
	if len(run.notes) > 0 {
		t.Errorf("notes: %q", run.notes)
	}
	for text, want := range map[string]string{
		"-1e+200": "not masked", "123456789012345678901": "lost the last", "1E+100": "not masked", "-1E-100": "not masked",
	} {
		run := &masking{m: m, echoes: map[string]string{}}
		if run.number(text); len(run.notes) != 1 || !strings.Contains(run.notes[0], want) {
			t.Errorf("%s: %q", text, run.notes)
		}
	}
	for _, text := range []string{"abc", "1e", "1e+", "--1", "1.2.3", "1_000", "0x1", "NaN", " 1", "1e99999", "e1"} {
		if masked := run.number(text); !strings.HasPrefix(masked, "x") {
			t.Errorf("%q, no number, became %q", text, masked)
		}
	}
	if got := (&masking{m: NewMask("", NumbersKept), echoes: map[string]string{}}).number("1.50"); got != "1.50" {
		t.Errorf("a number to be kept became %s", got)
	}
}

func TestMaskExchange(t *testing.T) {
	m := NewMask("test", NumbersHidden)
	e := &Exchange{
		Operation: "PutItem",
		Request: []byte(`{"TableName":"orders","Item":{"pk":{"S":"alice@example.com"},"n":{"N":"-12.5"},"ok":{"BOOL":true},"nil":{"NULL":true},` +
			`"set":{"SS":["alice@example.com",""]},"bin":{"B":"c2VjcmV0"},"deep":{"M":{"S":{"L":[{"S":"hidden1"},{"N":"77777"}]}}},"wrong":"plain text","worse":{"S":["lost"],"N":55555}},` +
			`"ExpressionAttributeNames":{"#n":"n"},"ConditionExpression":"attribute_not_exists(pk)","Tags":[{"Key":"team","Value":"payments"}],` +
			`"Statement":"SELECT * FROM \"orders\" WHERE pk = 'alice@example.com' AND tags[3] = 44444 AND m = {'name': 'o''brien'} -- for alice\n /* for alice */",` +
			`"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/orders","NextToken":"opaque"}`),
		Response: []byte(`{"__type":"com.amazon.coral.validate#ValidationException","message":"Input collection [alice@example.com, x] of length 2 contains duplicates: n",` +
			`"Item":{"pk":{"S":"alice@example.com"}}}`),
		Path: "/?X=alice",
	}
	notes := m.Exchange(e)
	if len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	all := string(e.Request) + string(e.Response) + e.Path
	for _, secret := range []string{"alice", "12.5", "c2VjcmV0", "hidden1", "77777", "plain text", "lost", "55555", "payments", "44444", "brien", "123456789012", "opaque"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is not masked in\n%s", secret, all)
		}
	}
	for _, kept := range []string{`"TableName":"orders"`, `"pk":{"S":"`, `{"BOOL":true}`, `{"NULL":true}`, `"#n":"n"`, "attribute_not_exists(pk)", `{"Key":"team",`,
		`SELECT * FROM \"orders\" WHERE pk = '`, "tags[3]", "{'name': '", ":table/orders", `,""]`, "contains duplicates: n", `"message":"Input collection [`} {
		if !strings.Contains(all, kept) {
			t.Errorf("no %q in\n%s", kept, all)
		}
	}
	n, err := parseNode(e.Request)
	if err != nil {
		t.Fatal(err)
	}
	pk, _ := n.member("Item", "pk", "S").str()
	if strings.Count(all, pk) != 5 {
		t.Errorf("one value has several masks, %q:\n%s", pk, all)
	}
	bin, _ := n.member("Item", "bin", "B").str()
	if b, err := base64.StdEncoding.DecodeString(bin); err != nil || len(b) != 12 {
		t.Errorf("binary became %q", bin)
	}
	if want := []string{"TableName", "Item", "ExpressionAttributeNames", "ConditionExpression", "Tags", "Statement", "TableArn", "NextToken"}; !slices.Equal(n.names, want) {
		t.Error(cmp.Diff(want, n.names))
	}

	e = &Exchange{Request: []byte("alice"), Response: []byte("<html>alice</html>")}
	if notes := m.Exchange(e); len(notes) != 2 || len(e.Request)+len(e.Response) > 0 {
		t.Errorf("bodies that are no JSON: %q", notes)
	}
}

func TestStatementTables(t *testing.T) {
	rename := func(s string) string {
		if s == "orders" || s == "my-table" {
			return "x-" + s
		}
		return s
	}
	for in, want := range map[string]string{
		`SELECT * FROM orders WHERE orders = 'FROM orders'`:           `SELECT * FROM "x-orders" WHERE orders = 'FROM orders'`,
		`select a from "my-table"."index" where pk = ?`:               `select a from "x-my-table"."index" where pk = ?`,
		`INSERT INTO "orders" VALUE {'pk': 'it''s'}`:                  `INSERT INTO "x-orders" VALUE {'pk': 'it''s'}`,
		`UPDATE orders SET a = 1 WHERE pk = 'x'`:                      `UPDATE "x-orders" SET a = 1 WHERE pk = 'x'`,
		`DELETE FROM other WHERE pk = 'x'`:                            `DELETE FROM other WHERE pk = 'x'`,
		`SELECT EXISTS(SELECT * FROM orders WHERE a = 1.5e+3)`:        `SELECT EXISTS(SELECT * FROM "x-orders" WHERE a = 1.5e+3)`,
		"-- FROM orders\nSELECT a FROM /* the\ntable */ orders -- it": "-- FROM orders\nSELECT a FROM /* the\ntable */ \"x-orders\" -- it",
		`FROM`: `FROM`, `FROM 'orders`: `FROM 'orders`, `FROM "orders`: `FROM "orders`, "DELETE FROM where pk = 1": "DELETE FROM where pk = 1", `FROM "or""ders"`: `FROM "or""ders"`, "": "",
	} {
		if got := statementTables(in, rename); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
}

func FuzzStatementParts(f *testing.F) {
	f.Add(`SELECT * FROM "t" WHERE a = 'x''y' AND b = -1.5e10`)
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		for _, p := range statementParts(s) {
			b.WriteString(p.text)
		}
		if b.String() != s {
			t.Errorf("%q became %q", s, b.String())
		}
	})
}
