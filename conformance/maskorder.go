package conformance

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// orderMask replaces byte strings by longer ones so that order, equality and prefixes stay what they are: a < b and "a
// begins b" hold after masking if, and only if, they held before. A byte becomes a number of a larger range, by a map
// that rises and differs for each prefix. The maps come from the key, so nothing has to be remembered.
//
// Any mask that keeps order tells something by it: who knows many pairs of values and masks can narrow down the rest.
type orderMask struct {
	key  []byte
	in   int // values of a byte
	out  int // values that stand for one
	emit func(dst []byte, code int) []byte
}

// prefixSeed is a prefix as the seed of its map.
type prefixSeed [sha256.Size]byte

func (m *orderMask) root() prefixSeed { return sha256.Sum256(m.key) }

func (s prefixSeed) next(c int) prefixSeed {
	var b [sha256.Size + 2]byte
	copy(b[:], s[:])
	binary.BigEndian.PutUint16(b[sha256.Size:], uint16(c))
	return sha256.Sum256(b[:])
}

// apply masks a byte string.
func (m *orderMask) apply(dst, s []byte) []byte {
	seed := m.root()
	for _, c := range s {
		dst = m.emit(dst, seed.rising(int(c), 0, m.in, 0, m.out))
		seed = seed.next(int(c))
	}
	return dst
}

// rising returns the image of c under a map of [lo, hi) into [a, b) that rises. It halves the first range and cuts the
// second at random, until one value is left; cuts at any place hide best how far from the edge a value is.
func (s prefixSeed) rising(c, lo, hi, a, b int) int {
	random := binary.BigEndian.Uint64(s[:8])
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		left, right := mid-lo, hi-mid
		cut := a + left + int(random%uint64(b-a-left-right+1))
		if c < mid {
			hi, b = mid, cut
			random = scramble(random)
		} else {
			lo, a = mid, cut
			random = scramble(^random)
		}
	}
	return a + int(random%uint64(b-a))
}

// scramble is the finaliser of SplitMix64.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const letters62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// textMask turns each byte of a text into two letters or digits. The bytes of UTF-8 sort as the service sorts strings.
func textMask(key []byte) *orderMask {
	return &orderMask{key: append([]byte("text "), key...), in: 256, out: 62 * 62, emit: func(dst []byte, code int) []byte {
		return append(dst, letters62[code/62], letters62[code%62])
	}}
}

// binaryMask turns each byte into two.
func binaryMask(key []byte) *orderMask {
	return &orderMask{key: append([]byte("binary "), key...), in: 256, out: 1 << 16, emit: func(dst []byte, code int) []byte {
		return append(dst, byte(code>>8), byte(code))
	}}
}

// decimal is a number as the digits behind "0." and a power of ten. The first and the last digit aren't 0. Zero has no
// digits.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// parseDecimal reads a number of DynamoDB. ok is false for another text.
func parseDecimal(s string) (d decimal, ok bool) {
	if len(s) > 400 {
		return d, false
	}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		d.negative = s[0] == '-'
		s = s[1:]
	}
	mantissa, power := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		if power, ok = smallInt(s[i+1:]); !ok {
			return d, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	if all == "" || strings.Trim(all, "0123456789") != "" {
		return d, false
	}
	d.exponent = len(whole) + power
	d.digits = strings.TrimLeft(all, "0")
	d.exponent -= len(all) - len(d.digits)
	if d.digits = strings.TrimRight(d.digits, "0"); d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// smallInt reads an exponent.
func smallInt(s string) (n int, ok bool) {
	if len(s) > 4 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// String prints the number as the service does: without a power of ten.
func (d decimal) String() string {
	sign := ""
	if d.negative {
		sign = "-"
	}
	n := len(d.digits)
	switch {
	case n == 0:
		return "0"
	case d.exponent >= n:
		return sign + d.digits + strings.Repeat("0", d.exponent-n)
	case d.exponent > 0:
		return sign + d.digits[:d.exponent] + "." + d.digits[d.exponent:]
	default:
		return sign + "0." + strings.Repeat("0", -d.exponent) + d.digits
	}
}

// The largest numbers that a mask can change: a masked number has twice the digits and twice the power of ten, and the
// service reads 38 digits and powers up to 125.
const (
	maxMaskedPower  = 60
	maxMaskedDigits = 18 // digits that are masked; two more are kept as they are
)

// masked returns a number that stands for d, in the same order among others, whole if d is. cut says that digits were
// lost, kept that the number is too large or too small and stays what it is.
func (d decimal) masked(key []byte) (out decimal, cut, kept bool) {
	if d.digits == "" {
		return d, false, false
	}
	if d.exponent > maxMaskedPower || d.exponent < -maxMaskedPower {
		return d, false, true
	}
	seed := (&orderMask{key: append([]byte("number "), key...)}).root()
	seed = seed.next(d.exponent + maxMaskedPower)
	var b []byte
	for i := 0; i < min(len(d.digits), maxMaskedDigits); i++ {
		digit := int(d.digits[i] - '0')
		code := 0
		if i == 0 {
			code = seed.rising(digit, 1, 10, 10, 100)
		} else {
			code = seed.rising(digit, 0, 10, 0, 100)
		}
		b = append(b, '0'+byte(code/10), '0'+byte(code%10))
		seed = seed.next(digit)
	}
	if len(d.digits) > maxMaskedDigits {
		b = append(b, d.digits[maxMaskedDigits:min(len(d.digits), maxMaskedDigits+2)]...)
	}
	return decimal{d.negative, strings.TrimRight(string(b), "0"), 2 * d.exponent}, len(d.digits) > maxMaskedDigits+2, false
}
