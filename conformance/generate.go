package conformance

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Conversations generates case files: a schema, and one case of a few operations on it that expects nothing. Values are
// few, so that keys meet, conditions hold and indexes fill; some requests are wrong. They are for Against.
func Conversations() *rapid.Generator[*Script] {
	return rapid.Custom(func(t *rapid.T) *Script {
		g := &generator{t: t}
		table := g.table()
		s := &Script{Name: "generated", Topic: "Generated", Tables: []Table{table}, Cases: []Case{{Name: "conversation"}}}
		n := rapid.IntRange(1, 12).Draw(t, "steps")
		for i := range n {
			s.Cases[0].Steps = append(s.Cases[0].Steps, g.step(fmt.Sprintf("step %d", i+1)))
		}
		return s
	})
}

// generator draws parts of requests for one table.
type generator struct {
	t       *rapid.T
	keys    Keys
	indexes []Index // with complete keys
}

// attributes are the names that items have besides their keys, and the types that their values prefer.
var attributes = []string{"a", "b", "c", "g", "n", "m"}

func (g *generator) pick(label string, options ...string) string {
	return rapid.SampledFrom(options).Draw(g.t, label)
}

func (g *generator) chance(label string, percent int) bool {
	return rapid.IntRange(1, 100).Draw(g.t, label) > 100-percent
}

func (g *generator) table() Table {
	table := Table{Name: "table", Keys: Keys{Hash: []KeyAttribute{{"pk", g.pick("hash type", "S", "N", "B")}}}}
	if g.chance("range key", 60) {
		table.Keys.Range = []KeyAttribute{{"sk", g.pick("range type", "N", "S", "B")}}
		if g.chance("lsi", 40) {
			local := Index{Name: "local", Keys: Keys{Range: []KeyAttribute{{"n", "N"}}}, Projection: "KEYS_ONLY"}
			table.Local = []Index{local}
			local.Keys.Hash = table.Keys.Hash
			g.indexes = append(g.indexes, local)
		}
	}
	if g.chance("gsi", 60) {
		x := Index{Name: "global", Projection: "ALL", Keys: Keys{Hash: []KeyAttribute{{"g", "S"}}}}
		if g.chance("gsi range", 50) {
			x.Keys.Range = []KeyAttribute{{"n", "N"}}
		}
		if g.chance("include", 40) {
			x.Projection, x.NonKey = "INCLUDE", []string{"a"}
		}
		table.Global = []Index{x}
		g.indexes = append(g.indexes, x)
	}
	g.keys = table.Keys
	return table
}

// scalar is a value of a key type. The first of each is what shrinking ends at.
func (g *generator) scalar(label, typ string) string {
	switch typ {
	case "N":
		return `{"N": "` + g.pick(label, "1", "2", "-1", "1.0", "10", "0.5") + `"}`
	case "B":
		return `{"B": "` + g.pick(label, "AQ==", "Ag==", "AQI=") + `"}`
	default:
		return `{"S": "` + g.pick(label, "a", "b", "ab", "é") + `"}`
	}
}

// value is any value, nested a little.
func (g *generator) value(label string, depth int) string {
	kinds := []string{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "empty"}
	if depth > 0 {
		kinds = append(kinds, "L", "M")
	}
	switch kind := g.pick(label+" kind", kinds...); kind {
	case "BOOL":
		return `{"BOOL": ` + g.pick(label, "true", "false") + `}`
	case "NULL":
		return `{"NULL": true}`
	case "SS":
		return `{"SS": [` + g.pick(label, `"a"`, `"a", "b"`, `"b", "ab"`) + `]}`
	case "NS":
		return `{"NS": [` + g.pick(label, `"1"`, `"1", "2"`, `"-1", "0.5"`) + `]}`
	case "L":
		return `{"L": [` + g.value(label+" 0", depth-1) + `, ` + g.value(label+" 1", depth-1) + `]}`
	case "M":
		return `{"M": {"x": ` + g.value(label+" x", depth-1) + `, "y": ` + g.value(label+" y", depth-1) + `}}`
	case "empty":
		return g.pick(label, `{"S": ""}`, `{"L": []}`, `{"M": {}}`, `{"B": ""}`)
	default:
		return g.scalar(label, kind)
	}
}

// key is a key of the table, rarely one of a wrong shape.
func (g *generator) key(label string) string {
	var parts []string
	for _, a := range append(append([]KeyAttribute{}, g.keys.Hash...), g.keys.Range...) {
		if g.chance(label+" odd", 3) {
			parts = append(parts, fmt.Sprintf("%q: %s", a.Name, g.value(label+a.Name, 0)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%q: %s", a.Name, g.scalar(label+a.Name, a.Type)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// item is a key and a few attributes. Index keys mostly have their type.
func (g *generator) item(label string) string {
	parts := []string{strings.TrimSuffix(strings.TrimPrefix(g.key(label), "{"), "}")}
	for _, name := range attributes {
		if !g.chance(label+" has "+name, 45) {
			continue
		}
		v := ""
		switch {
		case name == "g" && !g.chance(label+" odd g", 5):
			v = g.scalar(label+" g", "S")
		case name == "n" && !g.chance(label+" odd n", 5):
			v = g.scalar(label+" n", "N")
		default:
			v = g.value(label+" "+name, 2)
		}
		parts = append(parts, fmt.Sprintf("%q: %s", name, v))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// request gathers the members of a request and its placeholders.
type request struct {
	g       *generator
	label   string
	members []string
	values  []string
}

func (r *request) member(name, js string) {
	r.members = append(r.members, fmt.Sprintf("%q: %s", name, js))
}

// literal adds a value and returns its placeholder.
func (r *request) literal(js string) string {
	r.values = append(r.values, fmt.Sprintf(`":v%d": %s`, len(r.values)+1, js))
	return fmt.Sprintf(":v%d", len(r.values))
}

// json ends the request.
func (r *request) json() string {
	if len(r.values) > 0 {
		r.member("ExpressionAttributeValues", "{"+strings.Join(r.values, ", ")+"}")
	}
	return "{" + strings.Join(r.members, ", ") + "}"
}

func (g *generator) step(label string) Step {
	operation := g.pick(label, "PutItem", "GetItem", "UpdateItem", "Query", "Scan", "DeleteItem", "BatchWriteItem",
		"BatchGetItem", "TransactWriteItems", "TransactGetItems")
	r := &request{g: g, label: label}
	s := Step{Kind: CallStep, Operation: operation}
	switch operation {
	case "PutItem", "UpdateItem", "DeleteItem":
		s.Table = "table"
		r.write(operation)
		r.returns(operation)
	case "GetItem":
		s.Table = "table"
		r.member("Key", g.key(label))
		r.projection()
		r.capacity()
	case "Query", "Scan":
		s.Table = "table"
		s.Pages = r.read(operation)
	case "BatchWriteItem", "BatchGetItem", "TransactWriteItems", "TransactGetItems":
		r.several(operation)
		r.capacity()
	}
	s.Body = r.json()
	return s
}

// write draws the parts that a single write and an action of a transaction have in common.
func (r *request) write(operation string) {
	g := r.g
	if operation == "PutItem" {
		r.member("Item", g.item(r.label))
	} else {
		r.member("Key", g.key(r.label))
	}
	if operation == "UpdateItem" {
		r.member("UpdateExpression", jsonString(r.update()))
	}
	if g.chance(r.label+" condition", 35) {
		r.member("ConditionExpression", jsonString(r.condition(2)))
	}
}

func (r *request) returns(operation string) {
	values := []string{"NONE", "ALL_OLD"}
	if operation == "UpdateItem" {
		values = append(values, "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
	}
	r.member("ReturnValues", jsonString(r.g.pick(r.label+" returns", values...)))
	if r.g.chance(r.label+" old item", 25) {
		r.member("ReturnValuesOnConditionCheckFailure", `"ALL_OLD"`)
	}
	r.capacity()
}

func (r *request) capacity() {
	if r.g.chance(r.label+" capacity", 30) {
		r.member("ReturnConsumedCapacity", jsonString(r.g.pick(r.label+" capacity mode", "TOTAL", "INDEXES")))
	}
}

func (r *request) projection() {
	if r.g.chance(r.label+" projects", 30) {
		r.member("ProjectionExpression", jsonString(r.g.pick(r.label+" projection", "a", "pk", "a, b", "m.x, b", "b[0]", "nope", "m")))
	}
}
