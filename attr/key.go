package attr

// Key bytes have the order of the values: strings by UTF-8 bytes, binaries by
// bytes, numbers by value. Keys of different types are never compared.

// AppendKey appends the key bytes of an S, N or B. Nothing is appended for
// other types.
func AppendKey(dst []byte, v Value) []byte {
	switch v.Type() {
	case S:
		raw := v.raw()
		if !hasEscapes(raw) {
			return append(dst, raw...)
		}
		for len(raw) > 0 {
			b, n := nextByte(raw)
			dst = append(dst, b)
			raw = raw[n:]
		}
	case N:
		return appendNumberKey(dst, v.raw())
	case B:
		return appendBase64Decoded(dst, v.raw())
	}
	return dst
}

// Key is AppendKey as a string. For a string without escapes it is a part of
// the value's text and costs nothing.
func Key(v Value) string {
	if v.Type() == S {
		return v.Str()
	}
	var scratch [64]byte
	return string(AppendKey(scratch[:0], v))
}

// KeyBytes is the length of a key value that the limits of 2048 and 1024 bytes
// count: UTF-8 bytes, decoded binary, and for a number its size.
func KeyBytes(v Value) int {
	if !v.Type().IsScalar() {
		return 0
	}
	return v.Size()
}

// The key form of numbers, behaviours/06 §6.1: an exponent byte, then digits
// to the base 100, each stored plus one. Negative numbers have all of it
// complemented and end in a byte above any digit, so that a number comes after
// those it is the beginning of; the longest ones go without.
const (
	zeroKey       = 0x80
	exponentBias  = 0xC0
	negativeEnd   = 102
	longestDigits = (maxDigits + 2) / 2
)

// appendNumberKey appends the key bytes of a number in normal form.
func appendNumberKey(dst []byte, text string) []byte {
	var d decimal
	if d.parse(text) != nil || d.n == 0 {
		return append(dst, zeroKey)
	}
	exponent := d.exp + 1
	lead := exponent & 1 // a zero in front brings the exponent to an even number
	head := byte((exponent+lead)/2 + exponentBias)
	if d.neg {
		head = ^head
	}
	dst = append(dst, head)
	count := (d.n + lead + 1) / 2
	for i := range count {
		digit := 10*d.at(2*i-lead) + d.at(2*i+1-lead)
		if d.neg {
			digit = 101 - digit
		} else {
			digit++
		}
		dst = append(dst, digit)
	}
	if d.neg && count < longestDigits {
		dst = append(dst, negativeEnd)
	}
	return dst
}

// at is the value of digit i, 0 outside the number.
func (d *decimal) at(i int) byte { return d.digit(d.exp - i) }

// The self-delimiting form: a zero byte is followed by 0xFF, and the end is a
// zero followed by 1, which is below any continuation.
const (
	tupleZero = "\x00\xff"
	tupleEnd  = "\x00\x01"
)

// AppendTuple appends a part of a key of several attributes, given the key
// bytes of that attribute. The bytes of whole tuples have the order of the
// tuples.
func AppendTuple(dst []byte, part string) []byte {
	return append(AppendTuplePrefix(dst, part), tupleEnd...)
}

// AppendTuplePrefix is AppendTuple without the end: what the tuples begin with
// whose part begins with the given one.
func AppendTuplePrefix(dst []byte, part string) []byte {
	start := 0
	for i := range len(part) {
		if part[i] == 0 {
			dst = append(dst, part[start:i]...)
			dst = append(dst, tupleZero...)
			start = i + 1
		}
	}
	return append(dst, part[start:]...)
}
