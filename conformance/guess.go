package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// guessedSchema makes a CreateTable request of how a table is used, nil and a note if that doesn't tell.
func guessedSchema(turns []*turn, name string) (create *node, note string) {
	g := &guess{table: name, types: map[string]string{}}
	for _, t := range turns {
		g.turn(t)
	}
	hash, rng, ok := g.keys()
	if !ok {
		return nil, fmt.Sprintf("table %s was there before, and the traffic doesn't show its key: describe it with --table", name)
	}
	create = newObject().set("TableName", text(name)).set("BillingMode", text("PAY_PER_REQUEST"))
	var definitions []string
	create.set("KeySchema", g.schema(&definitions, hash, rng))
	if len(g.indexes) > 0 {
		list := &node{kind: listNode}
		for _, x := range g.indexes {
			list.list = append(list.list, newObject().set("IndexName", text(x.name)).set("KeySchema", g.schema(&definitions, x.hash, x.rng)).
				set("Projection", newObject().set("ProjectionType", text("ALL"))))
		}
		create.set("GlobalSecondaryIndexes", list)
	}
	attributes := &node{kind: listNode}
	for _, name := range definitions {
		attributes.list = append(attributes.list, newObject().set("AttributeName", text(name)).set("AttributeType", text(g.types[name])))
	}
	return create.set("AttributeDefinitions", attributes), fmt.Sprintf("table %s was there before; its key is guessed from its use: %s", name,
		strings.TrimSuffix(strings.Join([]string{hash, rng}, ", "), ", "))
}

// guess gathers how the key of a table is used.
type guess struct {
	table   string
	key     []string          // attributes of keys in requests, sorted; nil if none were seen
	types   map[string]string // of attributes in keys and conditions
	hash    string            // attribute that a query compares by equality
	rng     string
	indexes []guessedIndex
}

type guessedIndex struct{ name, hash, rng string }

func (g *guess) schema(definitions *[]string, hash, rng string) *node {
	schema := &node{kind: listNode}
	for i, name := range []string{hash, rng} {
		if name == "" {
			continue
		}
		schema.list = append(schema.list, newObject().set("AttributeName", text(name)).set("KeyType", text([]string{"HASH", "RANGE"}[i])))
		if !slices.Contains(*definitions, name) {
			*definitions = append(*definitions, name)
		}
	}
	return schema
}

// seenKey notes a whole key.
func (g *guess) seenKey(key *node) {
	if key == nil || key.kind != objectNode || len(key.names) == 0 || len(key.names) > 2 {
		return
	}
	for i, name := range key.names {
		v := key.list[i]
		if len(v.names) != 1 || !slices.Contains([]string{"S", "N", "B"}, v.names[0]) {
			return
		}
		g.types[name] = v.names[0]
	}
	g.key = slices.Sorted(slices.Values(key.names))
}

func (g *guess) turn(t *turn) {
	if !t.succeeded() && !isOfTable(t.code()) {
		return
	}
	q := t.request
	if t.table() == g.table {
		g.seenKey(q.member("Key"))
		if q.member("IndexName") == nil {
			g.seenKey(t.response.member("LastEvaluatedKey"))
		}
		g.query(q)
	}
	if asked := keysAsked(q, g.table); t.Operation == "BatchGetItem" && asked.member("Keys") != nil {
		for _, key := range asked.member("Keys").list {
			g.seenKey(key)
		}
	}
	if t.Operation == "BatchWriteItem" && keysAsked(q, g.table) != nil {
		for _, e := range keysAsked(q, g.table).list {
			g.seenKey(e.member("DeleteRequest", "Key"))
		}
	}
	if items := q.member("TransactItems"); items != nil {
		for _, e := range items.list {
			for _, action := range e.list {
				if name, _ := action.member("TableName").str(); ofTable(name) == g.table {
					g.seenKey(action.member("Key"))
				}
			}
		}
	}
}

// query notes which attribute a query compares by equality. The other of its condition, if any, is the sort key.
func (g *guess) query(q *node) {
	condition, ok := q.member("KeyConditionExpression").str()
	if !ok {
		return
	}
	x := guessedIndex{}
	x.name, _ = q.member("IndexName").str()
	clauses := keyClauses(condition)
	for _, c := range clauses {
		name := c.name
		if strings.HasPrefix(name, "#") {
			name, _ = q.member("ExpressionAttributeNames", name).str()
		}
		v := q.member("ExpressionAttributeValues", c.value)
		if name == "" || v == nil || len(v.names) != 1 {
			return
		}
		g.types[name] = v.names[0]
		// Of two equalities the first is taken for the partition key, as people write it.
		if c.equal && x.hash == "" {
			x.hash = name
		} else if x.rng == "" {
			x.rng = name
		}
	}
	switch {
	case x.hash == "":
	case x.name == "":
		if g.hash == "" || x.rng != "" {
			g.hash, g.rng = x.hash, x.rng
		}
	default:
		i := slices.IndexFunc(g.indexes, func(o guessedIndex) bool { return o.name == x.name })
		if i < 0 {
			g.indexes = append(g.indexes, x)
		} else if x.rng != "" {
			g.indexes[i] = x
		}
	}
}

// keys decides on the key. ok is false if the traffic doesn't tell.
func (g *guess) keys() (hash, rng string, ok bool) {
	switch {
	case len(g.key) == 1:
		return g.key[0], "", true
	case len(g.key) == 2 && slices.Contains(g.key, g.hash):
		return g.hash, g.key[1-slices.Index(g.key, g.hash)], true
	case g.key == nil && g.hash != "":
		return g.hash, g.rng, true
	default:
		return "", "", false
	}
}

// keyClause is a comparison of a key condition.
type keyClause struct {
	name, value string
	equal       bool
}

var conditionWord = lazyRegexp(`[#:]?[A-Za-z0-9_.-]+|<=|>=|[<>=]`)

// keyClauses reads a key condition that the endpoint accepted.
func keyClauses(s string) []keyClause {
	words := conditionWord().FindAllString(s, -1)
	var out []keyClause
	for i := 0; i+1 < len(words); i++ {
		switch w := words[i]; {
		case w == "begins_with" && i+2 < len(words):
			out = append(out, keyClause{words[i+1], words[i+2], false})
			i += 2
		case i+2 < len(words) && strings.HasPrefix(words[i+2], ":") && (strings.ContainsAny(words[i+1], "=<>") || strings.EqualFold(words[i+1], "BETWEEN")):
			out = append(out, keyClause{w, words[i+2], words[i+1] == "="})
			i += 2
		}
	}
	return out
}
