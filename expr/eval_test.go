package expr

import (
	"testing"

	"github.com/dynalite-go/dynalite/attr"
	"github.com/google/go-cmp/cmp"
)

const evalItem = `{
	"pk":{"S":"key"}, "n":{"N":"17"}, "f":{"N":"2.50"}, "neg":{"N":"-3"}, "s":{"S":"hello"}, "t":{"S":"hello"}, "z":{"S":"z"},
	"b":{"B":"aGkgdGhlcmU="}, "yes":{"BOOL":true}, "null":{"NULL":true}, "null2":{"NULL":true},
	"ss":{"SS":["x","y"]}, "ss2":{"SS":["y","x"]}, "ns":{"NS":["1","2"]}, "bs":{"BS":["eA==","eQ=="]},
	"l":{"L":[{"N":"1"},{"S":"two"},{"L":[{"N":"3"}]},{"SS":["p","q"]},{"NULL":true}]},
	"m":{"M":{"a":{"N":"1"},"b":{"M":{"c":{"S":"deep"}}},"l":{"L":[{"N":"0"},{"M":{"x":{"N":"9"}}}]}}},
	"esc":{"S":"a\"b\\c\n"}, "uni":{"S":"é😀"}, "empty":{"S":""}, "a.b":{"S":"dotted"}, "el":{"L":[]}, "em":{"M":{}}
}`

// TestEval goes through behaviours/04 §4.5.
func TestEval(t *testing.T) {
	entries := []string{
		"#dot=a.b", "#yes=yes", "#null=null", "#esc=esc", "#b=b", "#m=m", "#l=l", "#n=n", "#t=t", "#e=empty",
		`:s={"S":"hello"}`, `:hell={"S":"hell"}`, `:ell={"S":"ell"}`, `:hellohi={"S":"hellohi"}`, `:z={"S":"z"}`, `:es={"S":""}`,
		`:n={"N":"17"}`, `:n0={"N":"17.0"}`, `:n16={"N":"16"}`, `:n18={"N":"18"}`, `:one={"N":"1"}`, `:two={"N":"2"}`, `:five={"N":"5"}`,
		`:f={"N":"2.5"}`, `:f5={"N":"4.5"}`, `:neg={"N":"-1"}`, `:big={"N":"99999999999999999999999999"}`, `:nine={"N":"9"}`, `:zero={"N":"0"}`,
		`:b={"B":"aGkgdGhlcmU="}`, `:hi={"B":"aGk="}`, `:here={"B":"aGVyZQ=="}`, `:dog={"B":"ZG9n"}`,
		`:true={"BOOL":true}`, `:null={"NULL":true}`, `:x={"S":"x"}`, `:bx={"B":"eA=="}`, `:ssr={"SS":["y","x"]}`, `:ss1={"SS":["x"]}`,
		`:nsr={"NS":["2.0","1"]}`, `:lsame={"L":[{"N":"1"},{"S":"two"},{"L":[{"N":"3"}]},{"SS":["q","p"]},{"NULL":true}]}`,
		`:l3={"L":[{"N":"3"}]}`, `:qp={"SS":["q","p"]}`, `:deep={"M":{"c":{"S":"deep"}}}`, `:esc={"S":"a\"b\\c\n"}`, `:q={"S":"\"b\\"}`,
		`:S={"S":"S"}`, `:N={"S":"N"}`, `:SS={"S":"SS"}`, `:NULL={"S":"NULL"}`, `:M={"S":"M"}`, `:L={"S":"L"}`, `:BOOL={"S":"BOOL"}`,
		`:m={"M":{"b":{"M":{"c":{"S":"deep"}}},"l":{"L":[{"N":"0"},{"M":{"x":{"N":"9"}}}]},"a":{"N":"1.00"}}}`,
	}
	tests := []struct {
		text string
		want bool
	}{
		// Equality.
		{"s = :s", true}, {"s <> :s", false}, {":s = s", true}, {"s = #t", true}, {"s <> #t", false}, {"s = z", false},
		{"#n = :n", true}, {"#n = :n0", true}, {"#n = :n16", false}, {"f = :f", true},
		{"#b = :b", true}, {"#yes = :true", true}, {"#null = :null", true}, {"#null = null2", true},
		{"ss = :ssr", true}, {"ss = ss2", true}, {"ss = :ss1", false}, {"ns = :nsr", true},
		{"#l = :lsame", true}, {"#m = :m", true}, {"#m.#b = :deep", true}, {"#m.#b.c = :s", false},
		{"#esc = :esc", true}, {"#dot = #dot.x", false}, {"#e = :es", true},
		// Types differ.
		{"s = :n", false}, {"s <> :n", true}, {"s < :n", false}, {"s > :n", false}, {"s >= :n", false}, {"#n <= :s", false},
		{"ss < :s", false}, {"#l >= :n", false}, {"#yes > :one", false}, {"ss = :x", false},
		// Ordering.
		{"#n > :n16", true}, {"#n >= :n", true}, {"#n < :n18", true}, {"#n <= :n", true}, {"#n < :n", false}, {"#n > :n", false},
		{":n16 < #n", true}, {":n18 <= #n", false}, {"neg < :zero", true}, {"s < :z", true}, {"z > :s", true}, {"s <= #t", true},
		{"#b > :dog", true}, {"#b < :dog", false}, {"#b >= :b", true},
		// Missing operands.
		{"no1 = :s", false}, {"no1 <> :s", true}, {":s <> no1", true}, {"no1 = no2", false}, {"no1 <> no2", true},
		{"no1 < :s", false}, {"no1 >= :s", false}, {":s > no1", false}, {"no1 BETWEEN :s AND :z", false}, {"s BETWEEN no1 AND :z", false},
		{"s BETWEEN :hell AND no1", false}, {"no1 IN (:s, no1)", false}, {"contains(no1, :s)", false}, {"contains(s, no1)", false},
		{"begins_with(no1, :s)", false}, {"begins_with(s, no1)", false}, {"attribute_type(no1, :S)", false},
		{"NOT no1 = :s", true}, {"NOT no1 <> :s", false},
		// BETWEEN, IN.
		{"#n BETWEEN :n16 AND :n18", true}, {"#n BETWEEN :n AND :n", true}, {"#n BETWEEN :n18 AND #n", false}, {"#n BETWEEN :one AND :two", false},
		{":n BETWEEN :n16 AND #n", true}, {"s BETWEEN :n16 AND :n18", false}, {"s BETWEEN :hell AND :z", true}, {"#b BETWEEN :dog AND :b", true},
		{"size(s) BETWEEN :one AND :five", true}, {"size(s) BETWEEN size(s) AND #n", true}, {"#n BETWEEN size(s) AND :n", true},
		{"size(no1) BETWEEN :one AND :five", false},
		{"s IN (:z, :s)", true}, {"s IN (:z, #n)", false}, {"s IN (no1, #t)", true}, {"#n IN (:n0)", true}, {":s IN (s)", true},
		{"size(s) IN (:two, :five)", true}, {"ss IN (:ss1, :ssr)", true}, {":five IN (size(no1), size(s))", true},
		// begins_with.
		{"begins_with(s, :hell)", true}, {"begins_with(s, :ell)", false}, {"begins_with(s, :es)", true}, {"begins_with(#b, :hi)", true},
		{"begins_with(#b, :dog)", false}, {"begins_with(s, :hi)", false}, {"begins_with(:hellohi, s)", true}, {"begins_with(s, #t)", true},
		{"begins_with(#n, :hell)", false}, {"begins_with(ss, :x)", false},
		// contains.
		{"contains(s, :ell)", true}, {"contains(s, :z)", false}, {"contains(s, :s)", true}, {"contains(s, :es)", true}, {"contains(s, :n)", false},
		{"contains(#b, :here)", true}, {"contains(#b, :dog)", false}, {"contains(#esc, :q)", true}, {"contains(:hellohi, s)", true},
		{"contains(ss, :x)", true}, {"contains(ss, :z)", false}, {"contains(ss, :one)", false}, {"contains(ss, :ss1)", false},
		{"contains(ns, :one)", true}, {"contains(ns, :five)", false}, {"contains(bs, :bx)", true}, {"contains(bs, :x)", false},
		{"contains(#l, :one)", true}, {"contains(#l, :l3)", true}, {"contains(#l, :qp)", true}, {"contains(#l, :null)", true}, {"contains(#l, :two)", false},
		{"contains(#m, :one)", false}, {"contains(#n, :one)", false}, {"contains(#yes, :true)", false},
		// size.
		{"size(s) = :five", true}, {"size(s) <> :five", false}, {"size(s) > :two", true}, {":two < size(s)", true}, {":five >= size(s)", true},
		{"size(uni) = :two", false}, {"size(uni) > :two", true}, {"size(uni) < :f5", true}, {"size(#e) = :zero", true}, {"size(#b) = :nine", false},
		{"size(ss) = :two", true}, {"size(bs) = size(ns)", true}, {"size(#l) = :five", true}, {"size(el) = size(em)", true}, {"size(#m) < size(#l)", true},
		{"size(s) < :big", true}, {"size(s) > :neg", true}, {"size(s) > :f5", true}, {"size(s) < :f5", false}, {"size(s) = :f5", false}, {"size(ss) < :f", true}, {"size(ss) = :f", false}, {"size(:s) = size(s)", true},
		{"size(no1) = :zero", false}, {"size(no1) <> :zero", false}, {"size(#n) <> :zero", false}, {"size(#null) < :five", false}, {"size(#yes) = :one", false},
		{"size(s) = :x", false}, {"size(s) <> :x", true}, {"size(s) <> no1", true}, {"size(s) = no1", false}, {"size(no1) <> no1", false},
		{"size(no1) = size(no2)", false}, {"contains(ns, size(ss))", true}, {"size(#m.#l[1]) = :one", true},
		// Existence.
		{"attribute_exists(s)", true}, {"attribute_exists(no1)", false}, {"attribute_not_exists(no1)", true}, {"attribute_not_exists(s)", false},
		{"attribute_exists(#null)", true}, {"attribute_exists(#l[4])", true}, {"attribute_exists(#l[5])", false}, {"attribute_exists(#m.#l[1].x)", true},
		{"attribute_exists(s.x)", false}, {"attribute_exists(s[0])", false}, {"attribute_exists(#m[0])", false}, {"attribute_exists(#l.x)", false},
		{"attribute_exists(#dot)", true}, {"attribute_exists(a.#b)", false}, {"attribute_exists(ss[0])", false},
		// attribute_type.
		{"attribute_type(s, :S)", true}, {"attribute_type(s, :N)", false}, {"attribute_type(ss, :SS)", true}, {"attribute_type(#null, :NULL)", true},
		{"attribute_type(#m.#l[1], :M)", true}, {"attribute_type(:five, :N)", true}, {"attribute_type(size(s), :N)", true}, {"attribute_type(#yes, :BOOL)", true},
		{"attribute_type(#l, :L)", true},
		// Logic.
		{"s = :s AND #n = :n", true}, {"s = :s AND #n = :n16", false}, {"s = :z OR #n = :n", true}, {"s = :z OR #n = :n16", false},
		{"NOT s = :z AND #n = :n", true}, {"NOT (s = :s AND #n = :n)", false}, {"NOT NOT s = :s", true},
		{"s = :z AND s = :z OR #n = :n", true}, {"s = :z AND (s = :z OR #n = :n)", false}, {"#n = :n OR s = :z AND s = :z", true},
		{"#n BETWEEN :n16 AND :n18 AND s = :z", false},
	}
	it := item(t, evalItem)
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			pred, err := (*Cache)(nil).Condition(Filter, tc.text, placeholders(t, entries...))
			if err != nil {
				t.Fatal(err)
			}
			if got := pred.Eval(it); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

func TestEvalWithoutItem(t *testing.T) {
	p := func() *Placeholders { return placeholders(t, `:v={"S":"x"}`) }
	for text, want := range map[string]bool{
		"attribute_not_exists(pk)": true,
		"attribute_exists(pk)":     false,
		"pk = :v":                  false,
		"pk <> :v":                 true,
		"size(pk) >= :v":           false,
		"pk.a[3] = b":              false,
		":v = :v":                  true,
		"NOT contains(pk, :v)":     true,
	} {
		pred, err := (*Cache)(nil).Condition(Condition, text, p())
		if err != nil {
			t.Fatal(err)
		}
		if got := pred.Eval(nil); got != want {
			t.Errorf("%s of no item: %v, want %v", text, got, want)
		}
	}
}

func TestPredicatePaths(t *testing.T) {
	pred, err := (*Cache)(nil).Condition(Filter, "a.b = :v AND (size(#c[1]) > :v OR attribute_exists(a.b))", placeholders(t, "#c=x.y", `:v={"N":"1"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pred.Paths() {
		got = append(got, p.String())
	}
	if diff := cmp.Diff([]string{"[a, b]", "[x.y, [1]]", "[a, b]"}, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

// The common conditions must not allocate.
func TestEvalAllocatesNothing(t *testing.T) {
	it := item(t, evalItem)
	p := placeholders(t, "#n=n", `:n={"N":"16"}`, `:s={"S":"hell"}`, `:tag={"S":"S"}`, `:x={"S":"x"}`)
	for _, text := range []string{
		"#n > :n AND begins_with(s, :s) AND attribute_exists(pk)",
		"attribute_not_exists(pk) OR #n BETWEEN :n AND :n OR NOT s = :s",
		"size(s) > :n OR s IN (:s, z)",
		"attribute_type(s, :tag) AND contains(ss, :x) AND contains(s, :s)",
		"m.b.c <> :s AND l[1] <> :s",
	} {
		pred, err := (*Cache)(nil).Condition(Filter, text, p)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { pred.Eval(it) }); n > 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

// TestCompare goes through behaviours/05 §5.5.
func TestCompare(t *testing.T) {
	it := item(t, evalItem)
	s, n := value(t, `{"S":"hello"}`), value(t, `{"N":"17"}`)
	one, x, z := value(t, `{"N":"1"}`), value(t, `{"S":"x"}`), value(t, `{"S":"z"}`)
	tests := []struct {
		name   string
		op     Operator
		values []attr.Value
		want   bool
	}{
		{"s", EQ, []attr.Value{s}, true},
		{"s", EQ, []attr.Value{n}, false},
		{"no", EQ, []attr.Value{s}, false},
		{"s", NE, []attr.Value{s}, false},
		{"s", NE, []attr.Value{n}, true},
		{"no", NE, []attr.Value{s}, true},
		{"n", LE, []attr.Value{n}, true},
		{"n", LT, []attr.Value{n}, false},
		{"n", GE, []attr.Value{one}, true},
		{"n", GT, []attr.Value{s}, false},
		{"no", LE, []attr.Value{s}, false},
		{"n", Between, []attr.Value{one, n}, true},
		{"n", Between, []attr.Value{one, one}, false},
		{"no", Between, []attr.Value{one, n}, false},
		{"s", In, []attr.Value{z, s}, true},
		{"s", In, []attr.Value{z, x}, false},
		{"no", In, []attr.Value{s}, false},
		{"s", BeginsWith, []attr.Value{value(t, `{"S":"he"}`)}, true},
		{"n", BeginsWith, []attr.Value{value(t, `{"S":"1"}`)}, false},
		{"s", Contains, []attr.Value{value(t, `{"S":"ell"}`)}, true},
		{"ss", Contains, []attr.Value{x}, true},
		{"l", Contains, []attr.Value{one}, true},
		{"s", Contains, []attr.Value{one}, false},
		{"no", Contains, []attr.Value{x}, false},
		{"s", NotContains, []attr.Value{value(t, `{"S":"ell"}`)}, false},
		{"s", NotContains, []attr.Value{one}, true},
		{"n", NotContains, []attr.Value{one}, true},
		{"ss", NotContains, []attr.Value{z}, true},
		{"no", NotContains, []attr.Value{x}, false},
		{"no", Null, nil, true},
		{"null", Null, nil, false},
		{"null", NotNull, nil, true},
		{"no", NotNull, nil, false},
		// Legacy names are literal.
		{"a.b", EQ, []attr.Value{value(t, `{"S":"dotted"}`)}, true},
	}
	for _, tc := range tests {
		pred := Compare(attr.NamePath(tc.name), tc.op, tc.values...)
		if got := pred.Eval(it); got != tc.want {
			t.Errorf("%s %v %v: %v, want %v", tc.name, tc.op, tc.values, got, tc.want)
		}
		if got := Not(pred).Eval(it); got == tc.want {
			t.Errorf("NOT %s %v %v: %v", tc.name, tc.op, tc.values, got)
		}
	}
}

func TestBuiltConditions(t *testing.T) {
	it := item(t, evalItem)
	yes, no := Exists(attr.NamePath("s")), NotExists(attr.NamePath("s"))
	five, one := ValueOperand(value(t, `{"N":"5"}`)), ValueOperand(value(t, `{"N":"1"}`))
	size := SizeOperand(PathOperand(attr.NamePath("s")))
	tests := []struct {
		name string
		pred *Predicate
		want bool
	}{
		{"and", And(yes, yes), true},
		{"and false", And(yes, no), false},
		{"and of none", And(), true},
		{"or", Or(no, yes), true},
		{"or false", Or(no, no), false},
		{"or of none", Or(), false},
		{"nested", And(Or(no, yes), Not(no)), true},
		{"size", CompareOperands(size, EQ, five), true},
		{"size in", CompareOperands(size, In, one, five), true},
		{"size between", CompareOperands(size, Between, one, five), true},
		{"sizes", CompareOperands(size, LT, SizeOperand(ValueOperand(value(t, `{"S":"longer"}`)))), true},
		{"values", CompareOperands(one, LT, five), true},
		{"paths", CompareOperands(PathOperand(attr.NamePath("s")), EQ, PathOperand(attr.NamePath("t"))), true},
		{"type", HasType(PathOperand(path(t, "m.b")), attr.M), true},
		{"other type", HasType(PathOperand(path(t, "m.b.c")), attr.M), false},
		{"operand left out", Compare(attr.NamePath("s"), EQ), false},
		{"bound left out", Compare(attr.NamePath("n"), Between, value(t, `{"N":"1"}`)), false},
		{"further operand", Compare(attr.NamePath("t"), EQ, value(t, `{"S":"hello"}`), value(t, `{"S":"x"}`)), true},
	}
	for _, tc := range tests {
		if got := tc.pred.Eval(it); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	both := And(Exists(attr.NamePath("p")), Not(Or(Exists(attr.NamePath("q")), Exists(path(t, "r.s")))))
	if got := len(both.Paths()); got != 3 {
		t.Errorf("%d paths, want 3", got)
	}
}

func TestOperators(t *testing.T) {
	for o := EQ; o <= NotNull; o++ {
		if got, ok := ParseOperator(o.String()); !ok || got != o {
			t.Errorf("ParseOperator(%q) = %v, %v", o.String(), got, ok)
		}
	}
	for _, name := range []string{"", "eq", "=", "EQUAL"} {
		if o, ok := ParseOperator(name); ok {
			t.Errorf("ParseOperator(%q) = %v", name, o)
		}
	}
}
