package lambdastream

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

const maxNumber = math.MaxFloat64

// partKind is the kind of a part of a record, in the JSON in which a function gets it. The first ones are objects.
type partKind uint8

const (
	partMissing partKind = iota
	partRecord
	partChange // the member dynamodb
	partIdentity
	partItem  // keys or an image
	partValue // an attribute value, {"S": "…"}
	partMap   // inside of an M
	partList  // inside of an L
	partSet   // inside of an SS, NS or BS
	partText
	partNumber
	partBool
	partNull // no record has one
)

// part is a part of a record. It is not built, but looked up on the way that a pattern takes.
type part struct {
	kind partKind
	rec  *api.Record
	arn  string // of the stream
	item *attr.Item
	val  attr.Value
	text string // of a text, number or boolean
}

func textPart(s string) part { return part{kind: partText, text: s} }

func numberPart(n int64) part { return part{kind: partNumber, text: strconv.FormatInt(n, 10)} }

func itemPart(it *attr.Item) part {
	if it == nil {
		return part{}
	}
	return part{kind: partItem, item: it}
}

// matches reports whether a record matches the pattern.
func (p *pattern) matches(rec *api.Record, streamARN string) bool {
	return p.root.matches(part{kind: partRecord, rec: rec, arn: streamARN})
}

// matches reports whether an object is like the node. Something that is no object has no members.
func (n *node) matches(v part) bool {
	for i := range n.fields {
		if !n.fields[i].matches(v.member(n.fields[i].name)) {
			return false
		}
	}
	for _, group := range n.anyOf {
		if !anyMatches(group, v) {
			return false
		}
	}
	return true
}

func anyMatches(group []*node, v part) bool {
	for _, n := range group {
		if n.matches(v) {
			return true
		}
	}
	return false
}

func (f *field) matches(v part) bool {
	if f.below == nil {
		for i := range f.rules {
			if f.rules[i].matches(v) {
				return true
			}
		}
		return false
	}
	if v.kind != partList {
		return f.below.matches(v)
	}
	// Of a list one element must match, whole. An empty one is not there.
	if v.val.Len() == 0 {
		return f.below.matches(part{})
	}
	for e := range v.val.Elements() {
		if f.below.matches(part{kind: partValue, val: e}) {
			return true
		}
	}
	return false
}

// matches reports whether a value obeys the rule. Of a set, one member must.
func (r *rule) matches(v part) bool {
	if r.op == opExists {
		// Objects and lists of objects are not there: exists looks at leaves only.
		there := v.leaf()
		for range v.members() {
			there = true
			break
		}
		return there == r.wanted
	}
	if v.leaf() {
		return r.accepts(v)
	}
	for m := range v.members() {
		if r.accepts(m) {
			return true
		}
	}
	return false
}

// accepts reports whether a leaf obeys the rule.
func (r *rule) accepts(v part) bool {
	switch r.op {
	case opPrefix:
		return v.kind == partText && strings.HasPrefix(v.text, r.text)
	case opSuffix:
		return v.kind == partText && strings.HasSuffix(v.text, r.text)
	case opIgnoreCase:
		return v.kind == partText && strings.EqualFold(v.text, r.text)
	case opNumeric:
		return v.kind == partNumber && r.within(v.text)
	case opAnythingBut:
		for i := range r.not {
			if r.not[i].accepts(v) {
				return false
			}
		}
		return true
	}
	// Numbers are compared as text, as the service does: 300 is not 300.0.
	return v.kind == r.kind && v.text == r.text
}

func (r *rule) within(text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	return (x > r.low || x == r.low && !r.lowOpen) && (x < r.high || x == r.high && !r.highOpen)
}

// leaf reports whether the part is neither missing nor an object nor a list.
func (v part) leaf() bool { return v.kind >= partText }

// members are the members of a set.
func (v part) members() iter.Seq[part] {
	return func(yield func(part) bool) {
		if v.kind != partSet {
			return
		}
		for e := range v.val.Elements() {
			if !yield(scalarPart(e)) {
				return
			}
		}
	}
}

// scalarPart is the inside of an S, N or B.
func scalarPart(v attr.Value) part {
	switch v.Type() {
	case attr.S:
		return textPart(v.Str())
	case attr.N:
		return textPart(v.NumberText())
	}
	// The inside of a B is base64, which needs no escapes.
	text := v.Text()
	return textPart(text[len(`{"B":"`) : len(text)-len(`"}`)])
}

// member is a member of an object.
func (v part) member(name string) part {
	switch v.kind {
	case partRecord:
		return v.ofRecord(name)
	case partChange:
		return v.ofChange(name)
	case partIdentity:
		switch name {
		case "type":
			return textPart(v.rec.UserIdentity.Type)
		case "principalId":
			return textPart(v.rec.UserIdentity.PrincipalID)
		}
	case partItem:
		if a, ok := v.item.Lookup(name); ok {
			return part{kind: partValue, val: a}
		}
	case partMap:
		if a, ok := v.val.Field(name); ok {
			return part{kind: partValue, val: a}
		}
	case partValue:
		if v.val.Type().String() == name {
			return inside(v.val)
		}
	}
	return part{}
}

func (v part) ofRecord(name string) part {
	switch name {
	case "eventID":
		return textPart(v.rec.EventID)
	case "eventName":
		return textPart(v.rec.EventName)
	case "eventVersion":
		return textPart(v.rec.EventVersion)
	case "eventSource":
		return textPart(v.rec.EventSource)
	case "awsRegion":
		return textPart(v.rec.AWSRegion)
	case "eventSourceARN":
		return textPart(v.arn)
	case "dynamodb":
		return part{kind: partChange, rec: v.rec}
	case "userIdentity":
		if v.rec.UserIdentity != nil {
			return part{kind: partIdentity, rec: v.rec}
		}
	}
	return part{}
}

func (v part) ofChange(name string) part {
	switch name {
	case "ApproximateCreationDateTime":
		return numberPart(v.rec.ApproximateCreationDateTime.Unix())
	case "Keys":
		return itemPart(v.rec.Keys)
	case "NewImage":
		return itemPart(v.rec.NewImage)
	case "OldImage":
		return itemPart(v.rec.OldImage)
	case "SequenceNumber":
		return textPart(v.rec.SequenceNumber)
	case "SizeBytes":
		return numberPart(v.rec.SizeBytes)
	case "StreamViewType":
		return textPart(v.rec.StreamViewType)
	}
	return part{}
}

// inside is the value of the only member of an attribute value.
func inside(v attr.Value) part {
	switch v.Type() {
	case attr.BOOL:
		return part{kind: partBool, text: strconv.FormatBool(v.Bool())}
	case attr.NULL:
		return part{kind: partBool, text: "true"}
	case attr.L:
		return part{kind: partList, val: v}
	case attr.M:
		return part{kind: partMap, val: v}
	case attr.SS, attr.NS, attr.BS:
		return part{kind: partSet, val: v}
	}
	return scalarPart(v)
}
