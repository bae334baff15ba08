package conformance

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mask replaces the values in traffic. The same value always gets the same mask, and among strings, among binaries and
// among numbers order stays what it is, as does what begins with what: sort keys and ranges behave as before. Types
// stay, empty values stay empty, whole numbers whole. Strings and binaries get twice as long, so sizes and capacity
// differ; sums don't add up, see MaskNumbers.
//
// What is masked: values of attributes wherever they are, literals of PartiQL statements, values of tags, account ids in
// ARNs, opaque tokens, and what an error message repeats of the request. What is not: names of tables, indexes and
// attributes, members of maps too, expressions, booleans, and how many elements something has. A body that is no JSON
// isn't written at all.
type Mask struct {
	key     []byte
	numbers MaskNumbers
	strings *orderMask
	binary  *orderMask
}

// MaskNumbers says what becomes of numbers. Their order stays in all cases.
type MaskNumbers uint8

// What becomes of numbers.
const (
	// NumbersHidden replaces them. Sums and differences no longer fit: an application that counts replays differently.
	NumbersHidden MaskNumbers = iota
	// NumbersKept leaves them as they are.
	NumbersKept
)

// ParseMaskNumbers reads "hide" or "keep".
func ParseMaskNumbers(s string) (n MaskNumbers, ok bool) {
	switch s {
	case "hide":
		return NumbersHidden, true
	case "keep":
		return NumbersKept, true
	default:
		return NumbersHidden, false
	}
}

// NewMask makes a mask. The same secret makes the same mask, so that captures can be compared with each other; who knows
// it can try out values. "" stands for a new secret that is kept nowhere.
func NewMask(secret string, numbers MaskNumbers) *Mask {
	if secret == "" {
		secret = rand.Text()
	}
	sum := sha256.Sum256([]byte("dynalite-go mask " + secret))
	return &Mask{key: sum[:], numbers: numbers, strings: textMask(sum[:]), binary: binaryMask(sum[:])}
}

// Exchange masks an exchange in place and returns what couldn't be masked without loss, one line each.
func (m *Mask) Exchange(e *Exchange) (notes []string) {
	run := &masking{m: m, echoes: map[string]string{}}
	had := len(e.Request) > 0
	e.Request = run.body(e.Request, "request")
	e.RequestLost = e.RequestLost || had && len(e.Request) == 0
	e.Response = run.body(e.Response, "response")
	e.Path = run.path(e.Path)
	e.Fault = run.message(e.Fault)
	for name, value := range e.RequestHeader {
		e.RequestHeader[name] = run.message(value)
	}
	delete(e.Header, "X-Amz-Crc32") // of a body that isn't kept
	return run.notes
}

// masking masks one exchange.
type masking struct {
	m      *Mask
	echoes map[string]string // values and their masks, for what messages repeat
	notes  []string
}

func (r *masking) notef(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *masking) body(body []byte, what string) []byte {
	if len(body) == 0 {
		return body
	}
	trimmed := bytes.TrimSpace(body)
	if !isJSONBody(trimmed) {
		r.notef("the %s is no JSON, %d bytes: not written", what, len(body))
		return nil
	}
	n, err := parseNode(trimmed)
	if err != nil {
		r.notef("the %s: %v: not written", what, err)
		return nil
	}
	r.node(n, false)
	return n.compact()
}

// path leaves out everything behind a question mark.
func (r *masking) path(p string) string {
	before, _, _ := strings.Cut(p, "?")
	return before
}

// valueTags are the member names of an attribute value.
var valueTags = []string{"S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"}

// isValue reports whether an object may be an attribute value, a wrong one too: all its members are tags.
func isValue(n *node) bool {
	return len(n.names) > 0 && !slices.ContainsFunc(n.names, func(name string) bool { return !slices.Contains(valueTags, name) })
}

// tokenMembers hold what only the endpoint understands. It may hold keys.
var tokenMembers = []string{"NextToken", "ShardIterator", "NextShardIterator"}

// itemMembers hold items, keys or attribute values. All that is below them is data, well formed or not.
var itemMembers = []string{"Item", "Items", "Key", "Keys", "ExpressionAttributeValues", "ExclusiveStartKey",
	"LastEvaluatedKey", "Attributes", "AttributeValueList", "ItemCollectionKey", "NewImage", "OldImage", "Parameters"}

// node masks all that is below a JSON value. Attribute values are known by their form, so that they are found wherever
// the API has them; inside says that everything here is data.
func (r *masking) node(n *node, inside bool) {
	switch n.kind {
	case listNode:
		for _, v := range n.list {
			r.node(v, inside)
		}
	case objectNode:
		if isValue(n) {
			for i, v := range n.list {
				r.value(n.names[i], v)
			}
			return
		}
		for i, name := range n.names {
			v := n.list[i]
			if v.kind == stringNode && !inside {
				r.member(n, name, v)
			} else {
				r.node(v, inside || v.kind != stringNode && slices.Contains(itemMembers, name))
			}
		}
	default:
		if inside {
			r.value("S", n)
		} else if n.kind == stringNode {
			n.text = r.m.accounts(n.text)
		}
	}
}

// member masks a text outside of items.
func (r *masking) member(of *node, name string, v *node) {
	isTag := len(of.names) == 2 && of.member("Key") != nil && of.member("Value") != nil
	switch {
	case isTag && name == "Value":
		v.text = r.text(v.text)
	case name == "Statement":
		v.text = r.statement(v.text)
	case slices.Contains(tokenMembers, name):
		v.text = r.token(v.text)
	case strings.EqualFold(name, "message"):
		v.text = r.message(v.text)
	default:
		v.text = r.m.accounts(v.text)
	}
}

// value masks what stands at the tag of an attribute value, whether or not that is its type.
func (r *masking) value(tag string, v *node) {
	switch {
	case v.kind == objectNode:
		r.node(v, true)
	case v.kind == listNode:
		for _, e := range v.list {
			r.value(tag[:1], e) // of SS, NS, BS the type of an element
		}
	case v.kind == scalarNode && !strings.ContainsAny(v.text, "0123456789"):
	case v.kind == scalarNode || tag == "N":
		v.text = r.number(v.text)
	case tag == "B":
		v.text = r.base64(v.text)
	default:
		v.text = r.text(v.text)
	}
}

// maxEcho is the longest value that is looked for in messages.
const maxEcho = 1024

func (r *masking) remember(value, masked string) string {
	if value != "" && len(value) <= maxEcho {
		r.echoes[value] = masked
	}
	return masked
}

func (r *masking) text(s string) string {
	return r.remember(s, string(r.m.strings.apply(nil, []byte(s))))
}

func (r *masking) number(s string) string {
	if r.m.numbers == NumbersKept {
		return s
	}
	d, ok := parseDecimal(s)
	if !ok {
		if s == "" {
			return ""
		}
		return r.remember(s, "x"+string(r.m.strings.apply(nil, []byte(s)))) // no number before, none after
	}
	masked, cut, kept := d.masked(r.m.key)
	if cut {
		r.notef("a number of %d digits lost the last of them", len(d.digits))
	}
	if kept {
		r.notef("a number of size 1E%+d is not masked", d.exponent)
		return s
	}
	return r.remember(s, masked.String())
}

func (r *masking) base64(s string) string {
	plain, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return r.remember(s, "-"+string(r.m.strings.apply(nil, []byte(s)))) // no base64 before, none after
	}
	return r.remember(s, base64.StdEncoding.EncodeToString(r.m.binary.apply(nil, plain)))
}

// token replaces what only the endpoint understands by a hash.
func (r *masking) token(s string) string {
	sum := sha256.Sum256(append(append([]byte("token "), r.m.key...), s...))
	return r.remember(s, "masked-"+hex.EncodeToString(sum[:12]))
}

var arnAccount = lazyRegexp(`(arn:[a-z-]+:[a-z0-9-]*:[a-z0-9-]*:)([0-9]{12})\b`)

// accounts replaces the account ids of ARNs.
func (m *Mask) accounts(s string) string {
	if !strings.Contains(s, "arn:") {
		return s
	}
	return arnAccount().ReplaceAllStringFunc(s, func(found string) string {
		parts := arnAccount().FindStringSubmatch(found)
		sum := sha256.Sum256(append(append([]byte("account "), m.key...), parts[2]...))
		digits := make([]byte, len(parts[2]))
		for i := range digits {
			digits[i] = '0' + sum[i]%10
		}
		return parts[1] + string(digits)
	})
}

// message masks what a message repeats of the request: whole words that are values of it. A short word of letters
// counts only behind a bracket, a quotation mark or a colon, since it may be one of the message's own.
func (r *masking) message(s string) string {
	s = r.m.accounts(s)
	values := slices.SortedFunc(maps.Keys(r.echoes), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	var b strings.Builder
	for at := 0; at < len(s); {
		i := slices.IndexFunc(values, func(v string) bool { return isEcho(s, at, v) })
		if i < 0 {
			b.WriteByte(s[at])
			at++
			continue
		}
		b.WriteString(r.echoes[values[i]])
		at += len(values[i])
	}
	return b.String()
}

// shortWord is the longest word that messages use so often that it needs a hint to count as a value.
const shortWord = 3

func isEcho(s string, at int, value string) bool {
	if !strings.HasPrefix(s[at:], value) {
		return false
	}
	before, after := byte(' '), byte(' ')
	if at > 0 {
		before = s[at-1]
	}
	if end := at + len(value); end < len(s) {
		after = s[end]
	}
	if isWordByte(before) && isWordByte(value[0]) || isWordByte(after) && isWordByte(value[len(value)-1]) {
		return false
	}
	if len(value) > shortWord {
		return true
	}
	return strings.IndexByte(`[{('":`, before) >= 0 || strings.HasSuffix(s[:at], ": ") || strings.HasSuffix(s[:at], "[") ||
		strings.HasSuffix(s[:at], ", ")
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
