package expr

import (
	"slices"

	"github.com/dynalite-go/dynalite/attr"
)

// Name is one entry of ExpressionAttributeNames.
type Name struct {
	Placeholder string // with its sigil: "#n"
	Target      string // the attribute name it stands for
}

// NamedValue is one entry of ExpressionAttributeValues.
type NamedValue struct {
	Placeholder string // with its sigil: ":v"
	Value       attr.Value
}

// Placeholders holds the two placeholder maps of one request, or of one
// action of a transaction, and remembers which of their entries were used.
// All expressions of the request are bound with the same Placeholders, one
// after the other; it is not safe for concurrent use. A nil *Placeholders has
// no entries.
type Placeholders struct {
	names      []Name
	values     []NamedValue
	usedNames  used
	usedValues used
	nameIndex  map[string]int
	valueIndex map[string]int
}

// NewPlaceholders keeps the slices, whose placeholders must be distinct. The
// maps' own faults (behaviours/04 §4.3) have been reported before.
func NewPlaceholders(names []Name, values []NamedValue) *Placeholders {
	p := &Placeholders{}
	p.Init(names, values)
	return p
}

// Init is NewPlaceholders for a Placeholders that is part of something else.
func (p *Placeholders) Init(names []Name, values []NamedValue) {
	*p = Placeholders{names: names, values: values}
	p.usedNames.grow(len(names))
	p.usedValues.grow(len(values))
	if len(names) > scanLimit {
		p.nameIndex = make(map[string]int, len(names))
		for i := range names {
			p.nameIndex[names[i].Placeholder] = i
		}
	}
	if len(values) > scanLimit {
		p.valueIndex = make(map[string]int, len(values))
		for i := range values {
			p.valueIndex[values[i].Placeholder] = i
		}
	}
}

// scanLimit is the number of entries up to which a walk over them is quicker
// than building a map.
const scanLimit = 12

// name finds the target of a # placeholder and marks it as used.
func (p *Placeholders) name(placeholder string) (string, bool) {
	if p == nil {
		return "", false
	}
	if p.nameIndex != nil {
		i, ok := p.nameIndex[placeholder]
		if !ok {
			return "", false
		}
		p.usedNames.set(i)
		return p.names[i].Target, true
	}
	for i := range p.names {
		if p.names[i].Placeholder == placeholder {
			p.usedNames.set(i)
			return p.names[i].Target, true
		}
	}
	return "", false
}

// value finds the value of a : placeholder and marks it as used.
func (p *Placeholders) value(placeholder string) (attr.Value, bool) {
	if p == nil {
		return attr.Value{}, false
	}
	if p.valueIndex != nil {
		i, ok := p.valueIndex[placeholder]
		if !ok {
			return attr.Value{}, false
		}
		p.usedValues.set(i)
		return p.values[i].Value, true
	}
	for i := range p.values {
		if p.values[i].Placeholder == placeholder {
			p.usedValues.set(i)
			return p.values[i].Value, true
		}
	}
	return attr.Value{}, false
}

// UnusedNames returns the # placeholders that no expression bound so far
// holds, sorted. Use is judged on the text (behaviours/04 §4.3). The result
// means something only after all expressions were bound without error.
func (p *Placeholders) UnusedNames() []string {
	if p == nil {
		return nil
	}
	var unused []string
	for i := range p.names {
		if !p.usedNames.has(i) {
			unused = append(unused, p.names[i].Placeholder)
		}
	}
	slices.Sort(unused)
	return unused
}

// UnusedValues is UnusedNames for the : placeholders.
func (p *Placeholders) UnusedValues() []string {
	if p == nil {
		return nil
	}
	var unused []string
	for i := range p.values {
		if !p.usedValues.has(i) {
			unused = append(unused, p.values[i].Placeholder)
		}
	}
	slices.Sort(unused)
	return unused
}

// used is a set of small numbers; the first 64 take no allocation.
type used struct {
	low  uint64
	high []uint64
}

func (u *used) grow(n int) {
	if n > 64 {
		u.high = make([]uint64, (n-1)/64)
	}
}

func (u *used) set(i int) {
	if i < 64 {
		u.low |= 1 << i
		return
	}
	u.high[i/64-1] |= 1 << (i % 64)
}

func (u *used) has(i int) bool {
	if i < 64 {
		return u.low&(1<<i) != 0
	}
	return u.high[i/64-1]&(1<<(i%64)) != 0
}

// PlaceholderKeyOK reports whether s is a sigil, # or :, with a body of
// letters, digits and underscores, and not too long (behaviours/04 §4.1,
// limits §4). That the sigil is the map's own is for the caller to see to.
func PlaceholderKeyOK(s string) bool {
	if len(s) < 2 || len(s) > MaxPlaceholderBytes || s[0] != '#' && s[0] != ':' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}
