package attr

import "math"

// The range of numbers, behaviours/03 §3.2: the exponents are those of the
// first significant digit.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// decimal is a number: 0.d1 d2 … dn × 10^(exp+1), where d1 and dn are not
// zero. Zero has no digits.
type decimal struct {
	neg    bool
	exp    int // of the first digit: 1 has 0, 0.01 has -2
	n      int
	digits [maxDigits + 2]byte // '0' to '9'; the two spare ones are for sums
}

// parse reads a number from a request. The checks come in the service's order:
// grammar, overflow, underflow, digits.
func (d *decimal) parse(text string) *Fault {
	i := 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		d.neg = text[i] == '-'
		i++
	}
	point, first, last, digits := -1, -1, -1, 0
	for ; i < len(text); i++ {
		b := text[i]
		if b == '.' && point < 0 {
			point = i
			continue
		}
		if b < '0' || b > '9' {
			break
		}
		digits++
		if b != '0' {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	if digits == 0 {
		return notANumberFault(text)
	}
	if point < 0 {
		point = i
	}
	exponent, ok := parseExponent(text[i:])
	if !ok {
		return notANumberFault(text)
	}
	if first < 0 {
		// The service refuses a zero like 0e126. Accepting all is harmless.
		*d = decimal{}
		return nil
	}
	d.exp = point - first + exponent
	if first < point {
		d.exp--
	}
	if fault := d.checkRange(exponent); fault != nil {
		if scale := max(i-point-1, 0) - exponent; !fits32(exponent) || !fits32(scale) {
			fault.parameter = notANumber + ": " + text
		}
		return fault
	}
	return d.take(text[first:last+1], point-first)
}

// parseExponent reads what follows the digits of a number. Exponents that
// matter to nobody any more stop at about 10^12.
func parseExponent(text string) (exponent int, ok bool) {
	if text == "" {
		return 0, true
	}
	if text[0]|0x20 != 'e' {
		return 0, false
	}
	text = text[1:]
	neg := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		neg = text[0] == '-'
		text = text[1:]
	}
	if text == "" {
		return 0, false
	}
	for i := range len(text) {
		b := text[i]
		if b < '0' || b > '9' {
			return 0, false
		}
		if exponent < 1e12 {
			exponent = exponent*10 + int(b-'0')
		}
	}
	if neg {
		exponent = -exponent
	}
	return exponent, true
}

// checkRange compares the magnitude with the range. exponent is the one that
// was written: where it fits 32 bits but the sum with the digits does not, the
// classic layer lets the sum wrap and reports an underflow.
func (d *decimal) checkRange(exponent int) *Fault {
	switch {
	case d.exp > maxExponent:
		fault := overflowFault()
		if exponent <= math.MaxInt32 && d.exp+1 > math.MaxInt32 {
			fault.classic, fault.current = underflowText, overflowText
		}
		return fault
	case d.exp < minExponent:
		return underflowFault()
	}
	return nil
}

func fits32(n int) bool { return math.MinInt32 <= n && n <= math.MaxInt32 }

// take copies the significant digits. point is the index of the point in text,
// when it has one there.
func (d *decimal) take(text string, point int) *Fault {
	d.n = len(text)
	if 0 < point && point < len(text) {
		d.n--
	}
	if d.n > maxDigits {
		return digitsFault()
	}
	if d.n == len(text) {
		copy(d.digits[:], text)
		return nil
	}
	copy(d.digits[:], text[:point])
	copy(d.digits[point:], text[point+1:])
	return nil
}

// zeros is as many as a number in normal form can need.
const zeros = "0000000000000000000000000000000000000000000000000000000000000000" +
	"0000000000000000000000000000000000000000000000000000000000000000" + "00"

// append appends the normal form: plain decimal text without an exponent and
// without zeros that say nothing.
func (d *decimal) append(dst []byte) []byte {
	if d.n == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	whole := d.exp + 1
	switch {
	case whole <= 0:
		dst = append(dst, "0."...)
		dst = append(dst, zeros[:-whole]...)
		return append(dst, d.digits[:d.n]...)
	case whole >= d.n:
		dst = append(dst, d.digits[:d.n]...)
		return append(dst, zeros[:whole-d.n]...)
	}
	dst = append(dst, d.digits[:whole]...)
	dst = append(dst, '.')
	return append(dst, d.digits[whole:d.n]...)
}

// size is the size that the number counts in an item, limits §3: a byte, and
// one for every two digits on each side of the point, and one for a minus
// sign. Zero takes one byte.
func (d *decimal) size() int {
	if d.n == 0 {
		return 1
	}
	whole := min(max(d.exp+1, 0), d.n)
	size := 1 + (whole+1)/2 + (d.n-whole+1)/2
	if d.neg {
		size++
	}
	return size
}

// appendNumber appends the normal form of a number from a request, and returns
// its size. After a fault nothing is appended.
func appendNumber(dst []byte, text string) (_ []byte, size int, _ *Fault) {
	var d decimal
	if fault := d.parse(text); fault != nil {
		return dst, 0, fault
	}
	return d.append(dst), d.size(), nil
}

// compareNumbers orders two numbers in normal form.
func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	an, bn := a[0] == '-', b[0] == '-'
	switch {
	case an && bn:
		return compareMagnitudes(b[1:], a[1:])
	case an:
		return -1
	case bn:
		return 1
	}
	return compareMagnitudes(a, b)
}

// compareMagnitudes compares by the number of digits before the point, then
// digit by digit. Where one text ends or has its point, the other has at least
// a digit if it goes on at all, so text order is number order.
func compareMagnitudes(a, b string) int {
	if n, m := wholeDigits(a), wholeDigits(b); n != m {
		return n - m
	}
	if a < b {
		return -1
	}
	return 1
}

func wholeDigits(s string) int {
	for i := range len(s) {
		if s[i] == '.' {
			return i
		}
	}
	return len(s)
}
