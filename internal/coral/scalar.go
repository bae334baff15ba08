package coral

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// ReadNull passes over a null. It is false, and nothing is consumed, when the
// next value is another one.
func (c *Cursor) ReadNull() (bool, error) {
	if c.space() != 'n' {
		return false, nil
	}
	err := c.literal("null")
	return err == nil, err
}

// ReadBool reads a Boolean. Strings count too: true, 1, yes and false, 0, no,
// in any case.
func (c *Cursor) ReadBool() (bool, error) {
	switch c.Peek() {
	case True:
		return true, c.literal("true")
	case False:
		return false, c.literal("false")
	case String:
		start := c.pos
		s, err := c.ReadString()
		if err != nil {
			return false, err
		}
		switch {
		case strings.EqualFold(s, "true"), s == "1", strings.EqualFold(s, "yes"):
			return true, nil
		case strings.EqualFold(s, "false"), s == "0", strings.EqualFold(s, "no"):
			return false, nil
		}
		c.pos = start
		return false, &TypeError{"Unexpected token received from parser"}
	}
	return false, c.scalarMismatch("Boolean")
}

// ReadInt reads an integer. Fractions are floored; what int64 cannot hold
// becomes its largest or smallest value. class is the Java class that an error
// names: Short, Integer or Long.
func (c *Cursor) ReadInt(class string) (int64, error) {
	switch c.Peek() {
	case Int:
		text, err := c.number()
		if err != nil {
			return 0, err
		}
		n, _ := strconv.ParseInt(text, 10, 64) // the one error left is the range
		return n, nil
	case Frac:
		f, err := c.ReadFloat()
		if err != nil {
			return 0, err
		}
		return saturate(math.Floor(f)), nil
	}
	return 0, c.scalarMismatch(class)
}

func saturate(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// ReadFloat reads a Double. What float64 cannot hold becomes its largest or
// smallest value.
func (c *Cursor) ReadFloat() (float64, error) {
	switch c.Peek() {
	case Int, Frac:
		text, err := c.number()
		if err != nil {
			return 0, err
		}
		f, _ := strconv.ParseFloat(text, 64)
		return max(-math.MaxFloat64, min(f, math.MaxFloat64)), nil
	}
	return 0, c.scalarMismatch("Double")
}

// number reads a number and returns its text.
func (c *Cursor) number() (string, error) {
	s, i := c.text, c.pos
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := digits(s, i)
	if whole == i || s[i] == '0' && whole > i+1 {
		return "", c.syntax()
	}
	i = whole
	if i < len(s) && s[i] == '.' {
		end := digits(s, i+1)
		if end == i+1 {
			return "", c.syntax()
		}
		i = end
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		end := digits(s, i)
		if end == i {
			return "", c.syntax()
		}
		i = end
	}
	text := s[c.pos:i]
	c.pos = i
	return text, nil
}

// digits is the end of the run of digits that starts at i.
func digits(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// ReadBlob reads a blob: standard base64 with padding.
func (c *Cursor) ReadBlob() ([]byte, error) {
	text, err := c.ReadBase64()
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}

// ReadBase64 reads a blob and returns its base64 text, which is valid and
// canonical. It is a substring of the cursor's text when it holds no escapes.
func (c *Cursor) ReadBase64() (string, error) {
	switch c.Peek() {
	case True, False, Int, Frac:
		return "", &TypeError{notBase64}
	case Array:
		return "", collectionFound("class java.nio.ByteBuffer")
	case String:
	default:
		return "", c.scalarMismatch("Blob")
	}
	start := c.pos
	text, err := c.ReadString()
	if err == nil {
		err = checkBase64(text)
	}
	if _, bad := err.(*TypeError); bad {
		c.pos = start
	}
	return text, err
}

// checkBase64 returns a *TypeError unless s is canonical base64.
func checkBase64(s string) error {
	if canonicalBase64(s) {
		return nil
	}
	if n := utf16Len(s); n%4 != 0 { // Java counts UTF-16 units
		return &TypeError{"Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(n)}
	}
	return &TypeError{badPadding}
}

// canonicalBase64 tells whether s has whole groups of four, padding only at
// the end, and no stray bits before the padding.
func canonicalBase64(s string) bool {
	if len(s)%4 != 0 {
		return false
	}
	body := strings.TrimSuffix(s, "=")
	if len(body) < len(s) {
		body = strings.TrimSuffix(body, "=")
	}
	for i := range len(body) {
		if sextet[body[i]] == 0 {
			return false
		}
	}
	var stray byte // the bits of the last character that stand for no byte
	switch len(s) - len(body) {
	case 1:
		stray = 0x03
	case 2:
		stray = 0x0f
	default:
		return true
	}
	return (sextet[body[len(body)-1]]-1)&stray == 0
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// sextet holds the value of each base64 character plus one, 0 for the others.
var sextet = func() (table [256]byte) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i + 1)
	}
	return table
}()
