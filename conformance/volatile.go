package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// volatile are members of answers that differ from target to target and from run to run, with the loose match that
// stands for each.
var volatile = map[string]string{
	"ApproximateCreationDateTime":       "~time",
	"ArchivalDateTime":                  "~time",
	"CreationDateTime":                  "~time",
	"CreationRequestDateTime":           "~time",
	"EarliestRestorableDateTime":        "~time",
	"EndingSequenceNumber":              "~digits",
	"eventID":                           "~string",
	"InaccessibleEncryptionDateTime":    "~time",
	"ItemCount":                         "~number",
	"IndexSizeBytes":                    "~number",
	"KMSMasterKeyArn":                   "~string",
	"LastDecreaseDateTime":              "~time",
	"LastEvaluatedShardId":              "~string",
	"LastEvaluatedStreamArn":            "~arn",
	"LastIncreaseDateTime":              "~time",
	"LastUpdateDateTime":                "~time",
	"LastUpdateToPayPerRequestDateTime": "~time",
	"LatestRestorableDateTime":          "~time",
	"LatestStreamArn":                   "~arn",
	"LatestStreamLabel":                 "~string",
	"NextShardIterator":                 "~string",
	"NextToken":                         "~string",
	"ParentShardId":                     "~string",
	"SequenceNumber":                    "~digits",
	"ShardId":                           "~string",
	"ShardIterator":                     "~string",
	"StartingSequenceNumber":            "~digits",
	"StreamArn":                         "~arn",
	"StreamLabel":                       "~string",
	"TableId":                           "~uuid",
	"TableSizeBytes":                    "~number",
}

// isVolatile reports whether a member of an answer is volatile. Attributes of items never are, whatever their names:
// an attribute's value is an object with the tag of a type.
func isVolatile(name string, value any) (match string, ok bool) {
	match, ok = volatile[name]
	switch value.(type) {
	case map[string]any, []any:
		return "", false
	}
	return match, ok
}

// unordered reports whether the elements of a list come in no particular order: what a member of that name, or an
// operation's items, are.
func isUnordered(operation, name string, list []any) bool {
	switch name {
	case "SS", "NS", "BS", "AttributeDefinitions", "Tags", "GlobalSecondaryIndexes", "LocalSecondaryIndexes",
		"NonKeyAttributes":
		return true
	case "ConsumedCapacity":
		return len(list) > 1
	case "Items":
		return operation == "Scan"
	}
	// Responses of a batch are lists by table name, whatever that is.
	return operation == "BatchGetItem" && len(list) > 1 && name != "L" && name != "Keys"
}

// aliases replaces the real names of a run by what they are called in a file, longest first.
type aliases struct{ replacer *strings.Replacer }

// aliasesOf undoes what a scope stands for. Values of other names are left alone.
func aliasesOf(s *scope, names []string) aliases {
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(len(s.text[b])-len(s.text[a]), strings.Compare(a, b))
	})
	var pairs []string
	for _, name := range names {
		if value := s.text[name]; len(value) > 3 {
			pairs = append(pairs, value, "${"+name+"}")
		}
	}
	return aliases{strings.NewReplacer(pairs...)}
}

// normalised is an answer without what differs from target to target: names of tables, account and region replaced by
// their names in the file, volatile members by loose matches, lists without order sorted.
func (a *Answer) normalised(operation string, names aliases) map[string]any {
	shown := shown(a, true, "")
	out, _ := normal(operation, "", shown, names).(map[string]any)
	return out
}

func normal(operation, name string, v any, names aliases) any {
	switch v := v.(type) {
	case string:
		return sortedPlaceholders(names.replacer.Replace(v))
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			e = normal(operation, "", e, names)
			if s, _ := e.(string); name == "TableNames" && !strings.HasPrefix(s, "${") {
				continue // a table of somebody else
			}
			out = append(out, e)
		}
		if isUnordered(operation, name, v) {
			slices.SortStableFunc(out, func(x, y any) int { return strings.Compare(canonical(x), canonical(y)) })
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			if match, ok := isVolatile(k, e); ok {
				out[k] = match
				continue
			}
			if k == "LastEvaluatedTableName" {
				continue // as TableNames: other files make tables at the same time
			}
			out[names.replacer.Replace(k)] = normal(operation, k, e, names)
		}
		return out
	default:
		return v
	}
}

// canonical is JSON with sorted members.
func canonical(v any) string {
	js, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(js)
}

// sortedPlaceholders sorts the placeholders that a message lists in no particular order.
func sortedPlaceholders(message string) string {
	before, rest, ok := strings.Cut(message, "unused in expressions: keys: {")
	list, after, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return message
	}
	keys := strings.Split(list, ", ")
	slices.Sort(keys)
	return before + "unused in expressions: keys: {" + strings.Join(keys, ", ") + "}" + after
}

// looseJSON prints an answer's body as expected JSON: volatile members as loose matches, lists without order so marked,
// short objects on one line.
func looseJSON(operation string, v any, names aliases) string {
	var b strings.Builder
	printLoose(&b, operation, "", v, names, 0)
	return b.String()
}

// maxInline is how long an object may be to stand on one line.
const maxInline = 100

func printLoose(b *strings.Builder, operation, name string, v any, names aliases, depth int) {
	switch v := v.(type) {
	case map[string]any:
		printMembers(b, operation, v, names, depth)
	case []any:
		if isUnordered(operation, name, v) && len(v) > 1 && name != "SS" && name != "NS" && name != "BS" {
			b.WriteString("~unordered ")
		}
		var parts []string
		for _, e := range v {
			var p strings.Builder
			printLoose(&p, operation, "", e, names, depth+1)
			parts = append(parts, p.String())
		}
		layOut(b, "[", parts, "]", depth)
	case string:
		b.WriteString(jsonString(names.replacer.Replace(strings.ReplaceAll(v, "${", "$${"))))
	default:
		b.WriteString(canonical(v))
	}
}

func printMembers(b *strings.Builder, operation string, v map[string]any, names aliases, depth int) {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(v)) {
		var p strings.Builder
		p.WriteString(jsonString(names.replacer.Replace(k)) + ": ")
		if match, ok := isVolatile(k, v[k]); ok {
			p.WriteString(match)
		} else {
			printLoose(&p, operation, k, v[k], names, depth+1)
		}
		parts = append(parts, p.String())
	}
	layOut(b, "{", parts, "}", depth)
}

// layOut puts parts on one line if that stays short.
func layOut(b *strings.Builder, open string, parts []string, end string, depth int) {
	line := strings.Join(parts, ", ")
	if len(line) <= maxInline && !strings.Contains(line, "\n") {
		b.WriteString(open + line + end)
		return
	}
	indent := strings.Repeat("    ", depth+1)
	b.WriteString(open + "\n" + indent + strings.Join(parts, ",\n"+indent) + "\n" + indent[4:] + end)
}

// jsonString is the JSON literal of a string, with names in it left alone.
func jsonString(s string) string { return `"` + escaped(s) + `"` }
