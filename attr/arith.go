package attr

// Add is the sum of two numbers. The fault is an overflow or an underflow; a
// sum with more than 38 digits is reported as an overflow, as the service does
// (behaviours/03 §3.2). For values that are not numbers it is a missing value.
func Add(a, b Value) (Value, *Fault) { return sum(a, b, false) }

// Subtract is the difference a - b, with the faults of Add.
func Subtract(a, b Value) (Value, *Fault) { return sum(a, b, true) }

func sum(a, b Value, negate bool) (Value, *Fault) {
	if a.Type() != N || b.Type() != N {
		return Value{}, nil
	}
	var x, y decimal
	if fault := x.parse(a.raw()); fault != nil {
		return Value{}, fault
	}
	if fault := y.parse(b.raw()); fault != nil {
		return Value{}, fault
	}
	if negate && y.n > 0 {
		y.neg = !y.neg
	}
	if fault := x.add(&y); fault != nil {
		return Value{}, fault
	}
	return Value{string(append(x.append([]byte(`{"N":"`)), `"}`...))}, nil
}

// last is the exponent of the last digit.
func (d *decimal) last() int { return d.exp - d.n + 1 }

// add adds y to d.
func (d *decimal) add(y *decimal) *Fault {
	if y.n == 0 {
		return nil
	}
	if d.n == 0 {
		*d = *y
		return nil
	}
	// One line of digits from the higher first digit to the lower last one.
	// When it takes more than 39 the two numbers lie so far apart that even
	// a borrow leaves more than 38.
	high, low := max(d.exp, y.exp), min(d.last(), y.last())
	if high-low+1 > maxDigits+1 {
		return overflowFault()
	}
	if d.neg == y.neg {
		d.addMagnitude(y, high, low)
	} else {
		if d.compareMagnitude(y) < 0 {
			smaller := *d
			*d, y = *y, &smaller
		}
		d.subtractMagnitude(y, high, low)
	}
	switch {
	case d.n == 0:
		*d = decimal{}
	case d.n > maxDigits || d.exp > maxExponent:
		return overflowFault()
	case d.exp < minExponent:
		return underflowFault()
	}
	return nil
}

// digit is the value of the digit with an exponent, 0 outside the number.
func (d *decimal) digit(exponent int) byte {
	if i := d.exp - exponent; 0 <= i && i < d.n {
		return d.digits[i] - '0'
	}
	return 0
}

func (d *decimal) compareMagnitude(y *decimal) int {
	if d.exp != y.exp {
		return d.exp - y.exp
	}
	for e := d.exp; e >= min(d.last(), y.last()); e-- {
		if a, b := d.digit(e), y.digit(e); a != b {
			return int(a) - int(b)
		}
	}
	return 0
}

// addMagnitude adds digit by digit, from the last one up.
func (d *decimal) addMagnitude(y *decimal, high, low int) {
	sum := decimal{neg: d.neg, exp: high + 1, n: high - low + 2}
	var carry byte
	for e := low; e <= high+1; e++ {
		v := d.digit(e) + y.digit(e) + carry
		carry = v / 10
		sum.digits[sum.exp-e] = '0' + v%10
	}
	sum.trim()
	*d = sum
}

// subtractMagnitude subtracts digit by digit. y is not larger than d.
func (d *decimal) subtractMagnitude(y *decimal, high, low int) {
	sum := decimal{neg: d.neg, exp: high, n: high - low + 1}
	var borrow byte
	for e := low; e <= high; e++ {
		v := 10 + d.digit(e) - y.digit(e) - borrow
		borrow = 1 - v/10
		sum.digits[sum.exp-e] = '0' + v%10
	}
	sum.trim()
	*d = sum
}

// trim drops zeros at both ends.
func (d *decimal) trim() {
	for d.n > 0 && d.digits[d.n-1] == '0' {
		d.n--
	}
	lead := 0
	for lead < d.n && d.digits[lead] == '0' {
		lead++
	}
	copy(d.digits[:], d.digits[lead:d.n])
	d.n -= lead
	d.exp -= lead
}
