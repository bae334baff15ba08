package conformance

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// want is what a turn's answer makes a step expect.
func (w *caseWriter) want(t *turn) Want {
	a := t.captured()
	if t.response != nil {
		n := t.response.clone()
		w.renameAnswer(t, n)
		a.JSON = n.plain()
	}
	want := a.expectation(t.Operation, aliases{strings.NewReplacer()})
	want.Body, want.Message = unmark(want.Body), unmark(want.Message)
	// Where in a statement something stands depends on how long the table's name is.
	if place := statementPlace().FindStringIndex(want.Message); place != nil && t.tables != nil && strings.HasPrefix(t.Operation, "Execute") && want.Message[0] != '~' {
		want.Message = "~prefix " + jsonString(want.Message[:place[0]+len("at ")])
	}
	w.errors = w.errors || want.Error != ""
	return want
}

// answersByTable are members of an answer whose members are named by tables, in operations on several tables.
var answersByTable = []string{"Responses", "ItemCollectionMetrics"}

// renameAnswer puts marks into an answer, in place: for the names of tables, wherever the operation has them, for
// account and region, and for what can't be the same again.
func (w *caseWriter) renameAnswer(t *turn, n *node) {
	r := w.renaming()
	r.node(n)
	for _, member := range answersByTable {
		if byTable := n.member(member); byTable != nil && byTable.kind == objectNode && strings.HasPrefix(t.Operation, "Batch") {
			for i := range byTable.names {
				byTable.names[i] = r.table(byTable.names[i])
			}
		}
	}
	for i, v := range n.list {
		if n.kind == objectNode && strings.EqualFold(n.names[i], "message") && v.kind == stringNode {
			v.text = w.renameMessage(t, v.text)
		}
	}
	if names := n.member("TableNames"); names != nil && t.Operation == "ListTables" {
		// Others make tables at the same time.
		n.set("TableNames", text(mark("~list")))
		if last := slices.Index(n.names, "LastEvaluatedTableName"); last >= 0 {
			n.list[last] = text(mark("~string"))
		}
	}
	w.loosen(t, n)
}

// loosen marks what differs from run to run.
func (w *caseWriter) loosen(t *turn, n *node) {
	for i, v := range n.list {
		if n.kind == objectNode {
			name := n.names[i]
			switch {
			case name == "awsRegion" && v.kind == stringNode:
				v.text = mark("region")
			case w.masked && (name == "ConsumedCapacity" || name == "ItemCollectionMetrics" || name == "SizeBytes"):
				n.list[i] = text(mark("~any"))
				continue
			case strings.HasPrefix(v.text, "arn:") && v.kind == stringNode && volatile[name] == "":
				w.arns = true
			}
		}
		if !slices.Contains(itemMembers, nameAt(n, i)) || v.kind == stringNode {
			w.loosen(t, v)
		}
	}
}

func nameAt(n *node, i int) string {
	if n.kind == objectNode {
		return n.names[i]
	}
	return ""
}

// renameMessage replaces names of tables, and account and region of ARNs, in a message.
// A table that isn't there is named only where that is the message.
func (w *caseWriter) renameMessage(t *turn, s string) string {
	names := slices.SortedFunc(maps.Keys(w.tables), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	if t.code() != "ResourceNotFoundException" {
		names = slices.DeleteFunc(names, func(name string) bool { return w.tables[name].name == "missing" })
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		i := slices.IndexFunc(names, func(name string) bool { return isNameAt(s, at, name) })
		if i < 0 {
			b.WriteByte(s[at])
			at++
			continue
		}
		b.WriteString(mark(w.tables[names[i]].name))
		at += len(names[i])
	}
	return homePattern().ReplaceAllStringFunc(b.String(), func(arn string) string {
		w.arns = true
		m := homePattern().FindStringSubmatch(arn)
		return strings.Replace(strings.Replace(arn, m[1], mark("region"), 1), m[2], mark("account"), 1)
	})
}

// isNameAt reports whether a name stands at a place of a message, as a word or between dots.
func isNameAt(s string, at int, name string) bool {
	isPart := func(i int) bool { return i >= 0 && i < len(s) && (isWordByte(s[i]) || s[i] == '-') }
	return strings.HasPrefix(s[at:], name) && !isPart(at-1) && !isPart(at+len(name))
}

// tableOf is the table line for a CreateTable request.
func (w *caseWriter) tableOf(x *caseTable) Table {
	q := x.create.request.clone()
	if i := slices.Index(q.names, "TableName"); i >= 0 {
		q = q.without(i)
	}
	t := Table{Name: x.name, Items: x.items}
	if short, rest, ok := shortTable(q); ok {
		short.Name, short.Items = t.Name, t.Items
		if len(rest.names) > 0 {
			rest.rewrite(escapeNames)
			short.With = rest.spaced()
		}
		return short
	}
	q.rewrite(escapeNames)
	t.With = q.spaced()
	return t
}

// shortTable writes a CreateTable request in the short form of case files. rest are the members that it has no words
// for; ok is false if the request needs its long form.
func shortTable(q *node) (t Table, rest *node, ok bool) {
	mode, _ := q.member("BillingMode").str()
	if mode != "PAY_PER_REQUEST" || q.member("ProvisionedThroughput") != nil {
		return t, nil, false
	}
	types := map[string]string{}
	if defs := q.member("AttributeDefinitions"); defs != nil {
		for _, d := range defs.list {
			name, _ := d.member("AttributeName").str()
			types[name], _ = d.member("AttributeType").str()
		}
	}
	if t.Keys, ok = shortKeys(q.member("KeySchema"), types); !ok || len(t.Keys.Hash) != 1 || len(t.Keys.Range) > 1 {
		return t, nil, false
	}
	rest = newObject()
	for i, name := range q.names {
		switch name {
		case "BillingMode", "AttributeDefinitions", "KeySchema":
		case "LocalSecondaryIndexes":
			if t.Local, ok = shortIndexes(q.list[i], types); !ok {
				return t, nil, false
			}
			for k := range t.Local {
				t.Local[k].Keys.Hash = nil
			}
		case "GlobalSecondaryIndexes":
			if t.Global, ok = shortIndexes(q.list[i], types); !ok {
				return t, nil, false
			}
		default:
			rest.set(name, q.list[i])
		}
	}
	return t, rest, true
}

func shortKeys(schema *node, types map[string]string) (k Keys, ok bool) {
	if schema == nil {
		return k, false
	}
	for _, e := range schema.list {
		name, _ := e.member("AttributeName").str()
		kind, _ := e.member("KeyType").str()
		a := KeyAttribute{name, types[name]}
		if !isName(name) || a.Type != "S" && a.Type != "N" && a.Type != "B" {
			return k, false
		}
		switch kind {
		case "HASH":
			k.Hash = append(k.Hash, a)
		case "RANGE":
			k.Range = append(k.Range, a)
		default:
			return k, false
		}
	}
	return k, len(k.Hash) > 0
}

func shortIndexes(list *node, types map[string]string) (out []Index, ok bool) {
	for _, e := range list.list {
		x := Index{}
		x.Name, _ = e.member("IndexName").str()
		x.Projection, _ = e.member("Projection", "ProjectionType").str()
		if x.Keys, ok = shortKeys(e.member("KeySchema"), types); !ok || !isName(x.Name) || len(x.Name) < 3 || e.member("ProvisionedThroughput") != nil {
			return nil, false
		}
		switch x.Projection {
		case "ALL", "KEYS_ONLY", "INCLUDE":
		default:
			return nil, false
		}
		if attributes := e.member("Projection", "NonKeyAttributes"); attributes != nil {
			for _, a := range attributes.list {
				if a.kind != stringNode || a.text == "" || strings.ContainsAny(a.text, " ,/") {
					return nil, false
				}
				x.NonKey = append(x.NonKey, a.text)
			}
		}
		if (x.Projection == "INCLUDE") != (len(x.NonKey) > 0) {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}
