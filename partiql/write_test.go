package partiql

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

const conditionFailed = "The conditional request failed"

// TestInsert holds the rows on INSERT of behaviours/09 §9.7.
func TestInsert(t *testing.T) {
	db := newDatabase(t)
	wantRows(t, "INSERT", db.rows(`INSERT INTO "h" VALUE {'pk': 'a', 'n': 7.32e6, 'l': [true, null, <<'x', 'y'>>], 'm': {'p': ?, 'q': [?]}}`,
		`{"SS":["s"]}`, `{"B":"AQI="}`), []string{})
	want := `{"pk":{"S":"a"},"n":{"N":"7320000"},"l":{"L":[{"BOOL":true},{"NULL":true},{"SS":["x","y"]}]},` +
		`"m":{"M":{"p":{"SS":["s"]},"q":{"L":[{"B":"AQI="}]}}}}`
	if got := db.get("h", `{"pk":"a"}`); !sameItem(t, got, want) {
		t.Errorf("stored %s, want %s", got, want)
	}
	_, err := db.exec(db.input(`INSERT INTO "h" VALUE {'pk': 'a', 'n': 1}`))
	wantError(t, "second INSERT", err, api.CodeDuplicateItem, "Duplicate primary key exists in table")
	if got := db.get("h", `{"pk":"a"}`); !sameItem(t, got, want) {
		t.Errorf("after the second INSERT: %s, want %s", got, want)
	}
	db.rows(`DELETE FROM "h" WHERE pk = 'a'`)
	db.rows(`INSERT INTO "h" VALUE {'pk': 'a'}`)
	db.rows(`INSERT INTO "h" VALUE {'pk': ?, 's': << ? >>}`, `{"S":"b"}`, `{"B":"AQI="}`)
	if got, want := db.get("h", `{"pk":"b"}`), `{"pk":{"S":"b"},"s":{"BS":["AQI="]}}`; got != want {
		t.Errorf("stored %s, want %s", got, want)
	}
	_, err = db.exec(db.input(`INSERT INTO "h" VALUE {'pk': 'c', 'x': ?}`, deep(32, `{"S":"x"}`)))
	wantError(t, "deep parameter", err, api.CodeValidation, nesting)
	_, err = db.exec(db.input(`INSERT INTO "h" VALUE {'pk': 'c', 'x': [?]}`, deep(31, `{"S":"x"}`)))
	wantError(t, "deep value", err, api.CodeValidation, nesting)
	_, err = db.exec(db.input(`INSERT INTO "h" VALUE {'pk': 'c', 'x': <<1, 'a'>>}`))
	wantError(t, "mixed bag", err, api.CodeValidation, errBagType.Message)
}

const seed = `{"pk":{"S":"a"},"ss":{"SS":["a","b","c"]},"ns":{"NS":["1","2","3"]},"bs":{"BS":["AQ==","Ag=="]},` +
	`"s":{"S":"str"},"n":{"N":"5"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]},"m":{"M":{"x":{"N":"1"}}}}`

// TestUpdate holds what UPDATE does to an item.
func TestUpdate(t *testing.T) {
	db := newDatabase(t)
	for _, tt := range []struct {
		action string
		attr   string
		want   string // "": no such attribute
		values []string
	}{
		{`SET ss = set_add(ss, <<'0', 'z'>>)`, "ss", `{"SS":["a","b","c","0","z"]}`, nil},
		{`SET ns = set_add(ns, <<4, 1>>)`, "ns", `{"NS":["1","2","3","4"]}`, nil},
		{`SET bs = set_add(bs, ?)`, "bs", `{"BS":["AQ==","Ag==","Aw=="]}`, []string{`{"BS":["AQ==","Aw=="]}`}},
		{`SET ss = SET_ADD(ss, <<'a'>>)`, "ss", `{"SS":["a","b","c"]}`, nil},
		{`SET nss = set_add(nss, <<'x'>>)`, "nss", `{"SS":["x"]}`, nil},
		{`SET ss = set_add(ss, <<'x'>>) SET ns = set_add(ns, <<9>>)`, "ns", `{"NS":["1","2","3","9"]}`, nil},
		{`SET ss = set_delete(ss, <<'a'>>)`, "ss", `{"SS":["b","c"]}`, nil},
		{`SET ns = set_delete(ns, <<2>>)`, "ns", `{"NS":["1","3"]}`, nil},
		{`SET ss = set_delete(ss, <<'a', 'b', 'c'>>)`, "ss", "", nil},
		{`SET ss = set_delete(ss, <<'zz'>>)`, "ss", `{"SS":["a","b","c"]}`, nil},
		{`SET nss = set_delete(nss, <<'a'>>)`, "nss", "", nil},
		{`SET n = n + 1`, "n", `{"N":"6"}`, nil},
		{`SET n = ? - n`, "n", `{"N":"1"}`, []string{`{"N":"6"}`}},
		{`SET z = n`, "z", `{"N":"5"}`, nil},
		{`SET s = 'it''s', z = 1 SET y = 2`, "s", `{"S":"it's"}`, nil},
		{`SET l[1] = 'x'`, "l", `{"L":[{"N":"0"},{"S":"x"},{"N":"2"}]}`, nil},
		{`SET l[9] = 'x'`, "l", `{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"S":"x"}]}`, nil},
		{`SET l = list_append(l, [3, ?])`, "l", `{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"N":"4"}]}`, []string{`{"N":"4"}`}},
		{`REMOVE l[0]`, "l", `{"L":[{"N":"1"},{"N":"2"}]}`, nil},
		{`REMOVE l[0], l[1]`, "l", `{"L":[{"N":"2"}]}`, nil},
		{`REMOVE s`, "s", "", nil},
		{`SET m.y = 2 REMOVE m.x`, "m", `{"M":{"y":{"N":"2"}}}`, nil},
		{`SET m['y z'] = 2`, "m", `{"M":{"x":{"N":"1"},"y z":{"N":"2"}}}`, nil},
		{`SET "data" = {'a': [1]}`, "data", `{"M":{"a":{"L":[{"N":"1"}]}}}`, nil},
	} {
		for _, text := range []string{`UPDATE "h" ` + tt.action + ` WHERE pk = 'a'`, `FROM "h" WHERE pk = 'a' ` + tt.action} {
			db.put("h", seed)
			wantRows(t, text, db.rows(text, tt.values...), []string{})
			v, _ := itemOf(t, db.get("h", `{"pk":"a"}`)).Lookup(tt.attr)
			if v.Text() != tt.want {
				t.Errorf("%s: %s is %s, want %s", text, tt.attr, v, tt.want)
			}
		}
	}
}

// TestUpdateFaults holds what is refused at the item, and that nothing
// changes then.
func TestUpdateFaults(t *testing.T) {
	db := newDatabase(t)
	db.put("h", seed)
	const operand = "An operand in the update expression has an incorrect data type"
	for text, want := range map[string]string{
		`UPDATE h SET ss = set_add(ss, <<1>>) WHERE pk = 'a'`:                              operand,
		`UPDATE h SET s = set_add(s, <<'x'>>) WHERE pk = 'a'`:                              operand,
		`UPDATE h SET ss = set_delete(ss, <<1>>) WHERE pk = 'a'`:                           operand,
		`UPDATE h SET s = s + 1 WHERE pk = 'a'`:                                            operand,
		`UPDATE h SET z = nope + 1 WHERE pk = 'a'`:                                         "The provided expression refers to an attribute that does not exist in the item",
		`UPDATE h SET nope[0] = 1 WHERE pk = 'a'`:                                          "The document path provided in the update expression is invalid for update",
		`UPDATE h SET z = '` + strings.Repeat("x", 8000) + `', n = n + 'x' WHERE pk = 'a'`: "Incorrect operand type for operator or function; operator or function: +, operand type: S",
	} {
		_, err := db.exec(db.input(text))
		wantError(t, text, err, api.CodeValidation, want)
	}
	_, err := db.exec(db.input(`UPDATE h SET z = ? WHERE pk = 'a'`, `{"S":"`+strings.Repeat("x", 409_600)+`"}`))
	wantError(t, "size", err, api.CodeValidation, "Item size to update has exceeded the maximum allowed size")

	for _, text := range []string{
		`UPDATE h SET z = 1 WHERE pk = 'absent'`,
		`UPDATE h SET z = 1 WHERE pk = 'absent' AND attribute_not_exists(pk)`,
		`UPDATE h SET ss = set_add(ss, <<'x'>>) WHERE pk = 'absent'`,
		`UPDATE h REMOVE z WHERE pk = 'absent'`,
		`FROM h WHERE pk = 'absent' SET z = 1`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND attribute_exists(nope)`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND attribute_not_exists(n)`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND n = 6`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND (n = 6 OR s = 'x')`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND pk = 'b'`,
		`FROM h WHERE pk = 'a' AND n = 2 SET z = 5`,
		`DELETE FROM h WHERE pk = 'a' AND attribute_exists(nope)`,
		`DELETE FROM h WHERE pk = 'absent' AND attribute_not_exists(nope)`,
	} {
		_, err := db.exec(db.input(text))
		wantError(t, text, err, api.CodeConditionalCheckFailed, conditionFailed)
	}
	if got := db.get("h", `{"pk":"absent"}`); got != "{}" {
		t.Errorf("created %s", got)
	}
	if got := db.get("h", `{"pk":"a"}`); !sameItem(t, got, seed) {
		t.Errorf("changed to %s", got)
	}
}

// TestConditionedWrites holds writes whose further conditions hold.
func TestConditionedWrites(t *testing.T) {
	db := newDatabase(t)
	for _, text := range []string{
		`UPDATE h SET z = 1 WHERE pk = 'a' AND attribute_exists(n)`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND attribute_not_exists(z)`,
		`UPDATE h SET z = 1 WHERE pk = 'a' AND ss = <<'c', 'b', 'a'>>`,
		`FROM h WHERE n = 5 AND 'a' = pk SET z = 1`,
	} {
		db.put("h", seed)
		db.rows(text)
		if v, _ := itemOf(t, db.get("h", `{"pk":"a"}`)).Lookup("z"); v.Text() != `{"N":"1"}` {
			t.Errorf("%s: z is %s", text, v)
		}
	}
	db.rows(`DELETE FROM h WHERE pk = 'a' AND attribute_not_exists(nope)`)
	if got := db.get("h", `{"pk":"a"}`); got != "{}" {
		t.Errorf("not deleted: %s", got)
	}
	wantRows(t, "DELETE of nothing", db.rows(`DELETE FROM h WHERE pk = 'a'`), []string{})
	wantRows(t, "DELETE of nothing", db.rows(`DELETE FROM h WHERE pk = 'a' RETURNING ALL OLD *`), []string{})
}

// TestReturning holds the rows on RETURNING of behaviours/09 §9.7.
func TestReturning(t *testing.T) {
	db := newDatabase(t)
	const item = `{"pk":{"S":"a"},"a":{"N":"1"},"b":{"S":"x"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"}]},"m":{"M":{"n":{"N":"1"},"o":{"N":"2"}}}}`
	for text, want := range map[string]string{
		`UPDATE h SET a = 2 WHERE pk = 'a'`:                                       "",
		`UPDATE h SET a = 2 WHERE pk = 'a' RETURNING ALL OLD *`:                   item,
		`UPDATE h SET a = 2 WHERE pk = 'a' RETURNING ALL NEW *`:                   strings.Replace(item, `"a":{"N":"1"}`, `"a":{"N":"2"}`, 1),
		`UPDATE h SET a = 2 WHERE pk = 'a' RETURNING MODIFIED OLD *`:              `{"a":{"N":"1"}}`,
		`UPDATE h SET a = 2 WHERE pk = 'a' RETURNING MODIFIED NEW *`:              `{"a":{"N":"2"}}`,
		`UPDATE h SET m.n = 2 WHERE pk = 'a' RETURNING MODIFIED NEW *`:            `{"m":{"M":{"n":{"N":"2"}}}}`,
		`UPDATE h SET l[0] = 5, l[2] = 7 WHERE pk = 'a' RETURNING MODIFIED NEW *`: `{"l":{"L":[{"N":"5"},{"N":"7"}]}}`,
		`UPDATE h SET l[2] = 7, l[0] = 5 WHERE pk = 'a' RETURNING MODIFIED OLD *`: `{"l":{"L":[{"N":"0"},{"N":"2"}]}}`,
		`UPDATE h REMOVE b WHERE pk = 'a' RETURNING MODIFIED NEW *`:               "",
		`UPDATE h REMOVE b WHERE pk = 'a' RETURNING MODIFIED OLD *`:               `{"b":{"S":"x"}}`,
		`UPDATE h SET z = 2 WHERE pk = 'a' RETURNING MODIFIED OLD *`:              "",
		`FROM h WHERE pk = 'a' SET a = 3 RETURNING MODIFIED NEW *`:                `{"a":{"N":"3"}}`,
		`DELETE FROM h WHERE pk = 'a' RETURNING ALL OLD *`:                        item,
	} {
		db.put("h", item)
		got := db.rows(text)
		switch {
		case want == "" && len(got) == 0:
		case len(got) != 1 || want == "" || !sameItem(t, got[0], want):
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

// TestStoredItemOnFailure: an error shows the stored item when asked to.
func TestStoredItemOnFailure(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","n":1}`)
	for _, ask := range []string{"ALL_OLD", "NONE"} {
		in := db.input(`UPDATE h SET n = 2 WHERE pk = 'a' AND n = 5`)
		in.ReturnValuesOnConditionCheckFailure = api.Some(ask)
		_, err := db.exec(in)
		wantError(t, ask, err, api.CodeConditionalCheckFailed, conditionFailed)
		if got := asError(err).Item; (got != nil) != (ask == "ALL_OLD") {
			t.Errorf("%s: item %v", ask, got)
		}
	}
	in := db.input(`INSERT INTO h VALUE {'pk': 'a'}`)
	in.ReturnValuesOnConditionCheckFailure = api.Some("ALL_OLD")
	if _, err := db.exec(in); asError(err).Item != nil {
		t.Errorf("INSERT: item %v", asError(err).Item)
	}
}

// TestWriteCapacity: statements cost what the native operations do.
func TestWriteCapacity(t *testing.T) {
	db := newDatabase(t)
	big := strings.Repeat("x", 1500)
	for _, tt := range []struct {
		text  string
		total float64
		gsi   float64
	}{
		{`INSERT INTO x VALUE {'pk': 'a', 'sk': 'b', 'gsiPk': 'g', 'data': '` + big + `'}`, 4, 2},
		{`UPDATE x SET gsiPk = 'h' WHERE pk = 'a' AND sk = 'b'`, 6, 4},
		{`UPDATE x SET gsiPk = 'h' WHERE pk = 'a' AND sk = 'b'`, 2, 0},
		{`DELETE FROM x WHERE pk = 'a' AND sk = 'b'`, 4, 2},
		{`DELETE FROM x WHERE pk = 'a' AND sk = 'b'`, 1, 0},
	} {
		in := db.input(tt.text)
		in.ReturnConsumedCapacity = api.Some("INDEXES")
		out, err := db.exec(in)
		if err != nil {
			t.Fatal(err)
		}
		c := out.ConsumedCapacity
		if diff := cmp.Diff([]float64{tt.total, tt.gsi}, []float64{c.CapacityUnits, arm(c.GlobalSecondaryIndexes)}); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}
