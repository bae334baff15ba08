package conformance

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Mask replaces the values of attributes by others, the same value always by the same. Which values are equal is kept,
// and the length of numbers; order and prefixes are not, so that a masked capture replays queries by range or prefix
// differently. Names of tables and attributes, and the texts of expressions, stay.
type Mask struct {
	key  []byte
	mu   sync.Mutex // guards seen
	seen map[string]string
}

// NewMask makes a mask with a key of its own, which is nowhere kept.
func NewMask() *Mask { return &Mask{key: []byte(rand.Text()), seen: map[string]string{}} }

// maskedLength is the length of a masked string.
const maskedLength = 12

// Exchange masks an exchange.
func (m *Mask) Exchange(e Exchange) Exchange {
	e.Request = m.body(e.Request)
	e.Response = m.body(e.Response)
	return e
}

func (m *Mask) body(js json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(js, &v) != nil {
		return js
	}
	out, err := json.Marshal(m.value(v))
	if err != nil {
		return js
	}
	return out
}

// value masks what looks like an attribute value: an object whose only member is the tag of a type. Messages lose the
// values that were masked before.
func (m *Mask) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			switch {
			case len(v) == 1 && (k == "S" || k == "N" || k == "B"):
				out[k] = m.scalar(k, e)
			case len(v) == 1 && isSet(k):
				out[k] = m.set(k, e)
			case k == "message" || k == "Message":
				out[k] = m.message(e)
			default:
				out[k] = m.value(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = m.value(e)
		}
		return out
	default:
		return v
	}
}

func (m *Mask) set(tag string, v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = m.scalar(tag[:1], e)
	}
	return out
}

func (m *Mask) scalar(tag string, v any) any {
	s, ok := v.(string)
	if !ok || s == "" {
		return v
	}
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(tag + s))
	sum := mac.Sum(nil)
	masked := ""
	switch tag {
	case "S":
		masked = hex.EncodeToString(sum)[:maskedLength]
	case "B":
		masked = base64.StdEncoding.EncodeToString(sum[:9])
	case "N":
		masked = maskedNumber(s, sum)
	}
	m.mu.Lock()
	m.seen[s] = masked
	m.mu.Unlock()
	return masked
}

// maskedNumber replaces the digits of a number, and leaves its sign, point and exponent where they are.
func maskedNumber(s string, sum []byte) string {
	out := []byte(s)
	exponent := false
	for i, c := range out {
		exponent = exponent || c == 'e' || c == 'E'
		if c >= '0' && c <= '9' && !exponent {
			out[i] = '1' + sum[i%len(sum)]%9
		}
	}
	return string(out)
}

// message replaces values that were masked in what an error says about them.
func (m *Mask) message(v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, value := range slices.Sorted(maps.Keys(m.seen)) {
		if len(value) > 3 {
			s = strings.ReplaceAll(s, value, m.seen[value])
		}
	}
	return s
}
