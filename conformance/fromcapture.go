package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// FromCapture makes a case file of a capture: tables that were there before are set up, each exchange becomes a step
// that expects the answer received. Names of tables, the account and the region become names, ids and times loose
// matches, and an id of one answer that a later request uses is kept.
//
// Items that were in a table before the capture began are not known, so that reads of them differ.
func FromCapture(name, topic string, exchanges []Exchange) (*Script, error) {
	c := &converter{
		script: &Script{Name: name, Topic: topic, Cases: []Case{{Name: topic}}},
		tables: map[string]string{}, kept: map[string]string{},
	}
	for _, e := range exchanges {
		if err := c.exchange(e); err != nil {
			return nil, err
		}
	}
	c.script.Cases[0].New = c.fresh
	c.keepIDs()
	// What was put together must be what a file can say.
	return Parse(name+".txt", Format(c.script))
}

// converter builds a script from exchanges.
type converter struct {
	script  *Script
	tables  map[string]string // real name to name in the file
	fresh   []string          // tables that the traffic itself makes
	kept    map[string]string // id to name
	answers []*Answer         // of each step, nil for a wait
	account string
	region  string
}

func (c *converter) exchange(e Exchange) error {
	var request map[string]any
	if err := json.Unmarshal(e.Request, &request); err != nil {
		return fmt.Errorf("%s of %v: the request is no JSON object: %w", e.Operation, e.Time, err)
	}
	a := e.answer()
	c.learn(a)
	if e.Setup {
		return c.setUp(a)
	}
	for _, real := range tableNames(request) {
		if c.tables[real] == "" {
			c.fresh = append(c.fresh, c.name(real))
		}
	}
	steps := &c.script.Cases[0].Steps
	s := Step{Kind: CallStep, Operation: e.Operation, Body: c.requestJSON(request)}
	s.Want = []Want{a.expectation(e.Operation, c.aliases())}
	*steps = append(*steps, s)
	c.answers = append(c.answers, a)
	if real, _ := request["TableName"].(string); e.Operation == "CreateTable" && e.Status == 200 {
		*steps = append(*steps, Step{Kind: WaitStep, Table: c.tables[real], State: "ACTIVE"})
		c.answers = append(c.answers, nil)
	}
	return nil
}

var arnPattern = regexp.MustCompile(`arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):`)

// learn finds out account and region from the first ARN that goes by.
func (c *converter) learn(a *Answer) {
	if m := arnPattern.FindSubmatch(a.Raw); c.account == "" && m != nil {
		c.region, c.account = string(m[1]), string(m[2])
	}
}

// setUp makes a table of the file from its description.
func (c *converter) setUp(a *Answer) error {
	description, _ := a.member("Table")
	d, ok := description.(map[string]any)
	real, _ := d["TableName"].(string)
	if !ok || real == "" {
		return nil // the table wasn't there; the traffic shows it
	}
	js, err := json.Marshal(creation(d))
	if err != nil {
		return err
	}
	c.script.Tables = append(c.script.Tables, Table{Name: c.name(real), With: string(js)})
	return nil
}

// creation picks from a table's description what CreateTable takes. Throughput is left out: the copy is on demand.
func creation(d map[string]any) map[string]any {
	out := map[string]any{"BillingMode": "PAY_PER_REQUEST"}
	for _, member := range []string{"KeySchema", "AttributeDefinitions", "StreamSpecification"} {
		if v, ok := d[member]; ok {
			out[member] = v
		}
	}
	for _, member := range []string{"LocalSecondaryIndexes", "GlobalSecondaryIndexes"} {
		list, _ := d[member].([]any)
		var indexes []any
		for _, e := range list {
			x, _ := e.(map[string]any)
			indexes = append(indexes, map[string]any{
				"IndexName": x["IndexName"], "KeySchema": x["KeySchema"], "Projection": x["Projection"],
			})
		}
		if indexes != nil {
			out[member] = indexes
		}
	}
	return out
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// name gives a table a name of its own in the file.
func (c *converter) name(real string) string {
	if name, ok := c.tables[real]; ok {
		return name
	}
	name := strings.Trim(notInNames.ReplaceAllString(real, "-"), "-")
	if !isName(name) {
		name = "table-" + name
	}
	taken := func(n string) bool {
		_, reserved := builtin[n]
		return reserved || slices.Contains(slices.Collect(maps.Values(c.tables)), n)
	}
	for base, i := name, 2; taken(name); i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	c.tables[real] = name
	return name
}

// aliases replaces what is real by names, the longest first.
func (c *converter) aliases() aliases {
	s := &scope{text: map[string]string{}}
	var names []string
	for real, name := range c.tables {
		s.text[name] = real
		names = append(names, name)
	}
	if c.account != "" && len(c.script.Tables) > 0 {
		s.text["account"], s.text["region"] = c.account, c.region
		names = append(names, "account", "region")
	}
	return aliasesOf(s, names)
}

// requestJSON prints a request with the names of tables replaced: values of TableName, and members of RequestItems.
func (c *converter) requestJSON(request map[string]any) string {
	names := c.aliases()
	var print func(v any, path string) string
	print = func(v any, path string) string {
		switch v := v.(type) {
		case map[string]any:
			var parts []string
			for _, k := range slices.Sorted(maps.Keys(v)) {
				name := strings.ReplaceAll(k, "${", "$${")
				if path == "RequestItems" {
					name = names.replacer.Replace(name)
				}
				parts = append(parts, jsonString(name)+": "+print(v[k], k))
			}
			return "{" + strings.Join(parts, ", ") + "}"
		case []any:
			var parts []string
			for _, e := range v {
				parts = append(parts, print(e, ""))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		case string:
			s := strings.ReplaceAll(v, "${", "$${")
			if path == "TableName" || strings.HasPrefix(v, "arn:") {
				s = names.replacer.Replace(s)
			}
			return jsonString(s)
		default:
			return canonical(v)
		}
	}
	return print(request, "")
}

// keepIDs makes later requests take ids, such as shard iterators, from the answers of the run.
func (c *converter) keepIDs() {
	steps := c.script.Cases[0].Steps
	for i, a := range c.answers {
		if a == nil {
			continue
		}
		walkVolatile(a.JSON, "", func(path, id string) {
			later := steps[i+1:]
			used := slices.ContainsFunc(later, func(s Step) bool { return strings.Contains(s.Body, jsonString(id)) })
			if len(id) < 8 || !used || c.kept[id] != "" {
				return
			}
			name := fmt.Sprintf("id%d", len(c.kept)+1)
			c.kept[id] = name
			steps[i].Keep = append(steps[i].Keep, Keep{name, path})
			for k := range later {
				later[k].Body = strings.ReplaceAll(later[k].Body, jsonString(id), `"${`+name+`}"`)
			}
		})
	}
}

// walkVolatile visits the volatile texts of an answer with their paths.
func walkVolatile(v any, path string, visit func(path, id string)) {
	join := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if _, ok := isVolatile(k, v[k]); ok {
				if id, isText := v[k].(string); isText {
					visit(join(k), id)
				}
				continue
			}
			walkVolatile(v[k], join(k), visit)
		}
	case []any:
		for i, e := range v {
			walkVolatile(e, join(fmt.Sprint(i)), visit)
		}
	}
}
