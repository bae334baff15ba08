package attr

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumberNormalForm(t *testing.T) {
	digits38 := "12345678901234567890123456789012345678"
	tests := []struct{ text, want string }{
		{"0", "0"}, {"-0", "0"}, {"+0.000", "0"}, {"0e126", "0"}, {"0.0e126", "0"}, {"0e99999999999999999999", "0"},
		{"1", "1"}, {"+1000", "1000"}, {"1e3", "1000"}, {"1000.0", "1000"}, {"1E2", "100"}, {"1.5E2", "150"},
		{".5", "0.5"}, {"5.", "5"}, {"-.50", "-0.5"}, {"007", "7"}, {"0.00100", "0.001"}, {"1.20e1", "12"},
		{"12.5e-3", "0.0125"}, {"-12.5E+3", "-12500"}, {"100e-2", "1"}, {"1e-05", "0.00001"},
		{digits38, digits38}, {"-" + digits38, "-" + digits38}, {digits38 + "000", digits38 + "000"},
		{"0." + digits38, "0." + digits38}, {"000" + digits38 + ".000", digits38},
		{"1e125", "1" + strings.Repeat("0", 125)},
		{"1e-130", "0." + strings.Repeat("0", 129) + "1"},
		{"9." + strings.Repeat("9", 37) + "e125", strings.Repeat("9", 38) + strings.Repeat("0", 88)},
		{"1234567890123456789.0123456789012345678e-130", "0." + strings.Repeat("0", 111) + "12345678901234567890123456789012345678"},
	}
	for _, tt := range tests {
		v, fault := NumberValue(tt.text)
		if fault != nil {
			t.Errorf("%s: %v", tt.text, fault)
			continue
		}
		if got := v.NumberText(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
		again, fault := NumberValue(tt.want)
		if fault != nil || again != v {
			t.Errorf("%s: the normal form reads as %s, %v", tt.text, again, fault)
		}
	}
}

func TestNumberFaults(t *testing.T) {
	const (
		notNumber = "The parameter cannot be converted to a numeric value"
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		digits    = "Attempting to store more than 38 significant digits in a Number"
	)
	digits39 := "123456789012345678901234567890123456789"
	tests := []struct {
		text, classic, current string
		kind                   FaultKind
	}{
		{"", notNumber, notNumber + ": ", FaultNotANumber},
		{"abc", notNumber + ": abc", "", FaultNotANumber},
		{" 1", notNumber + ":  1", "", FaultNotANumber},
		{"1 ", notNumber + ": 1 ", "", FaultNotANumber},
		{"0x10", notNumber + ": 0x10", "", FaultNotANumber},
		{"NaN", notNumber + ": NaN", "", FaultNotANumber},
		{"Infinity", notNumber + ": Infinity", "", FaultNotANumber},
		{"1e", notNumber + ": 1e", "", FaultNotANumber},
		{"1e+", notNumber + ": 1e+", "", FaultNotANumber},
		{"e5", notNumber + ": e5", "", FaultNotANumber},
		{".", notNumber + ": .", "", FaultNotANumber},
		{"-", notNumber + ": -", "", FaultNotANumber},
		{"--1", notNumber + ": --1", "", FaultNotANumber},
		{"1..2", notNumber + ": 1..2", "", FaultNotANumber},
		{"1e5.5", notNumber + ": 1e5.5", "", FaultNotANumber},
		{"1_000", notNumber + ": 1_000", "", FaultNotANumber},
		{"1e126", overflow, "", FaultOverflow},
		{"-1e126", overflow, "", FaultOverflow},
		{"10e125", overflow, "", FaultOverflow},
		{digits39 + "e100", overflow, "", FaultOverflow}, // before the digits
		{"1e-131", underflow, "", FaultUnderflow},
		{"-0.1e-130", underflow, "", FaultUnderflow},
		{digits39 + "e-200", underflow, "", FaultUnderflow},
		{digits39, digits, "", FaultDigits},
		{"-0." + digits39, digits, "", FaultDigits},
		{"1." + strings.Repeat("0", 37) + "1", digits, "", FaultDigits},
		{"1e2147483647", underflow, overflow, FaultOverflow},
		{"0.1e2147483647", overflow, "", FaultOverflow},
		{"1e2147483646", overflow, "", FaultOverflow},
		{"1e-2147483647", underflow, "", FaultUnderflow},
		{"1e99999999999999999999", overflow, "", FaultOverflow},
		{"1e-99999999999999999999", underflow, "", FaultUnderflow},
	}
	for _, tt := range tests {
		v, fault := NumberValue(tt.text)
		if fault == nil {
			t.Errorf("%s: got %s, want a fault", tt.text, v)
			continue
		}
		if tt.current == "" {
			tt.current = tt.classic
		}
		got := []any{fault.Error(), fault.Current(), fault.Kind, fault.Bare()}
		if diff := cmp.Diff([]any{tt.classic, tt.current, tt.kind, false}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestNumberSize holds the table of limits §3.
func TestNumberSize(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "-0": 1, "1": 2, "12": 2, "123": 3, "1.5": 3, "0.15": 2, "0.015": 2, "100": 2, "1E2": 2, "100.0": 2,
		"100.5": 4, "1E125": 2, "-42": 3, "3.14159": 5, "12345678901234567890123456789012345678": 20,
		"-12345678901234567890123456789012345678": 21, "1e-130": 2, "120": 2, "1200": 2, "1230": 3,
	} {
		v, fault := NumberValue(text)
		if fault != nil {
			t.Fatal(fault)
		}
		if got := v.Size(); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

func TestAdd(t *testing.T) {
	nines := strings.Repeat("9", 38)
	tests := []struct{ a, b, sum, difference string }{
		{"1", "1", "2", "0"},
		{"1", "-1", "0", "2"},
		{"0", "0", "0", "0"},
		{"0", "5.5", "5.5", "-5.5"},
		{"0.1", "0.2", "0.3", "-0.1"},
		{"99", "1", "100", "98"},
		{"100", "-0.01", "99.99", "100.01"},
		{"-100", "99.5", "-0.5", "-199.5"},
		{"1e37", "1", "10000000000000000000000000000000000001", nines[1:]},
		{"1e38", "1", "overflow", nines},
		{nines, "1", "1" + strings.Repeat("0", 38), nines[:37] + "8"},
		{nines, nines, "overflow", "0"},
		{"1e125", "1", "overflow", "overflow"},
		{"5e125", "5e125", "overflow", "0"},
		{"1e-130", "1e-130", "0." + strings.Repeat("0", 129) + "2", "0"},
		{"1.1e-130", "1e-130", "0." + strings.Repeat("0", 129) + "21", "underflow"},
		{"1e125", "0", "1" + strings.Repeat("0", 125), "1" + strings.Repeat("0", 125)},
	}
	for _, tt := range tests {
		a, b := mustNumber(t, tt.a), mustNumber(t, tt.b)
		for _, op := range []struct {
			name string
			f    func(a, b Value) (Value, *Fault)
			want string
		}{{"+", Add, tt.sum}, {"-", Subtract, tt.difference}} {
			got, fault := op.f(a, b)
			text := got.NumberText()
			switch {
			case fault == nil:
			case fault.Error() == overflowText:
				text = "overflow"
			case fault.Error() == underflowText:
				text = "underflow"
			}
			if text != op.want {
				t.Errorf("%s %s %s: got %s, want %s", tt.a, op.name, tt.b, text, op.want)
			}
		}
	}
	if v, fault := Add(String("1"), Int(1)); !v.IsZero() || fault != nil {
		t.Errorf("a string was added: %v, %v", v, fault)
	}
}

func mustNumber(t testing.TB, text string) Value {
	t.Helper()
	v, fault := NumberValue(text)
	if fault != nil {
		t.Fatalf("%s: %v", text, fault)
	}
	return v
}

// randomNumber makes numbers of all kinds: short and long, near and far apart,
// in many spellings.
func randomNumber(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"", "", "-", "+"}[r.IntN(4)])
	n := 1 + r.IntN(38)
	if r.IntN(2) == 0 {
		n = 1 + r.IntN(4)
	}
	point := r.IntN(n + 2)
	for i := range n {
		if i == point {
			b.WriteByte('.')
		}
		b.WriteByte("0123456789900"[r.IntN(13)])
	}
	switch r.IntN(3) {
	case 0:
		b.WriteString("e" + Int(int64(r.IntN(280)-140)).NumberText())
	case 1:
		b.WriteString("E" + Int(int64(r.IntN(10)-5)).NumberText())
	}
	return b.String()
}

func rat(t testing.TB, text string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("math/big does not read %q", text)
	}
	return x
}

// significant counts the digits between the first and the last that is not
// zero, of a plain decimal.
func significant(x *big.Rat) int {
	return len(strings.Trim(strings.Replace(x.FloatString(400), ".", "", 1), "-0"))
}

func checkAgainstBig(t *testing.T, text string) (Value, *big.Rat) {
	t.Helper()
	x := rat(t, text)
	v, fault := NumberValue(text)
	limit := rat(t, "1e126")
	small := rat(t, "1e-130")
	magnitude := new(big.Rat).Abs(x)
	var want FaultKind
	switch {
	case magnitude.Cmp(limit) >= 0:
		want = FaultOverflow
	case x.Sign() != 0 && magnitude.Cmp(small) < 0:
		want = FaultUnderflow
	case significant(x) > 38:
		want = FaultDigits
	}
	if want != 0 {
		if fault == nil || fault.Kind != want {
			t.Fatalf("%s: got %v, %v, want fault %d", text, v, fault, want)
		}
		return Value{}, x
	}
	if fault != nil {
		t.Fatalf("%s: %v", text, fault)
	}
	if got := rat(t, v.NumberText()); got.Cmp(x) != 0 {
		t.Fatalf("%s: reads as %s", text, v)
	}
	plain := x.FloatString(400)
	if strings.Contains(plain, ".") {
		plain = strings.TrimRight(strings.TrimRight(plain, "0"), ".")
	}
	if got := v.NumberText(); got != plain {
		t.Fatalf("%s: got %s, want %s", text, got, plain)
	}
	return v, x
}

func checkPair(t *testing.T, a, b string) {
	t.Helper()
	v, x := checkAgainstBig(t, a)
	w, y := checkAgainstBig(t, b)
	if v.IsZero() || w.IsZero() {
		return
	}
	if c, ok := Compare(v, w); !ok || sign(c) != x.Cmp(y) {
		t.Fatalf("Compare(%s, %s) = %d, %t", v, w, c, ok)
	}
	if Equal(v, w) != (x.Cmp(y) == 0) {
		t.Fatalf("Equal(%s, %s) = %t", v, w, Equal(v, w))
	}
	if c := strings.Compare(Key(v), Key(w)); c != x.Cmp(y) {
		t.Fatalf("keys of %s and %s order as %d: %x %x", v, w, c, Key(v), Key(w))
	}
	checkSum(t, Add, v, w, new(big.Rat).Add(x, y))
	checkSum(t, Subtract, v, w, new(big.Rat).Sub(x, y))
}

func checkSum(t *testing.T, op func(a, b Value) (Value, *Fault), v, w Value, want *big.Rat) {
	t.Helper()
	got, fault := op(v, w)
	magnitude := new(big.Rat).Abs(want)
	bad := want.Sign() != 0 && magnitude.Cmp(rat(t, "1e-130")) < 0 || magnitude.Cmp(rat(t, "1e126")) >= 0 || significant(want) > 38
	if bad != (fault != nil) {
		t.Fatalf("%s, %s: got %s, %v, want %s", v, w, got, fault, want.FloatString(140))
	}
	if fault == nil && rat(t, got.NumberText()).Cmp(want) != 0 {
		t.Fatalf("%s, %s: got %s, want %s", v, w, got, want.FloatString(140))
	}
}

func sign(c int) int {
	switch {
	case c < 0:
		return -1
	case c > 0:
		return 1
	}
	return 0
}

func TestNumbersAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 20000
	if testing.Short() {
		n = 1000
	}
	for range n {
		checkPair(t, validSpelling(randomNumber(r)), validSpelling(randomNumber(r)))
	}
}

// validSpelling makes sure of a digit.
func validSpelling(text string) string {
	if strings.ContainsAny(text, "0123456789") {
		return text
	}
	return "0"
}

func FuzzNumber(f *testing.F) {
	f.Add("1", "-1.5e10")
	f.Add("0.000", "9e125")
	f.Add("-.5", "5.")
	f.Add("1e-130", "abc")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, text := range []string{a, b} {
			v, fault := NumberValue(text)
			if fault != nil {
				if fault.Kind != FaultNotANumber && fault.Kind != FaultDigits && fault.Kind != FaultOverflow && fault.Kind != FaultUnderflow {
					t.Fatalf("%q: %v", text, fault)
				}
				return
			}
			if len(text) > 200 || strings.Count(text, "e")+strings.Count(text, "E") > 0 && len(text) > 60 {
				return // math/big would take its time
			}
			if v.NumberText() == "0" {
				return // zeros may have any exponent, math/big has its limits
			}
		}
		checkPair(t, a, b)
	})
}

// TestNumberKeys holds bytes worked out by hand from behaviours/06 §6.1.
func TestNumberKeys(t *testing.T) {
	tests := []struct {
		text string
		want []byte
	}{
		{"0", []byte{0x80}},
		{"1", []byte{0xC1, 2}},
		{"10", []byte{0xC1, 11}},
		{"99", []byte{0xC1, 100}},
		{"100", []byte{0xC2, 2}},
		{"123", []byte{0xC2, 2, 24}},
		{"0.5", []byte{0xC0, 51}},
		{"0.05", []byte{0xC0, 6}},
		{"0.005", []byte{0xBF, 51}},
		{"-1", []byte{0x3E, 100, 102}},
		{"-123", []byte{0x3D, 100, 78, 102}},
		{"1e125", []byte{0xFF, 11}},
		{"1e-130", []byte{0x80, 2}},
		{"-1e-130", []byte{0x7F, 100, 102}},
		{"-1e125", []byte{0x00, 91, 102}},
	}
	for _, tt := range tests {
		if got := AppendKey(nil, mustNumber(t, tt.text)); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: got % x, want % x", tt.text, got, tt.want)
		}
	}
	longest := AppendKey(nil, mustNumber(t, "-1234567890123456789012345678901234567.8"))
	if len(longest) != 21 || longest[20] == negativeEnd {
		t.Errorf("the longest number has key % x", longest)
	}
}

func TestCompareNumbersDoesNotAllocate(t *testing.T) {
	a, b := mustNumber(t, "-123.456"), mustNumber(t, "-123.457")
	if n := testing.AllocsPerRun(100, func() { Compare(a, b); Equal(a, b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestParameterFaults holds the texts of behaviours/09 §9.5.
func TestParameterFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                notANumber,
		"abc":             notANumber + ": abc",
		"1e126":           overflowText,
		"1e2147483647":    underflowText,
		"1e2147483648":    notANumber + ": 1e2147483648",
		"1e-2147483648":   notANumber + ": 1e-2147483648",
		"1.5e-2147483647": notANumber + ": 1.5e-2147483647",
		"1e99999999999":   notANumber + ": 1e99999999999",
		"-1e99999999999":  notANumber + ": -1e99999999999",
		"1e-99999999999":  notANumber + ": 1e-99999999999",
	} {
		_, fault := NumberValue(text)
		if fault == nil || fault.Parameter() != want {
			t.Errorf("%s: %v, want %s", text, fault, want)
		}
	}
}
