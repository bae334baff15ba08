package partiql

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

// TestGrammarRuns holds the forms of behaviours/09 §9.2 that run.
func TestGrammarRuns(t *testing.T) {
	db := newDatabase(t)
	db.put("n", `{"pk":7310000}`, `{"pk":7.3}`, `{"pk":-7.3}`)
	for _, number := range []string{"7.31e6", "7.31E6", "7.31e+6", "731e4", "73100000e-1"} {
		wantRows(t, number, db.rows(`SELECT * FROM "n" WHERE pk = `+number), []string{`{"pk":{"N":"7310000"}}`})
	}
	wantRows(t, ".73e1", db.rows(`SELECT * FROM "n" WHERE pk = .73e1`), []string{`{"pk":{"N":"7.3"}}`})
	wantRows(t, "-.73e1", db.rows(`SELECT * FROM "n" WHERE pk = -.73e1`), []string{`{"pk":{"N":"-7.3"}}`})

	db.put("h", `{"pk":"a","data":"d","status":1}`, `{"pk":"b"}`, `{"pk":"c"}`)
	for text, want := range map[string][]string{
		"SELECT pk FROM \"h\" WHERE pk = 'a' -- a note":       {"a"},
		"SELECT pk FROM \"h\" -- a note\nWHERE pk = 'b'":      {"b"},
		"-- a note\nSELECT pk FROM \"h\" WHERE pk = 'a'":      {"a"},
		"SELECT pk FROM \"h\" /* a note */ WHERE pk = 'c'":    {"c"},
		"SELECT pk FROM \"h\" WHERE pk = 'c' /* a note */":    {"c"},
		"select pk from h where pk = 'a';":                    {"a"},
		"SELECT pk FROM h WHERE \"pk\" = 'a'":                 {"a"},
		"SELECT pk FROM h WHERE pk = 'a' AND data = 'd'":      {"a"},
		"SELECT pk FROM h WHERE pk = 'a' AND status = 1":      {"a"},
		"SELECT pk FROM h WHERE pk = 'a' AND PK = 'a'":        {},
		"SELECT pk FROM h WHERE pk = 'x'":                     {},
		"SELECT pk FROM h WHERE 'a' = pk":                     {"a"},
		"SELECT pk FROM h WHERE pk = 'a' AND pk = 'b'":        {},
		"SELECT pk FROM h WHERE pk = 'a' OR pk = 'c'":         {"a", "c"},
		"SELECT pk FROM h WHERE pk IN ('c', 'a', 'c', 'x')":   {"c", "a"},
		"SELECT pk FROM h WHERE pk IN ['b']":                  {"b"},
		"SELECT pk FROM h WHERE (pk = 'a') AND (status <> 2)": {"a"},
	} {
		wantRows(t, text, db.values("pk", text), want)
	}
}

func TestProjection(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a","m":{"n":"deep","k":[1,"two"]},"l":[5],"extra":1}`)
	for text, want := range map[string]string{
		`SELECT m.n FROM h WHERE pk = 'a'`:                `{"n":{"S":"deep"}}`,
		`SELECT pk, l FROM h WHERE pk = 'a'`:              `{"pk":{"S":"a"},"l":{"L":[{"N":"5"}]}}`,
		`SELECT m.k[1], l[0], m.n FROM h WHERE pk = 'a'`:  `{"k[1]":{"S":"two"},"l[0]":{"N":"5"},"n":{"S":"deep"}}`,
		`SELECT m['n'] FROM h WHERE pk = 'a'`:             `{"n":{"S":"deep"}}`,
		`SELECT absent FROM h WHERE pk = 'a'`:             `{}`,
		`SELECT m.absent FROM h WHERE pk = 'a'`:           `{}`,
		`SELECT "m.n" FROM h WHERE pk = 'a'`:              `{}`,
		`SELECT m.n FROM h WHERE m.n = 'deep'`:            `{"n":{"S":"deep"}}`,
		`SELECT m.n, extra FROM h WHERE pk IN ('a', 'b')`: `{"n":{"S":"deep"},"extra":{"N":"1"}}`,
	} {
		got := db.rows(text)
		if len(got) != 1 || !sameItem(t, got[0], want) {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

func sameItem(t *testing.T, a, b string) bool {
	t.Helper()
	return itemOf(t, a).Equal(itemOf(t, b))
}

// TestConditions holds what a WHERE means (behaviours/09 §9.6).
func TestConditions(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":{"S":"i"},"ss":{"SS":["a","b","c"]},"s":{"S":"str"},"n":{"N":"5"},"m":{"M":{"sub":{"S":"x"}}},`+
		`"nul":{"NULL":true},"flag":{"BOOL":true},"l":{"L":[{"N":"1"}]},"b":{"B":"AQID"}}`)
	for cond, want := range map[string]bool{
		`attribute_exists(ss)`:                             true,
		`attribute_exists(nope)`:                           false,
		`attribute_not_exists(nope)`:                       true,
		`attribute_not_exists(ss)`:                         false,
		`NOT attribute_exists(nope)`:                       true,
		`ATTRIBUTE_EXISTS(ss)`:                             true,
		`(attribute_exists(nope) OR attribute_exists(ss))`: true,
		`attribute_exists(ss) = true`:                      true,
		`attribute_exists(ss) = false`:                     false,
		`false <> attribute_exists(ss)`:                    true,
		`attribute_exists("ss")`:                           true,
		`attribute_exists(m.sub)`:                          true,
		`attribute_exists(m.nope)`:                         false,
		`size(s) = 3`:                                      true,
		`size(s) = 4`:                                      false,
		`size(s) BETWEEN 2 AND 4`:                          true,
		`attribute_type(ss, 'SS')`:                         true,
		`attribute_type(ss, 'S')`:                          false,
		`nul IS NULL`:                                      true,
		`s IS NULL`:                                        false,
		`s IS NOT NULL`:                                    true,
		`nul IS NOT NULL`:                                  false,
		`nope IS MISSING`:                                  true,
		`nope IS NOT MISSING`:                              false,
		`s IS NOT MISSING`:                                 true,
		`flag IS BOOL`:                                     true,
		`s IS STRING`:                                      true,
		`s IS BOOL`:                                        false,
		`n IS INT`:                                         true,
		`ss IS BAG`:                                        true,
		`m IS STRUCT`:                                      true,
		`l IS LIST`:                                        true,
		`NOT nope = 'x'`:                                   true,
		`nope <> 'x'`:                                      false,
		`'x' <> nope`:                                      false,
		`nope <> s`:                                        false,
		`NOT nope <> 'x'`:                                  true,
		`m.sub <> 'y'`:                                     true,
		`NOT s = 'str'`:                                    false,
		`s = 'str'`:                                        true,
		`s != 'str'`:                                       false,
		`flag = true`:                                      true,
		`nul = null`:                                       true,
		`ss = <<'c', 'a', 'b'>>`:                           true,
		`ss = <<'c', 'a'>>`:                                false,
		`l = [1]`:                                          true,
		`m = {'sub': 'x'}`:                                 true,
		`m = {'sub': 'y'}`:                                 false,
		`n > 4 AND n <= 5.0`:                               true,
		`4 < n`:                                            true,
		`s < 5`:                                            false,
		`n BETWEEN 5 AND 6`:                                true,
		`n NOT BETWEEN 5 AND 6`:                            false,
		`n IN (1, 5)`:                                      true,
		`n NOT IN [1, 5]`:                                  false,
		`nope IN (1)`:                                      false,
		`begins_with(s, 'st')`:                             true,
		`NOT begins_with(s, 'st')`:                         false,
		`contains(s, 'tr')`:                                true,
		`contains(ss, 'b')`:                                true,
		`contains(l, 1)`:                                   true,
		`m.sub = 'x' OR n = 6`:                             true,
		`(m.sub = 'y' OR n = 6) AND s = 'str'`:             false,
		`l[0] = 1`:                                         true,
		`m['sub'] = 'x'`:                                   true,
		`s = m.sub`:                                        false,
		`n = n`:                                            true,
	} {
		for _, where := range []string{"pk = 'i' AND " + cond, cond, "(" + cond + ") AND pk = 'i'"} {
			text := `SELECT pk FROM "h" WHERE ` + where
			if got := len(db.rows(text)) == 1; got != want {
				t.Errorf("%s: %v", text, got)
			}
		}
	}
}

// TestComparedTypes: = and <> take values of every type.
func TestComparedTypes(t *testing.T) {
	db := newDatabase(t)
	for i, tt := range []struct{ stored, same, differs string }{
		{`{"SS":["a","b","c"]}`, `{"SS":["c","a","b"]}`, `{"SS":["a","b","d"]}`},
		{`{"NS":["1","2"]}`, `{"NS":["2","1.0"]}`, `{"NS":["1","3"]}`},
		{`{"BS":["AQI=","AwQ="]}`, `{"BS":["AwQ=","AQI="]}`, `{"BS":["AQI=","BQY="]}`},
		{`{"L":[{"S":"a"},{"S":"b"}]}`, `{"L":[{"S":"a"},{"S":"b"}]}`, `{"L":[{"S":"b"},{"S":"a"}]}`},
		{`{"M":{"x":{"N":"1"},"y":{"N":"2"}}}`, `{"M":{"y":{"N":"2"},"x":{"N":"1"}}}`, `{"M":{"x":{"N":"1"}}}`},
		{`{"B":"AQID"}`, `{"B":"AQID"}`, `{"B":"AQIE"}`},
		{`{"NULL":true}`, `{"NULL":true}`, `{"S":"not null"}`},
	} {
		pk := fmt.Sprintf(`{"S":"%d"}`, i)
		db.put("h", `{"pk":`+pk+`,"val":`+tt.stored+`}`)
		for op, value := range map[string]string{"=": tt.same, "<>": tt.differs} {
			if got := db.rows(`SELECT pk FROM h WHERE pk = ? AND val `+op+` ?`, pk, value); len(got) != 1 {
				t.Errorf("%s %s %s: no row", tt.stored, op, value)
			}
		}
		for op, value := range map[string]string{"<>": tt.same, "=": tt.differs} {
			if got := db.rows(`SELECT pk FROM h WHERE pk = ? AND val `+op+` ?`, pk, value); len(got) != 0 {
				t.Errorf("%s %s %s: a row", tt.stored, op, value)
			}
		}
	}
}

// TestKeyedReads holds which rows come back, in which order.
func TestKeyedReads(t *testing.T) {
	db := newDatabase(t)
	for _, sk := range []string{"1", "2", "3"} {
		db.put("c", `{"pk":"p","sk":"`+sk+`","x":"`+sk+`"}`, `{"pk":"q","sk":"`+sk+`"}`)
		db.put("cn", `{"pk":"p","sk":`+sk+`}`)
	}
	for text, want := range map[string]string{
		`FROM cn WHERE pk = 'p' ORDER BY sk DESC`:                                     "3 2 1",
		`FROM cn WHERE pk = 'p' ORDER BY sk ASC`:                                      "1 2 3",
		`FROM cn WHERE pk = 'p' ORDER BY pk DESC`:                                     "1 2 3",
		`FROM c WHERE pk = 'p'`:                                                       "1 2 3",
		`FROM c WHERE pk = 'p' AND sk > '1'`:                                          "2 3",
		`FROM c WHERE pk = 'p' AND '1' < sk AND sk < '3'`:                             "2",
		`FROM c WHERE pk = 'p' AND sk >= '2'`:                                         "2 3",
		`FROM c WHERE pk = 'p' AND sk BETWEEN '2' AND '9'`:                            "2 3",
		`FROM c WHERE pk = 'p' AND sk BETWEEN '9' AND '2'`:                            "",
		`FROM c WHERE pk = 'p' AND begins_with(sk, '2')`:                              "2",
		`FROM c WHERE pk = 'p' AND sk = '2'`:                                          "2",
		`FROM c WHERE pk = 'p' AND sk = '2' AND x = '2'`:                              "2",
		`FROM c WHERE pk = 'p' AND sk = '2' AND x = '3'`:                              "",
		`FROM c WHERE pk = 'p' AND sk IN ('3', '1', '3')`:                             "1 3",
		`FROM c WHERE pk = 'p' AND sk IN ('3', '1') ORDER BY sk DESC`:                 "3 1",
		`FROM c WHERE pk = 'p' AND (sk = '3' OR sk = '1')`:                            "1 3",
		`FROM c WHERE pk = 'p' AND (x = '3' OR x = '1')`:                              "1 3",
		`FROM c WHERE pk = 'p' AND sk <> '2'`:                                         "1 3",
		`FROM c WHERE pk IN ('q', 'p') AND sk = '2'`:                                  "2 2",
		`FROM c WHERE pk IN ('q', 'p') ORDER BY pk, sk DESC`:                          "3 2 1 3 2 1",
		`FROM c WHERE pk = 'p' AND sk = '1' OR pk = 'q' AND sk > '1'`:                 "1 2 3",
		`FROM c WHERE pk = 'p' AND sk < '2' OR pk = 'p' AND sk > '2'`:                 "1 3",
		`FROM c WHERE pk = 'p' AND NOT sk = '1' OR pk = 'p' AND sk = '2'`:             "2 3",
		`FROM c WHERE pk = 'p' AND sk <> '1' OR pk = 'p' AND sk = '2'`:                "2 3",
		`FROM c WHERE pk = 'p' AND NOT begins_with(sk, 'x') OR pk = 'p' AND sk = '2'`: "1 2 3",
		`FROM c WHERE pk = 'p' AND NOT sk IN ['1', '3'] OR pk = 'p' AND sk = '2'`:     "2",
		`FROM c WHERE pk = 'p' AND NOT sk > '5' OR pk = 'p' AND sk = '2'`:             "1 2 3",
		`FROM c WHERE pk = 'p' AND NOT (sk = '1') OR pk = 'p' AND sk = '2'`:           "2 3",
		`FROM c WHERE pk = 'p' OR pk = 'p' AND NOT sk = '1'`:                          "1 2 3",
		`FROM c WHERE pk = 'p' AND x = '1' OR pk = 'p' AND x = '2'`:                   "1 2",
		`FROM c WHERE x = '2'`:                                                        "2",
		`FROM c WHERE pk = 'p' AND sk = '3' OR x = '2'`:                               "3 2",
	} {
		got := db.values("sk", "SELECT sk "+text)
		if strings.Contains(text, "OR x = '2'") { // a scan
			slices.Sort(got)
			slices.Reverse(got)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

// TestAccessPath shows by what is charged whether a statement is a Query or a
// Scan: reads are charged by the rows they walk over.
func TestAccessPath(t *testing.T) {
	db := newDatabase(t)
	big := strings.Repeat("x", 4000)
	for _, pk := range []string{"a", "b"} {
		for sk := range 4 {
			db.put("c", fmt.Sprintf(`{"pk":"%s","sk":"%d","data":"%s"}`, pk, sk, big))
		}
	}
	for where, want := range map[string]float64{
		`pk = 'a' AND sk = '1'`:                1,
		`pk = 'a' AND sk = '9'`:                1,
		`pk = 'a' AND sk IN ('1', '2')`:        2,
		`pk = 'a' AND sk > '1'`:                2,
		`pk = 'a' AND sk <> '1'`:               4,
		`pk = 'a' AND data = 'nothing'`:        4,
		`pk IN ('a', 'b') AND sk = '1'`:        2,
		`pk = 'a' OR pk = 'b'`:                 8,
		`data = 'nothing'`:                     8,
		`pk = 'a' AND sk = '1' OR data = 'no'`: 8,
	} {
		in := db.input(`SELECT sk FROM c WHERE ` + where)
		in.ReturnConsumedCapacity, in.ConsistentRead = api.Some("TOTAL"), api.SomeBool(true)
		out, err := db.exec(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.ConsumedCapacity.CapacityUnits; got != want {
			t.Errorf("%s: %v units, want %v", where, got, want)
		}
	}
}

// TestIndexes holds the rows on indexes of behaviours/09 §9.6.
func TestIndexes(t *testing.T) {
	db := newDatabase(t)
	db.put("x",
		`{"pk":"p","sk":"s1","gsiPk":"x","gsiPk2":"y","lsiSk":"l1","lsiSk2":"k1","lsiSk3":"m1","projattr":"proj1","nonproj":"np1"}`,
		`{"pk":"p","sk":"s2","gsiPk":"z","gsiPk2":"y","lsiSk":"l2","lsiSk2":"k2","lsiSk3":"m2","projattr":"proj2","nonproj":"np2"}`,
		`{"pk":"p","sk":"s3","nonproj":"np3"}`,
		`{"pk":"p","sk":"s4","gsiPk":"x","gsiPk2":"y","lsiSk":"l4","lsiSk2":"k4","lsiSk3":"m4","projattr":"proj4","nonproj":"np4"}`,
		`{"pk":"q","sk":"s5","gsiPk2":"y2","projattr":"proj5","nonproj":"np5"}`)
	for text, want := range map[string]string{
		`FROM "x"."gsi-all" WHERE gsiPk = 'x'`:                                           "s1 s4",
		`FROM x."gsi-all" WHERE pk = 'p'`:                                                "s1 s2 s4",
		`FROM "x" WHERE pk = 'p'`:                                                        "s1 s2 s3 s4",
		`FROM "x"."gsi-inc" WHERE nonproj = 'np1'`:                                       "",
		`FROM "x"."lsi-keys" WHERE nonproj = 'np1'`:                                      "",
		`FROM "x"."gsi-inc" WHERE nonproj = 'np1' AND nonproj = 'np2'`:                   "",
		`FROM "x"."gsi-inc" WHERE gsiPk2 = 'y' AND projattr = 'proj1'`:                   "s1",
		`FROM "x"."gsi-inc" WHERE gsiPk2 = 'y' AND projattr IS NOT MISSING`:              "s1 s2 s4",
		`FROM "x"."gsi-keys" WHERE NOT nonproj = 'np1'`:                                  "s1 s2 s4 s5",
		`FROM "x"."gsi-inc" WHERE (gsiPk2 = 'y' AND nonproj = 'np1') OR (gsiPk2 = 'y2')`: "s5",
		`FROM "x"."lsi-keys" WHERE pk = 'p' AND lsiSk2 > 'k1'`:                           "s2 s4",
	} {
		got := db.values("sk", "SELECT pk, sk "+text)
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
	for text, want := range map[string][]string{
		`SELECT * FROM "x"."gsi-keys" WHERE gsiPk2 = 'y'`:   {"gsiPk2", "pk", "sk"},
		`SELECT * FROM "x"."gsi-inc" WHERE gsiPk2 = 'y'`:    {"gsiPk2", "pk", "projattr", "sk"},
		`SELECT * FROM "x"."lsi-keys" WHERE pk = 'p'`:       {"lsiSk2", "pk", "sk"},
		`SELECT nonproj FROM "x"."lsi-keys" WHERE pk = 'p'`: {"nonproj"},
	} {
		rows := db.rows(text)
		if len(rows) != 3 {
			t.Errorf("%s: %d rows", text, len(rows))
		}
		for _, row := range rows {
			var names []string
			for name := range itemOf(t, row).All() {
				names = append(names, name)
			}
			slices.Sort(names)
			if diff := cmp.Diff(want, names); diff != "" {
				t.Errorf("%s: %s", text, diff)
			}
		}
	}
}

// TestIndexCapacity holds on which arm index reads are charged.
func TestIndexCapacity(t *testing.T) {
	db := newDatabase(t)
	for i := range 3 {
		db.put("x", fmt.Sprintf(`{"pk":"p","sk":"s%d","gsiPk":"x","gsiPk2":"y","lsiSk":"l","lsiSk2":"k%d","nonproj":"n"}`, i, i))
	}
	for _, tt := range []struct {
		text       string
		consistent bool
		table      float64
		global     float64
		local      float64
	}{
		{`SELECT pk FROM "x"."gsi-all" WHERE gsiPk = 'x'`, false, 0, 0.5, 0},
		{`SELECT * FROM "x"."gsi-keys" WHERE gsiPk2 = 'y'`, false, 0, 0.5, 0},
		{`SELECT pk FROM "x"."lsi-all" WHERE pk = 'p'`, false, 0, 0, 0.5},
		{`SELECT pk FROM "x"."lsi-all" WHERE pk = 'p'`, true, 0, 0, 1},
		{`SELECT lsiSk2 FROM "x"."lsi-keys" WHERE pk = 'p'`, false, 0, 0, 0.5},
		{`SELECT nonproj FROM "x"."lsi-keys" WHERE pk = 'p'`, false, 1.5, 0, 0.5},
		{`SELECT nonproj FROM "x"."lsi-keys" WHERE pk = 'p'`, true, 3, 0, 1},
		{`SELECT pk FROM "x"."gsi-all" WHERE gsiPk IN ('x', 'z')`, false, 0, 1, 0},
	} {
		in := db.input(tt.text)
		in.ReturnConsumedCapacity, in.ConsistentRead = api.Some("INDEXES"), api.SomeBool(tt.consistent)
		out, err := db.exec(in)
		if err != nil {
			t.Fatal(err)
		}
		c := out.ConsumedCapacity
		got := []float64{c.Table.CapacityUnits, arm(c.GlobalSecondaryIndexes), arm(c.LocalSecondaryIndexes), c.CapacityUnits}
		want := []float64{tt.table, tt.global, tt.local, tt.table + tt.global + tt.local}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}

func arm(list []api.IndexCapacity) float64 {
	sum := 0.0
	for _, c := range list {
		sum += c.CapacityUnits
	}
	return sum
}

// TestPaging: Limit bounds the rows evaluated, and every page but the last
// carries a token.
func TestPaging(t *testing.T) {
	db := newDatabase(t)
	for i := range 25 {
		db.put("c", fmt.Sprintf(`{"pk":"p","sk":"%02d","odd":%v}`, i, i%2 == 1), fmt.Sprintf(`{"pk":"%d","sk":"s"}`, i))
	}
	tests := []struct {
		text  string
		rows  int
		pages map[int64]int // by Limit
	}{
		{`SELECT sk FROM c WHERE pk = 'p'`, 25, map[int64]int{0: 1, 5: 6, 7: 4, 25: 2, 26: 1}},
		{`SELECT sk FROM c WHERE pk = 'p' ORDER BY sk DESC`, 25, map[int64]int{4: 7}},
		{`SELECT sk FROM c WHERE pk = 'p' AND odd = true`, 12, map[int64]int{5: 6}},
		{`SELECT sk FROM c WHERE pk = 'p' AND sk IN ('01', '03', '20')`, 3, map[int64]int{0: 1, 1: 3, 2: 2, 3: 1}},
		{`SELECT sk FROM c`, 50, map[int64]int{0: 1, 10: 6}},
		{`SELECT sk FROM c WHERE pk = '1' OR pk = '2' OR pk = '3'`, 3, map[int64]int{0: 1, 2: 2}},
		{`SELECT sk FROM c WHERE pk IN ('p', '1')`, 26, map[int64]int{0: 3, 100: 3, 9: 3}},
		{`SELECT sk FROM c WHERE pk = 'p' AND sk = '01'`, 1, map[int64]int{1: 1}},
	}
	for _, tt := range tests {
		for limit, want := range tt.pages {
			in := db.input(tt.text)
			in.Limit = api.Int{Value: limit, Set: limit > 0}
			rows, pages := []string{}, 0
			for more := true; more; pages++ {
				out, err := db.exec(in)
				if err != nil {
					t.Fatalf("%s: %v", tt.text, err)
				}
				if limit > 0 && int64(len(out.Items)) > limit {
					t.Errorf("%s: %d rows in a page of %d", tt.text, len(out.Items), limit)
				}
				if out.LastEvaluatedKey != nil && out.NextToken == "" {
					t.Errorf("%s: a last key without a token", tt.text)
				}
				for _, v := range out.Items {
					rows = append(rows, v.Item.Text())
				}
				more = out.NextToken != ""
				in.NextToken = api.Some(out.NextToken)
			}
			slices.Sort(rows)
			if pages != want || len(rows) != tt.rows || len(slices.Compact(rows)) != tt.rows {
				t.Errorf("%s, limit %d: %d rows in %d pages, want %d in %d", tt.text, limit, len(rows), pages, tt.rows, want)
			}
		}
	}
}

// TestPageSize: a page ends with the row that crosses 1 MB, also when several
// partitions are read.
func TestPageSize(t *testing.T) {
	db := newDatabase(t)
	big := strings.Repeat("x", 300_000)
	for i := range 8 {
		db.put("c", fmt.Sprintf(`{"pk":"p","sk":"%d","x":"%s"}`, i, big), fmt.Sprintf(`{"pk":"%d","sk":"s","x":"%s"}`, i, big))
	}
	for _, text := range []string{
		`SELECT * FROM c WHERE pk = 'p'`,
		`SELECT * FROM c WHERE pk = '0' OR pk = '1' OR pk = '2' OR pk = '3' OR pk = '4' OR pk = '5'`,
	} {
		out, err := db.exec(db.input(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Items) != 4 || out.NextToken == "" {
			t.Errorf("%s: %d rows, token %q", text, len(out.Items), out.NextToken)
		}
	}
}

// TestTokens holds what a NextToken is good for, and that it outlives the
// executor.
func TestTokens(t *testing.T) {
	db := newDatabase(t)
	db.put("cn", `{"pk":"p","sk":1}`, `{"pk":"p","sk":2}`, `{"pk":"q","sk":2}`)
	in := db.input(`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`)
	in.Limit = api.SomeInt(1)
	out, err := db.exec(in)
	if err != nil || out.NextToken == "" {
		t.Fatal(out, err)
	}
	if got, want := out.LastEvaluatedKey.Text(), `{"pk":{"S":"p"},"sk":{"N":"1"}}`; got != want {
		t.Errorf("LastEvaluatedKey %s, want %s", got, want)
	}
	token := api.Some(out.NextToken)

	db.Executor = New(1)
	in = db.input(`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`)
	in.NextToken = token
	out, err = db.exec(in)
	if err != nil || len(out.Items) != 1 || out.NextToken != "" {
		t.Errorf("second page: %v, %v", out, err)
	}

	for _, tt := range []struct{ text, value, token, want string }{
		{`SELECT * FROM cn WHERE pk = ?`, `{"S":"q"}`, token.Value, "NextToken does not match request"},
		{`SELECT sk FROM cn WHERE pk = ?`, `{"S":"p"}`, token.Value, "NextToken does not match request"},
		{`DELETE FROM cn WHERE pk = ? AND sk = 1`, `{"S":"p"}`, token.Value, "NextToken does not match request"},
		{`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`, "garbage", "Invalid NextToken"},
		{`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`, "", "Invalid NextToken"},
		{`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`, token.Value[4:], "Invalid NextToken"},
		{`SELECT * FROM cn WHERE pk = ?`, `{"S":"p"}`, token.Value[:len(token.Value)-4], "Invalid NextToken"},
	} {
		in := db.input(tt.text, tt.value)
		in.NextToken = api.Some(tt.token)
		_, err := db.exec(in)
		wantError(t, tt.text+" "+tt.token, err, api.CodeValidation, tt.want)
	}
}

func FuzzToken(f *testing.F) {
	st, refused := compile(`SELECT * FROM t WHERE pk = ?`)
	if refused != nil {
		f.Fatal(refused)
	}
	b, _, _ := st.bind(params(f, `{"S":"x"}`))
	f.Add(b.token(place{read: 3, start: itemOf(f, `{"pk":{"S":"a"},"n":{"N":"1.5"},"b":{"B":"AQID"}}`)}))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		p, err := b.resume(api.Some(token))
		if err == nil && b.token(p) != token {
			t.Errorf("%q reads as %v", token, p)
		}
		p, ok := readPlace([]byte(token))
		if ok {
			if again, err := b.resume(api.Some(b.token(p))); err != nil || again.read != p.read || !again.start.Equal(p.start) {
				t.Errorf("%v comes back as %v, %v", p, again, err)
			}
		}
	})
}

// TestARN: a table may be named by its ARN.
func TestARN(t *testing.T) {
	db := newDatabase(t)
	db.put("h", `{"pk":"a"}`)
	rows := db.rows(`SELECT pk FROM "arn:aws:dynamodb:us-east-1:123456789012:table/h" WHERE pk = 'a'`)
	wantRows(t, "by ARN", rows, []string{`{"pk":{"S":"a"}}`})
	_, err := db.exec(db.input(`SELECT pk FROM "arn:aws:dynamodb:us-east-1:999999999999:table/h"`))
	wantError(t, "another account", err, api.CodeAccessDenied, "User: …")
}

// TestSplit: a token goes on where it was after the table's partitions split.
func TestSplit(t *testing.T) {
	db := newDatabase(t)
	for i := range 40 {
		db.put("h", fmt.Sprintf(`{"pk":"%d"}`, i))
	}
	in := db.input(`SELECT pk FROM h`)
	in.Limit = api.SomeInt(7)
	seen := map[string]bool{}
	for more := true; more; {
		out, err := db.exec(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range out.Items {
			seen[plainText(v, "pk")] = true
		}
		if err := db.region.SplitPartition(t.Context(), "h", 0); err != nil {
			t.Fatal(err)
		}
		more = out.NextToken != ""
		in.NextToken = api.Some(out.NextToken)
	}
	if len(seen) != 40 {
		t.Errorf("%d of 40 items", len(seen))
	}
}
