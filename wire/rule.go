package wire

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rule is one constraint of a member, with the way each layer of the service words it.
type rule struct {
	kind  ruleKind
	n     int64
	set   []string
	match func(string) bool
	text  string // "Member must …"

	classic, current wording
	currentText      string // of wordNameless
	whole            string // a whole message that the classic layer has in place of an entry

	stage, currentStage uint8
}

type ruleKind uint8

const (
	ruleRequired ruleKind = iota // the value is there
	ruleMatch                    // match holds for a string that is there
	ruleMin                      // length of strings and collections, value of numbers
	ruleMax
	ruleEnum
	ruleKeys   // match holds for the keys of a map
	ruleValues // lists in a map have lengths from 1 to n
	ruleEach   // strings in a list are not longer than n, nor empty if set is not nil
)

// wording is the form of an entry.
type wording uint8

const (
	wordEcho     wording = iota // Value 'x' at 'member' failed …
	wordQuiet                   // Value at 'Member' failed …
	wordNameless                // Failed …
)

// Patterns of the service's model.
const (
	namePattern = "[a-zA-Z0-9_.-]+"
	memberMatch = "Member must satisfy regular expression pattern: "
	memberMin   = "Member must have length greater than or equal to "
	memberMax   = "Member must have length less than or equal to "
)

func newRule(kind ruleKind, text string) rule {
	return rule{kind: kind, text: text, stage: stageMain, currentStage: stageMain}
}

// required is the rule of a member that must be there.
func required() rule { return newRule(ruleRequired, "Member must not be null") }

// minLength is the least length of a string, list or map.
func minLength(n int64) rule {
	r := newRule(ruleMin, memberMin+strconv.FormatInt(n, 10))
	r.n = n
	return r
}

// maxLength is the greatest length of a string, list or map.
func maxLength(n int64) rule {
	r := newRule(ruleMax, memberMax+strconv.FormatInt(n, 10))
	r.n = n
	return r
}

// minValue is the least value of a number.
func minValue(n int64) rule {
	r := newRule(ruleMin, "Member must have value greater than or equal to "+strconv.FormatInt(n, 10))
	r.n = n
	return r
}

// maxValue is the greatest value of a number.
func maxValue(n int64) rule {
	r := newRule(ruleMax, "Member must have value less than or equal to "+strconv.FormatInt(n, 10))
	r.n = n
	return r
}

// oneOf is an enumeration, in the order in which the service prints it.
func oneOf(values ...string) rule {
	r := newRule(ruleEnum, "Member must satisfy enum value set: ["+strings.Join(values, ", ")+"]")
	r.set = values
	return r
}

// matches is a regular expression of the model; match does its work.
func matches(pattern string, match func(string) bool) rule {
	r := newRule(ruleMatch, memberMatch+pattern)
	r.match = match
	return r
}

// eachLength bounds the lengths of the strings in a list.
func eachLength(least, most int64) rule {
	r := newRule(ruleEach, "Member must satisfy constraint: ["+memberMax+strconv.FormatInt(most, 10)+", "+
		memberMin+strconv.FormatInt(least, 10)+"]")
	r.n = most
	if least > 0 {
		r.set = []string{}
	}
	return r
}

// tableKeys is the rule of maps keyed by table.
func tableKeys() rule {
	r := newRule(ruleKeys, "Map keys must satisfy constraint: ["+memberMax+"255, "+memberMin+"3, "+memberMatch+
		namePattern+"]")
	r.match = func(key string) bool {
		return isARN(key) || len(key) >= 3 && len(key) <= 255 && isName(key)
	}
	return r
}

// listValues is the rule of a map's lists.
func listValues(most int64) rule {
	r := newRule(ruleValues, "Map value must satisfy constraint: ["+memberMax+strconv.FormatInt(most, 10)+", "+
		memberMin+"1]")
	r.n = most
	return r
}

// quiet makes the current layer name the member in its own case and not echo the value.
func (r rule) quiet() rule {
	r.current = wordQuiet
	return r
}

// always makes the classic layer do the same, where it already did so in May 2026.
func (r rule) always() rule {
	r.classic = r.current
	return r
}

// nameless makes the current layer print a text without value and member. set is the text of the enumeration,
// which is not the classic one.
func (r rule) nameless(set string) rule {
	r.current = wordNameless
	r.currentText = "Member must satisfy enum value set: " + set
	return r
}

// at puts the rule into a stage of both layers.
func (r rule) at(classic, current uint8) rule {
	r.stage, r.currentStage = classic, current
	return r
}

// instead has the classic layer answer with a whole message in place of an entry.
func (r rule) instead(message string) rule {
	r.whole = message
	return r
}

// holdsString tells whether a string that is there keeps the rule.
func (r *rule) holdsString(s string) bool {
	switch r.kind {
	case ruleMatch:
		return r.match(s)
	case ruleMin:
		return characters(s) >= r.n
	case ruleMax:
		return characters(s) <= r.n
	case ruleEnum:
		return slices.Contains(r.set, s)
	}
	return true
}

// holdsCount tells whether a number, or the length of a collection that is there, keeps the rule.
func (r *rule) holdsCount(n int64) bool {
	switch r.kind {
	case ruleMin:
		return n >= r.n
	case ruleMax:
		return n <= r.n
	}
	return true
}

// holdsEach tells whether the strings of a list keep the rule.
func (r *rule) holdsEach(list []string) bool {
	for _, s := range list {
		if r.set != nil && s == "" || characters(s) > r.n {
			return false
		}
	}
	return true
}

func characters(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// isName tells whether s matches namePattern.
func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c-'a' > 25 && c-'A' > 25 && c-'0' > 9 && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return s != ""
}

// isARN tells whether s is meant as an ARN. Whether it is a good one is not a constraint.
func isARN(s string) bool { return strings.HasPrefix(s, "arn:") }

// itemTable is the rule set of TableName in the operations on items (behaviours/01 §1.5, table-name rules). An ARN is
// taken as it is.
func itemTable() []rule {
	return []rule{
		required().at(stageMain, stageName),
		bareName(memberMatch+namePattern, isName).at(stageMain, stageName),
		minLength(1).quiet().at(stageMain, stageName),
		bareName(memberMax+"255", func(s string) bool { return len(s) <= 255 }).at(stageMain, stageName),
		arnLength().at(stageMain, stageName),
	}
}

// newTable is the rule set of TableName in CreateTable.
func newTable() []rule {
	return []rule{
		required().instead(nameMissing).at(stageName, stageName),
		bareName(memberMatch+namePattern, isName),
		minLength(3),
		bareName(memberMax+"255", func(s string) bool { return len(s) <= 255 }),
		arnLength(),
	}
}

// controlTable is the rule set of TableName in the other operations on tables.
func controlTable() []rule {
	fits := newRule(ruleMatch, memberMin+"3")
	fits.match = func(s string) bool { return len(s) >= 3 && len(s) <= 255 || isARN(s) }
	return []rule{
		required().instead(nameMissing).at(stageName, stageName),
		fits.instead("TableName must be at least 3 characters long and at most 255 characters long").
			at(stageName, stageName),
		bareName(memberMatch+namePattern, isName),
		arnLength(),
	}
}

const nameMissing = "The parameter 'TableName' is required but was not present in the request"

// bareName is a rule that ARNs and the empty string are not held to.
func bareName(text string, match func(string) bool) rule {
	r := newRule(ruleMatch, text)
	r.match = func(s string) bool { return s == "" || isARN(s) || match(s) }
	return r
}

func arnLength() rule {
	r := newRule(ruleMatch, memberMax+"1024")
	r.match = func(s string) bool { return !isARN(s) || len(s) <= 1024 }
	return r
}

// resourceName is the rule set of index, table and backup names that cannot be ARNs.
func resourceName() []rule {
	return []rule{matches(namePattern, isName), minLength(3), maxLength(255)}
}

// maxBytes is maxLength counted in bytes.
func maxBytes(n int) rule {
	r := newRule(ruleMatch, memberMax+strconv.Itoa(n))
	r.match = func(s string) bool { return len(s) <= n }
	return r
}

// requiredName is resourceName for a member that must be there.
func requiredName() []rule { return append([]rule{required()}, resourceName()...) }
