package partiql

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite/attr"
)

// TestPlansAgreeWithScans compares what statements with random conditions
// return with the items for which the condition holds.
func TestPlansAgreeWithScans(t *testing.T) {
	db := newDatabase(t)
	var items []*attr.Item
	for _, pk := range []string{"a", "b", "c"} {
		for sk := range 5 {
			for _, x := range []string{`,"x":1`, `,"x":2`, ``} {
				item := itemOf(t, fmt.Sprintf(`{"pk":"%s","sk":"%d%d"%s,"gsiPk":"%s","lsiSk":"%d"}`, pk, sk, len(items)%3, x, pk, 9-sk))
				items = append(items, item)
				db.put("x", item.Text())
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 3000 {
		where := randomCondition(r, 3)
		from := `"x"`
		switch r.IntN(4) {
		case 0:
			from = `"x"."gsi-all"`
			where = strings.ReplaceAll(where, "pk", "gsiPk")
		case 1:
			from = `"x"."lsi-all"`
		}
		text := "SELECT pk, sk FROM " + from + " WHERE " + where
		st, err := compile(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b, _, err := st.bind(nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		cond := b.predicate(st.where)
		var want []string
		for _, item := range items {
			if cond.Eval(item) {
				want = append(want, sortKeyOf(item))
			}
		}
		in := db.input(text)
		in.Limit.Set, in.Limit.Value = true, int64(1+r.IntN(60))
		got := []string{}
		for more := true; more && err == nil; {
			out, failed := db.exec(in)
			if failed != nil {
				err = asError(failed)
				break
			}
			for _, v := range out.Items {
				got = append(got, sortKeyOf(v.Item))
			}
			more = out.NextToken != ""
			in.NextToken.Set, in.NextToken.Value = true, out.NextToken
		}
		if err == errOverlap {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("case %d, %s:\n got %v\nwant %v", i, text, got, want)
		}
	}
	if refused == 0 || refused > 1500 {
		t.Errorf("%d statements refused", refused)
	}
}

func sortKeyOf(item *attr.Item) string {
	pk, _ := item.Lookup("pk")
	sk, _ := item.Lookup("sk")
	return pk.Str() + sk.Str()
}

// randomCondition is a condition over the attributes pk, sk and x.
func randomCondition(r *rand.Rand, depth int) string {
	if depth > 0 && r.IntN(3) > 0 {
		left, right := randomCondition(r, depth-1), randomCondition(r, depth-1)
		switch r.IntN(5) {
		case 0:
			return "NOT (" + left + ")"
		case 1, 2:
			return "(" + left + " OR " + right + ")"
		}
		return left + " AND " + right
	}
	pk := func() string { return fmt.Sprintf("'%c'", 'a'+rune(r.IntN(4))) }
	sk := func() string { return fmt.Sprintf("'%d%d'", r.IntN(5), r.IntN(3)) }
	switch r.IntN(12) {
	case 0, 1, 2:
		return "pk = " + pk()
	case 3:
		return "pk IN (" + pk() + ", " + pk() + ")"
	case 4:
		return "sk = " + sk()
	case 5:
		return "sk IN [" + sk() + ", " + sk() + "]"
	case 6:
		return []string{"sk < ", "sk <= ", "sk > ", "sk >= ", "sk <> "}[r.IntN(5)] + sk()
	case 7:
		return "sk BETWEEN " + sk() + " AND " + sk()
	case 8:
		return "begins_with(sk, '" + string('0'+rune(r.IntN(5))) + "')"
	case 9:
		return "x = " + string('1'+rune(r.IntN(2)))
	case 10:
		return "attribute_exists(x)"
	}
	return sk() + " > sk"
}

// FuzzExecute runs any text on tables with items: nothing panics, and what is
// refused is refused as the caller's fault.
func FuzzExecute(f *testing.F) {
	for _, text := range fuzzSeeds {
		f.Add(strings.ReplaceAll(text, `"t"`, "x"), `{"S":"a"}`)
		f.Add(strings.ReplaceAll(strings.ReplaceAll(text, " t ", " h "), `"t"`, "h"), `{"N":"1"}`)
	}
	f.Add(`SELECT l[0] FROM h WHERE pk = 'a' AND m.x = ? OR pk IN ('b', ?)`, `{"S":"a"}`)
	f.Add(`UPDATE h SET ss = set_add(ss, ?), l[5] = ? REMOVE m.x WHERE pk = 'a' RETURNING MODIFIED NEW *`, `{"SS":["a"]}`)
	f.Fuzz(func(t *testing.T, text, value string) {
		v, err := attr.ParseValue(value)
		if err != nil || len(text) > 8192 {
			return
		}
		db := newDatabase(t)
		db.put("h", seed)
		db.put("x", `{"pk":"a","sk":"b","gsiPk":"g","lsiSk":"l"}`)
		st, refused := compile(text)
		if refused != nil {
			return
		}
		in := db.input(text)
		for range st.params {
			in.Parameters = append(in.Parameters, params(t, v.Text())...)
		}
		out, failed := db.exec(in)
		if failed != nil && asError(failed).Status() != 400 {
			t.Errorf("%s: %v", text, failed)
		}
		if failed == nil {
			texts(out.Items)
		}
		_, _ = db.batch("INDEXES", text, text)
		_, _ = db.transact(transaction("token", text))
	})
}
