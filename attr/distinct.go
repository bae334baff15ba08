package attr

import (
	"bytes"
	"slices"
)

// distinct watches that no two names of a map, or members of a set, are equal.
// It uses the decoder's stack of names; end takes its part off again.
type distinct struct {
	d    *Decoder
	base int
	mask uint64 // a bit for each hash seen
}

// fewNames is how many names are compared one with all. More are sorted.
const fewNames = 32

func (d *Decoder) distinct() distinct { return distinct{d: d, base: len(d.names)} }

// add is false when the text was there before. With many texts only end finds
// out.
func (u *distinct) add(text span) bool {
	d := u.d
	s := d.buf[text.name:text.val]
	seen := d.names[u.base:]
	d.names = append(d.names, text)
	if len(seen) >= fewNames {
		return true
	}
	hash := uint64(len(s)) * 31
	if len(s) > 0 {
		hash += uint64(s[0]) + uint64(s[len(s)-1])*7
	}
	bit := uint64(1) << (hash % 64)
	if u.mask&bit == 0 {
		u.mask |= bit
		return true
	}
	for _, other := range seen {
		if other.val-other.name == uint32(len(s)) && bytes.Equal(d.buf[other.name:other.val], s) {
			return false
		}
	}
	return true
}

func (u *distinct) end() bool {
	d := u.d
	seen := d.names[u.base:]
	d.names = d.names[:u.base]
	if len(seen) <= fewNames {
		return true
	}
	compare := func(a, b span) int {
		return bytes.Compare(d.buf[a.name:a.val], d.buf[b.name:b.val])
	}
	slices.SortFunc(seen, compare)
	for i := 1; i < len(seen); i++ {
		if compare(seen[i-1], seen[i]) == 0 {
			return false
		}
	}
	return true
}
