package attr

import (
	"iter"
	"strings"
)

// Item is an item, or a part of one, such as a key. It never changes. A nil
// *Item means "no item"; it has no attributes.
type Item struct {
	text  string
	attrs []span
	size  int
}

// span is where a top-level attribute stands in the text: the offset of the
// first byte of its name and that of its value. Its end follows from the start
// of the next one.
type span struct{ name, val uint32 }

// Len is the number of attributes.
func (it *Item) Len() int {
	if it == nil {
		return 0
	}
	return len(it.attrs)
}

// Size is the size in bytes as the service counts it, behaviours/03 §3.5:
// names and values. It is known without any work.
func (it *Item) Size() int {
	if it == nil {
		return 0
	}
	return it.size
}

// Depth is how many levels the attributes nest: 0 without attributes, 1 when
// all are scalars or sets.
func (it *Item) Depth() int { return brackets(it.Text()) / 2 }

// Text is the item as canonical DynamoDB JSON, "{}" for a nil item.
func (it *Item) Text() string {
	if it == nil {
		return "{}"
	}
	return it.text
}

// String is Text, for messages of tests and tools.
func (it *Item) String() string { return it.Text() }

// AppendJSON appends Text.
func (it *Item) AppendJSON(dst []byte) []byte { return append(dst, it.Text()...) }

// name is the inside of the name of attribute i.
func (it *Item) name(i int) string {
	s := it.attrs[i]
	return it.text[s.name : s.val-uint32(len(`":`))]
}

// value is the value of attribute i.
func (it *Item) value(i int) Value {
	end := len(it.text) - len(`}`)
	if i+1 < len(it.attrs) {
		end = int(it.attrs[i+1].name) - len(`,"`)
	}
	return Value{it.text[it.attrs[i].val:end]}
}

// At is attribute i in the order of arrival. It is a missing value when i is
// out of range.
func (it *Item) At(i int) (name string, v Value) {
	if i < 0 || i >= it.Len() {
		return "", Value{}
	}
	return unescape(it.name(i)), it.value(i)
}

// All are the attributes in the order of arrival.
func (it *Item) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range it.Len() {
			if !yield(unescape(it.name(i)), it.value(i)) {
				return
			}
		}
	}
}

// Lookup is the top-level attribute with a name.
func (it *Item) Lookup(name string) (Value, bool) {
	// A name without escapes is found as it stands. A match with a backslash
	// would be another name in escaped form.
	i := it.find(name)
	if i >= 0 && strings.IndexByte(name, '\\') < 0 {
		return it.value(i), true
	}
	if escapeIndex(name) < len(name) {
		return it.lookup(escape(name))
	}
	return Value{}, false
}

func (it *Item) lookup(raw string) (Value, bool) {
	if i := it.find(raw); i >= 0 {
		return it.value(i), true
	}
	return Value{}, false
}

// find is the position of the attribute with the escaped name, or -1.
func (it *Item) find(raw string) int {
	if it == nil {
		return -1
	}
	for i, s := range it.attrs {
		if int(s.val-s.name) == len(raw)+len(`":`) && it.text[s.name:int(s.name)+len(raw)] == raw {
			return i
		}
	}
	return -1
}

// EqualItems compares two items: by names without order, and by values as
// Equal does. A nil item equals nil items only.
func EqualItems(a, b *Item) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a == b || a.text == b.text {
		return true
	}
	if len(a.attrs) != len(b.attrs) || a.size != b.size {
		return false
	}
	for i := range a.attrs {
		if a.name(i) != b.name(i) {
			return equalMaps(walker{a.text, 1}, walker{b.text, 1})
		}
		if !Equal(a.value(i), b.value(i)) {
			return false
		}
	}
	return true
}

// Sum is a checksum that equal items share, whatever the order of their names
// and set members: that of the bytes of the text. It is never 0.
func (it *Item) Sum() uint32 {
	text := it.text
	sum := uint32(1)
	for len(text) >= 16 {
		// Four columns of 16 bits take 128 words without a carry.
		n := min(len(text)/16, 64)
		var columns uint64
		for i := 0; i < 16*n; i += 16 {
			v, w := word(text[i:i+8]), word(text[i+8:i+16])
			columns += v&evenBytes + v>>8&evenBytes + w&evenBytes + w>>8&evenBytes
		}
		sum += uint32(columns&0xffff + columns>>16&0xffff + columns>>32&0xffff + columns>>48)
		text = text[16*n:]
	}
	for i := range len(text) {
		sum += uint32(text[i])
	}
	return sum
}

const evenBytes = 0x00ff_00ff_00ff_00ff

// word reads eight bytes in one load.
func word(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Equal is the function EqualItems as a method, so that go-cmp finds it.
func (it *Item) Equal(other *Item) bool { return EqualItems(it, other) }

// builder writes the text of an item, attribute by attribute.
type builder struct {
	text  strings.Builder
	attrs []span
	size  int // left to the caller
}

// init takes an upper bound of the text's length and of the attributes.
func (b *builder) init(bytes, attrs int) {
	if attrs > 0 {
		b.attrs = make([]span, 0, attrs)
	}
	b.text.Grow(bytes)
	b.text.WriteByte('{')
}

func (b *builder) begin(name string) {
	if len(b.attrs) > 0 {
		b.text.WriteByte(',')
	}
	b.text.WriteByte('"')
	at := uint32(b.text.Len())
	b.text.WriteString(name)
	b.text.WriteString(`":`)
	b.attrs = append(b.attrs, span{at, uint32(b.text.Len())})
}

// add adds an attribute by its escaped name.
func (b *builder) add(name string, v Value) {
	b.begin(name)
	b.text.WriteString(v.text)
}

// item ends the item. The text is copied when much of its memory would stay
// unused, for items live long.
func (b *builder) item() *Item {
	b.text.WriteByte('}')
	text := b.text.String()
	if spare := b.text.Cap() - len(text); spare > 16 && spare > len(text)/8 {
		text = strings.Clone(text)
	}
	attrs := b.attrs
	if len(attrs) < cap(attrs) {
		attrs = append(make([]span, 0, len(attrs)), attrs...)
	}
	return &Item{text: text, attrs: attrs, size: b.size}
}

// index makes an item of text that is canonical.
func index(text string) *Item {
	it := &Item{text: text}
	n := 0
	for w := (walker{text, 1}); w.skip(); n++ {
	}
	if n == 0 {
		return it
	}
	it.attrs = make([]span, 0, n)
	for w := (walker{text, 1}); w.more(); {
		at := uint32(w.pos + 1)
		name, _ := w.member()
		w.pos++
		it.attrs = append(it.attrs, span{at, uint32(w.pos)})
		var size int
		size, w.pos = measure(text, w.pos)
		it.size += byteLen(name) + size
	}
	return it
}
