package partiql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/api"
)

const (
	overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	digits    = "Attempting to store more than 38 significant digits in a Number"
	nesting   = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	noNumber  = "The parameter cannot be converted to a numeric value"
	notFound  = "Requested resource not found"
	wholeKeys = "Where clause does not contain a mandatory equality on all key attributes"
)

// place is where a token of a statement stands, as texts print it.
func where(text, token string, from int) string {
	return fmt.Sprintf("1:%d:%d", from+strings.Index(text[from:], token)+1, len(token))
}

// TestStatementFaults holds the refusals of behaviours/09 §9.4 to §9.7 that
// come before any item is read.
func TestStatementFaults(t *testing.T) {
	db := newDatabase(t)
	const (
		sel    = `SELECT * FROM "h" WHERE pk = 'a' AND `
		count  = `SELECT COUNT(*) FROM "nowhere"`
		exists = `SELECT attribute_exists(ss) FROM "h" WHERE pk = 'a'`
	)
	upd := func(set string) string { return `UPDATE "h" SET ` + set + ` WHERE pk = 'a'` }
	at := func(text, token string) string { return where(text, token, 0) }
	first := func(text, call string) string { return where(text, "ss", strings.Index(text, call)) }
	tests := []struct {
		text   string
		want   string
		values []string
	}{
		// §9.4
		{`SELECT * FROM "h" t WHERE pk = 'x'`, "Aliasing is not supported", nil},
		{`SELECT * FROM "h" AS t WHERE pk = 'x'`, "Aliasing is not supported", nil},
		{`UPDATE "h" t SET a = 3 WHERE pk = 'x'`, "Aliasing is not supported", nil},
		{`DELETE FROM "h" t WHERE pk = 'x'`, "Aliasing is not supported", nil},
		{`SELECT pk AS k FROM "h"`, "Aliasing is not supported", nil},
		{`x IS INT4`, "Unsupported operation: IsType", nil},
		{`x IS INT8`, "Unsupported operation: IsType", nil},
		{`x IS DOUBLE PRECISION`, "Unsupported operation: IsType", nil},
		{`x IS CHARACTER VARYING`, "Unsupported operation: IsType", nil},
		{count, "Unexpected path component at 1:8:5", nil},
		{exists, "Unexpected path component at " + at(exists, "attribute_exists"), nil},
		{`SELECT * FROM "" WHERE pk = 'p'`, "Path component cannot be an empty string", nil},
		{`SELECT * FROM "x"."" WHERE pk = 'p'`, "Path component cannot be an empty string", nil},
		{`SELECT * FROM "x"."gsi-all"."extra" WHERE pk = 'p'`, "A path may contain at most 2 components in the FROM clause", nil},
		{`SELECT * FROM "h", "n"`, "FROM clause may only contain a single table name in data …", nil},
		{`INSERT INTO "x"."gsi-all" VALUE {'pk': 'w1', 'sk': 'w1'}`, "FROM clause may only contain a single table name in data …", nil},
		{`INSERT INTO "x"."no-such" VALUE {'pk': 'w1', 'sk': 'w1'}`, "FROM clause may only contain a single table name in data …", nil},
		{`SELECT pk, pk FROM "h"`, "Duplicate identifiers in select clause: pk", nil},
		{`SELECT id FROM some_table LIMIT 5`, "Unsupported clause: LIMIT at 1:33:1", nil},

		// §9.5, literals
		{`SELECT * FROM "n" WHERE pk = 1e126`, overflow + " under root", nil},
		{`SELECT * FROM "n" WHERE pk = 1e2147483647`, underflow + " under root", nil},
		{`SELECT * FROM "n" WHERE pk = 1e-131`, underflow + " under root", nil},
		{`SELECT * FROM "n" WHERE pk = 123456789012345678901234567890123456789`, digits + " under root", nil},
		{`INSERT INTO "n" VALUE {'pk': 1e126}`, overflow + " under root", nil},
		{`UPDATE "n" SET a = 1e-131 WHERE pk = 970005`, underflow + " under root", nil},
		{`INSERT INTO "n" VALUE {'pk': 970006, 'm': {'x': 1e126}}`, overflow + " under root.x", nil},
		{`INSERT INTO "n" VALUE {'pk': 970007, 'l': [1, 1e126]}`, overflow + " under root[1]", nil},
		{sel + `x = ` + strings.Repeat("[", 33) + strings.Repeat("]", 33), nesting, nil},

		// §9.5, functions
		{sel + `attribute_exists('ss')`, "Operator or function requires a document path; operator or function: attribute_exists", nil},
		{sel + `attribute_exists(?)`, "Operator or function requires a document path; operator or function: attribute_exists", []string{`{"S":"ss"}`}},
		{sel + `attribute_exists()`, "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0", nil},
		{sel + `attribute_exists(ss, ns)`, "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2", nil},
		{sel + `EXISTS(ss)`, "Unrecognized function: exists at " + at(sel+`EXISTS(ss)`, "EXISTS"), nil},
		{sel + `set_add(ss, <<'x'>>) = ss`, "Unrecognized function: set_add at " + at(sel+`set_add(`, "set_add"), nil},
		{`INSERT INTO "h" VALUE {'pk': 'i', 'ss': set_add(<<'a'>>, <<'b'>>)}`,
			"Unsupported data type: set_add under key root at " + at(`INSERT INTO "h" VALUE {'pk': 'i', 'ss': set_add(`, "set_add"), nil},
		{upd(`t = set_add(ss, <<'x'>>)`), "The first argument to SET_ADD must equal the assignment value at " + at(upd(`t = set_add(`), "set_add"), nil},
		{upd(`ss = set_add(<<'a'>>, <<'b'>>)`), "The first argument to SET_ADD must equal the assignment value at " + at(upd(`ss = set_add(`), "set_add"), nil},
		{upd(`ss = set_add(ss, 'x')`), "The second argument to SET_ADD must be a value with type SET at " + first(upd(`ss = set_add(ss, 'x')`), "set_add("), nil},
		{upd(`ss = set_add(ss, ['x'])`), "The second argument to SET_ADD must be a value with type SET at " + first(upd(`ss = set_add(ss, ['x'])`), "set_add("), nil},
		{upd(`ss = set_add(ss, ?)`), "The second argument to SET_ADD must be a value with type SET at " + first(upd(`ss = set_add(ss, ?)`), "set_add("), []string{`{"S":"x"}`}},
		{upd(`ss = set_add(ss)`), "SET_ADD must have exactly two arguments at " + at(upd(`ss = set_add(`), "set_add"), nil},
		{upd(`ss = set_add(ss, <<'x'>>, <<'y'>>)`), "SET_ADD must have exactly two arguments at " + at(upd(`ss = set_add(`), "set_add"), nil},
		{upd(`ss = set_add(ss, <<'x', 'x'>>)`), "One or more parameter values were invalid: Input collection [x, x] contains duplicates.", nil},
		{upd(`ss = set_add(ss, <<>>)`), "Empty bags are not supported", nil},
		{upd(`t = set_delete(ss, <<'a'>>)`), "The first argument to SET_DELETE must equal the assignment value at " + at(upd(`t = set_delete(`), "set_delete"), nil},
		{upd(`ss = set_delete(ss, 'a')`), "The second argument to SET_DELETE must be a value with type SET at " + first(upd(`ss = set_delete(ss, 'a')`), "set_delete("), nil},
		{upd(`a = a + 'x'`), "Incorrect operand type for operator or function; operator or function: +, operand type: S", nil},
		{upd(`l = list_append(l, 1)`), "Incorrect operand type for operator or function; operator or function: list_append, operand type: N", nil},
		{upd(`l = list_append(l)`), "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1", nil},
		{upd(`a = 1, a.b = 2`), "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]", nil},

		// §9.5, operands
		{sel + `x < ?`, "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL", []string{`{"BOOL":true}`}},
		{sel + `x >= ?`, "Incorrect operand type for operator or function; operator or function: >=, operand type: NULL", []string{`{"NULL":true}`}},
		{sel + `x > ?`, "Incorrect operand type for operator or function; operator or function: >, operand type: L", []string{`{"L":[]}`}},
		{sel + `x <= ?`, "Incorrect operand type for operator or function; operator or function: <=, operand type: SS", []string{`{"SS":["a"]}`}},
		{sel + `x BETWEEN ? AND ?`, "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL", []string{`{"BOOL":true}`, `{"BOOL":false}`}},
		{sel + `begins_with(x, 1)`, "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N", nil},
		{sel + `attribute_type(x, 'DOG')`, "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", nil},
		{`SELECT pk FROM "nowhere" WHERE pk = ? AND val < ?`,
			"Incorrect operand type for operator or function; operator or function: <, operand type: BOOL", []string{`{"S":"x"}`, `{"BOOL":true}`}},

		// parameters
		{`SELECT * FROM "h" WHERE pk = ?`, "Number of parameters in request and statement don't match.", nil},
		{`SELECT * FROM "h"`, "Number of parameters in request and statement don't match.", []string{`{"S":"x"}`}},

		// §9.6
		{`SELECT * FROM "x"."no-such-index" WHERE pk = 'p'`, "The table does not have the specified index", nil},
		{`SELECT * FROM "x"."x" WHERE pk = 'p'`, "The table does not have the specified index", nil},
		{`SELECT alternate, mymap FROM "x"."gsi-inc" WHERE gsiPk2 = 'y'`,
			"One or more parameter values were invalid: Global secondary index gsi-inc does not project [alternate, mymap]", nil},
		{`SELECT alternate FROM "x"."gsi-inc"`,
			"One or more parameter values were invalid: Global secondary index gsi-inc does not project [alternate]", nil},
		{`SELECT pk FROM "x"."gsi-inc" WHERE gsiPk2 = 'y' AND nonproj = 'np1'`,
			"One or more parameter values were invalid: Secondary index gsi-inc does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT pk FROM "x"."lsi-keys" WHERE pk = 'p' AND nonproj = 'np1'`,
			"One or more parameter values were invalid: Secondary index lsi-keys does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT pk FROM "x"."gsi-inc" WHERE gsiPk2 = 'y' AND nonproj IS MISSING`,
			"One or more parameter values were invalid: Secondary index gsi-inc does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT pk FROM "x"."gsi-inc" WHERE gsiPk2 = 'y' AND NOT nonproj = 'np1'`,
			"One or more parameter values were invalid: Secondary index gsi-inc does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT pk FROM "x"."gsi-inc" WHERE gsiPk2 IN ['y', 'z'] AND nonproj = 'np1'`,
			"One or more parameter values were invalid: Secondary index gsi-inc does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT pk FROM "x"."lsi-keys" WHERE pk = 'p' AND lsiSk2 BETWEEN 'k1' AND 'k4' AND nonproj = 'np1'`,
			"One or more parameter values were invalid: Secondary index lsi-keys does not project one or more filter attributes: [nonproj]", nil},
		{`SELECT * FROM "x"."multi" WHERE lsiSk = 'a'`, errMultiAttribute.Message, nil},
		{`SELECT * FROM "x"."multi" WHERE lsiSk = 5`, errMultiAttribute.Message, nil},
		{`SELECT * FROM "x"."multi" WHERE pk = 'i1'`, errMultiAttribute.Message, nil},
		{`SELECT * FROM "x"."multi"`, errMultiAttribute.Message, nil},
		{`SELECT COUNT(*) FROM "x"."multi"`, errMultiAttribute.Message, nil},
		{`SELECT pk FROM "x"."multi" WHERE lsiSk = 'a' AND lsiSk2 = 'x' ORDER BY lsiSk3 DESC`, errMultiAttribute.Message, nil},
		{`SELECT * FROM "x"."multi" WHERE`, notWellFormed + "Unexpected term", nil},
		{`SELECT * FROM "x"."multi" WHERE lsiSk = 1e99999999999`, notWellFormed, nil},
		{`SELECT * FROM "x"."multi" WHERE lsiSk = ?`, noNumber + ": 1e99999999999", []string{`{"N":"1e99999999999"}`}},
		{`SELECT * FROM "c" WHERE pk = 'a' AND x = '1' OR pk = 'a' AND sk = '2'`, errOverlap.Message, nil},
		{`SELECT * FROM "c" WHERE pk = 'a' AND x <> '1' OR pk = 'a' AND sk = '2'`, errOverlap.Message, nil},
		{`SELECT * FROM "c" WHERE pk = 'a' AND (sk > '0' OR sk < '5')`, errOverlap.Message, nil},
		{`SELECT * FROM "c" WHERE pk = 1`, "Key attribute's data type should match its data type in table's schema: Key pk", nil},
		{`SELECT * FROM "c" WHERE pk = 'a' AND sk > 1`, "Key attribute's data type should match its data type in table's schema: Key sk", nil},
		{`SELECT * FROM "c" WHERE pk = 'a' AND sk = 1`, "Key attribute's data type should match its data type in table's schema: Key sk", nil},
		{`SELECT * FROM "c" WHERE pk = '' AND sk = 'a'`, "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk", nil},
		{`SELECT * FROM "c" WHERE pk = 'a' ORDER BY x`, "ORDER BY accepts only key attributes of what is read, and x is none", nil},
		{`SELECT * FROM "c" ORDER BY sk`, errNoWhere.Message, nil},
		{`SELECT * FROM "c" WHERE x = 1 ORDER BY sk`, errOrderScan.Message, nil},
		{`SELECT * FROM "c" WHERE pk IN ('a', 'b') ORDER BY sk`, errOrderHashes.Message, nil},
		{`SELECT * FROM "h" WHERE pk IN (` + strings.Repeat("?,", 50) + `?)`, errManyReads.Message, letters(51)},

		// §9.7
		{`FROM "h" SET c = 1`, wholeKeys, nil},
		{`FROM "h" REMOVE a`, wholeKeys, nil},
		{`FROM "h" WHERE a = 1 SET c = 1`, wholeKeys, nil},
		{`UPDATE "h" SET c = 1`, wholeKeys, nil},
		{`UPDATE "c" SET x = 1 WHERE pk = 'a'`, wholeKeys, nil},
		{`UPDATE "h" SET x = 1 WHERE pk = 'a' OR pk = 'b'`, wholeKeys, nil},
		{`DELETE FROM "h"`, wholeKeys, nil},
		{`DELETE FROM "c" WHERE pk = 'a' AND sk > 'b'`, wholeKeys, nil},
		{`UPDATE "x"."gsi-all" SET projattr = 'z' WHERE pk = 'p' AND sk = 's1'`, "This operation is not supported on an index", nil},
		{`DELETE FROM "x"."gsi-all" WHERE pk = 'p' AND sk = 's1'`, "This operation is not supported on an index", nil},
		{`UPDATE "h" SET pk = 'b' WHERE pk = 'a'`, "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key", nil},
		{`DELETE FROM "h" WHERE pk = 'x' RETURNING MODIFIED OLD *`, "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.", nil},
		{`DELETE FROM "h" WHERE pk = 'x' RETURNING ALL NEW *`, "Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.", nil},
		{`DELETE FROM "h" WHERE pk = 'x' RETURNING MODIFIED NEW *`, "Invalid returning clause: RETURNING MODIFIED NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.", nil},
		{`INSERT INTO "c" VALUE {'pk': 'a'}`, "One or more parameter values were invalid: Missing the key sk in the item", nil},
		{`INSERT INTO "c" VALUE {'pk': 'a', 'sk': 1}`, "One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N", nil},
		{`INSERT INTO "nowhere" VALUE {'pk': 'a', 'x': ?}`, "Item size has exceeded the maximum allowed size", []string{`{"S":"` + strings.Repeat("x", 409_600) + `"}`}},
		{`EXISTS(SELECT * FROM "h" WHERE pk = 'a' AND x = 1)`, "EXISTS is accepted only among the writes of an ExecuteTransaction.", nil},
	}
	for _, tt := range tests {
		_, err := db.exec(db.input(tt.text, tt.values...))
		text := tt.text
		if len(text) > 100 {
			text = text[:100]
		}
		wantError(t, text, err, api.CodeValidation, tt.want)
	}
}

// letters are n different strings.
func letters(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"S":"%c%c"}`, 'a'+i/26, 'a'+i%26)
	}
	return list
}

func TestMissingTable(t *testing.T) {
	db := newDatabase(t)
	for _, text := range []string{
		`SELECT * FROM "nowhere" WHERE pk = 'x'`,
		`SELECT * FROM "nowhere"."index"`,
		`INSERT INTO "nowhere" VALUE {'pk': 'x'}`,
		`UPDATE "nowhere" SET a = 1`,
		`FROM "nowhere" WHERE pk = 'x' SET c = 1`,
		`DELETE FROM "nowhere"`,
	} {
		_, err := db.exec(db.input(text))
		wantError(t, text, err, api.CodeResourceNotFound, notFound)
	}
}

func TestConsistentReadOfGlobalIndex(t *testing.T) {
	db := newDatabase(t)
	in := db.input(`SELECT * FROM "x"."gsi-all" WHERE gsiPk = 'x'`)
	in.ConsistentRead = api.SomeBool(true)
	_, err := db.exec(in)
	wantError(t, "global index", err, api.CodeValidation, "Strongly consistent read is not supported on Global Secondary Indexes")

	in = db.input(`SELECT * FROM "x"."no-such" WHERE gsiPk = 'x'`)
	in.ConsistentRead = api.SomeBool(true)
	_, err = db.exec(in)
	wantError(t, "unknown index", err, api.CodeValidation, "The table does not have the specified index")

	in = db.input(`SELECT * FROM "x"."lsi-all" WHERE pk = 'x'`)
	in.ConsistentRead = api.SomeBool(true)
	if _, err := db.exec(in); err != nil {
		t.Errorf("local index: %v", err)
	}
}

// TestParameterFaults holds the rows on parameters of behaviours/09 §9.5: in
// every position, and whichever comes first in the document.
func TestParameterFaults(t *testing.T) {
	db := newDatabase(t)
	positions := []string{
		`SELECT * FROM "c" WHERE pk = 'a' AND n = ?`,
		`INSERT INTO "c" VALUE {'pk': 'a', 'sk': 's', 'n': ?}`,
		`UPDATE "c" SET n = ? WHERE pk = 'a' AND sk = 's'`,
		`SELECT * FROM "c" WHERE pk = ?`,
	}
	faults := map[string]string{
		`{"N":"1e99999999999"}`:                   noNumber + ": 1e99999999999",
		`{"N":"-1e99999999999"}`:                  noNumber + ": -1e99999999999",
		`{"N":"1e-99999999999"}`:                  noNumber + ": 1e-99999999999",
		`{"N":"1e2147483648"}`:                    noNumber + ": 1e2147483648",
		`{"N":"1e-2147483648"}`:                   noNumber + ": 1e-2147483648",
		`{"N":"1e2147483647"}`:                    underflow,
		`{"N":""}`:                                noNumber,
		`{"L":[{"N":"1"},{"N":"1e99999999999"}]}`: noNumber + ": 1e99999999999",
		`{"M":{"x":{"N":"1e99999999999"}}}`:       noNumber + ": 1e99999999999",
		`{"NS":["1","1e99999999999"]}`:            noNumber + ": 1e99999999999",
		`{"M":{"d":` + deep(40, `{"S":"leaf"}`) + `,"bad":{"N":"abc"}}}`: nesting,
		`{"M":{"bad":{"N":"abc"},"d":` + deep(40, `{"S":"leaf"}`) + `}}`: noNumber + ": abc",
		deep(40, `{"N":"abc"}`):  nesting,
		deep(100, `{"N":"abc"}`): nesting,
	}
	for value, want := range faults {
		for _, text := range positions {
			_, err := db.exec(db.input(text, value))
			wantError(t, text+" "+value, err, api.CodeValidation, want)
		}
	}
	pair := `SELECT * FROM "c" WHERE pk = 'a' AND x = ? AND y = ?`
	for _, tt := range []struct{ first, second, want string }{
		{deep(40, `{"S":"leaf"}`), `{"N":"abc"}`, nesting},
		{deep(100, `{"S":"leaf"}`), `{"N":"abc"}`, nesting},
		{deep(40, `{"S":"leaf"}`), `{"N":"1e126"}`, nesting},
		{`{"N":"abc"}`, deep(100, `{"S":"leaf"}`), noNumber + ": abc"},
	} {
		_, err := db.exec(db.input(pair, tt.first, tt.second))
		wantError(t, pair, err, api.CodeValidation, tt.want)
	}
}

// deep puts levels of maps around a value.
func deep(levels int, leaf string) string {
	return strings.Repeat(`{"M":{"n":`, levels) + leaf + strings.Repeat(`}}`, levels)
}
