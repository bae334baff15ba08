package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// CaseConfig says what CaseOf makes.
type CaseConfig struct {
	Name    string  // of the case file, such as "captured/orders"; ".txt" is left out
	Topic   string  // what it is about; "" stands for "Captured: " and the last part of the name
	Wording Wording // of the errors in the traffic
}

// CaseOf makes a case file with one case out of traffic: tables that are made once, and what was there before, are set
// up; each request becomes a step that expects the captured answer. Names of tables, account and region become names,
// times and ids loose matches, and an id that a later request repeats is kept. notes tell what was left out.
//
// Traffic of AWS counts as confirmed; that of other endpoints is marked unconfirmed.
func CaseOf(traffic *Traffic, c CaseConfig) (s *Script, notes []string, err error) {
	turns := turnsOf(traffic)
	if !slices.ContainsFunc(turns, func(t *turn) bool { return t.Assumed && t.Operation != "DescribeTable" }) {
		var assumed []Exchange
		assumed, notes = before(turns, nil)
		front := make([]*turn, len(assumed))
		for i := range assumed {
			front[i] = newTurn(&assumed[i])
		}
		turns = append(front, turns...)
	}
	for _, fault := range traffic.Faults {
		notes = append(notes, fault.Error())
	}
	c.Name = strings.TrimSuffix(c.Name, ".txt")
	if c.Topic == "" {
		c.Topic = "Captured: " + c.Name[strings.LastIndexByte(c.Name, '/')+1:]
	}
	w := &caseWriter{c: c, masked: traffic.Info.Masked, turns: turns, notes: notes, tables: map[string]*caseTable{}, names: map[string]bool{}, ids: map[string]*caseID{}, tokens: map[string]int{}}
	for name := range builtin {
		w.names[name] = true
	}
	for _, t := range turns {
		w.from.region, w.from.account = orHome(w.from, t.Response)
		for _, name := range t.tables {
			w.table(name)
		}
	}
	w.many = manyShards(turns)
	for _, t := range turns {
		w.turn(t)
	}
	if len(w.steps) == 0 {
		return nil, w.notes, fmt.Errorf("%s holds no request that a case can repeat", traffic.Name)
	}
	script := w.script(traffic.Info)
	// What was put together must be what a file can say.
	parsed, err := Parse(c.Name+".txt", Format(script))
	return parsed, w.notes, err
}

func orHome(h home, body []byte) (region, account string) {
	if h.known() {
		return h.region, h.account
	}
	return arnHome(body)
}

// caseWriter builds a case.
type caseWriter struct {
	c      CaseConfig
	masked bool
	turns  []*turn
	notes  []string
	from   home
	tables map[string]*caseTable // by captured name
	order  []*caseTable
	names  map[string]bool // in use
	steps  []*Step
	ids    map[string]*caseID // by captured id
	many   map[string]bool    // see manyShards
	tokens map[string]int     // client request tokens
	arns   bool               // an ARN is expected somewhere
	errors bool               // an error is
	polled string             // the last DescribeTable and its answer
}

// caseTable is a table of the traffic.
type caseTable struct {
	captured string
	name     string // in the case
	create   *turn  // the request that makes it, if the file sets it up
	isNew    bool   // the case makes it itself
	items    []Fixture
}

// caseID is an id that an answer gave.
type caseID struct {
	step  *Step
	path  string
	table *caseTable // whose description tells it, if no step does
	name  string     // "" until it is used
}

// mark stands for what a text is replaced by in the file, so that nothing that was captured can be taken for it.
func mark(s string) string { return "\ue000" + s + "\ue001" }

// marked is a JSON string that stands for a loose match.
func unmark(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "\ue000")
		if !ok {
			b.WriteString(s)
			return b.String()
		}
		inner, after, _ := strings.Cut(rest, "\ue001")
		if pattern, isPattern := strings.CutPrefix(inner, "~"); isPattern && strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`) {
			b.WriteString(strings.TrimSuffix(before, `"`) + "~" + strings.ReplaceAll(pattern, `\"`, `"`))
			s = after[1:]
			continue
		}
		b.WriteString(before + "${" + inner + "}")
		s = after
	}
}

// table decides what becomes of a table: set up by the file, made by the case, or missing.
func (w *caseWriter) table(captured string) {
	if w.tables[captured] != nil {
		return
	}
	var created, deleted int
	var first, create *turn
	data := false
	for _, t := range w.turns {
		if !slices.Contains(t.tables, captured) || t.unrepeatable() != "" {
			continue
		}
		if first == nil {
			first = t
		}
		switch made := t.succeeded() || t.Assumed; {
		case t.Operation == "CreateTable" && made:
			created++
			create = t
		case t.Operation == "DeleteTable" && made:
			deleted++
		case !strings.HasPrefix(t.Operation, "Describe") && !strings.HasPrefix(t.Operation, "UpdateT"):
			data = true
		}
	}
	x := &caseTable{captured: captured, name: "missing"}
	w.tables[captured] = x
	if created == 0 {
		return
	}
	x.name = w.unique(captured)
	if x.isNew = created > 1 || deleted > 0 || first != create || !data; !x.isNew {
		x.create = create
	}
	w.order = append(w.order, x)
}

// unique makes a name of a text.
func (w *caseWriter) unique(text string) string {
	name := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (isWordByte(byte(r)) || r == '-') {
			return r
		}
		return '-'
	}, text)
	if !isName(name) {
		name = "t-" + name
	}
	for base, i := name, 2; w.names[name]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	w.names[name] = true
	return name
}

func (w *caseWriter) notef(t *turn, format string, args ...any) {
	where := t.Operation
	if t.Line > 0 {
		where = fmt.Sprintf("line %d, %s", t.Line, where)
	}
	w.notes = append(w.notes, where+": "+fmt.Sprintf(format, args...))
}

// turn adds what a turn comes to.
func (w *caseWriter) turn(t *turn) {
	if why := t.unrepeatable(); why != "" {
		if !t.Assumed {
			w.notef(t, "left out: %s", why)
		}
		return
	}
	x := w.tables[t.table()]
	switch {
	case x != nil && x.create == t:
		w.learn(t, nil, x)
		return
	case x != nil && t.Assumed && t.Operation == "PutItem" && !x.isNew:
		x.items = append(x.items, Fixture{Item: w.requestText(t.request.member("Item"))})
		return
	case t.Operation == "DescribeTable" && w.isPolling(t):
		return
	}
	step := w.step(t)
	if step == nil {
		return
	}
	if isOneOfMany(t, w.many) {
		w.notef(t, "expects nothing: %s; the step \"records\" reads them all", oneOfMany)
	} else if !t.Assumed && t.Fault == "" {
		step.Want = []Want{w.want(t)}
	}
	w.steps = append(w.steps, step)
	w.learn(t, step, x)
	w.waits(t, x)
}

// isPolling reports whether a DescribeTable only waits: the table is on its way, or the answer is the one before.
func (w *caseWriter) isPolling(t *turn) bool {
	state, _ := t.response.member("Table", "TableStatus").str()
	again := string(t.Request) + string(t.Response)
	same := w.polled == again
	w.polled = again
	return same || state != "" && state != "ACTIVE"
}

// step is the request of a turn, nil if a case can't send it.
func (w *caseWriter) step(t *turn) *Step {
	isObject := t.request != nil && t.request.kind == objectNode
	if t.Operation == "" || !isObject || !operationPattern().MatchString(t.Operation) || len(t.RequestHeader) > 0 && t.RequestHeader["Amz-Sdk-Request"] == "" {
		return w.httpStep(t)
	}
	q := w.request(t.request)
	step := &Step{Kind: CallStep, Operation: t.Operation}
	if i := slices.Index(q.names, "TableName"); i >= 0 {
		name, _ := t.request.member("TableName").str()
		if x := w.tables[name]; x != nil {
			step.Table = x.name
			q = q.without(i)
		}
	}
	step.Body = unmark(q.spaced())
	return step
}

func (w *caseWriter) httpStep(t *turn) *Step {
	body := escapeNames(string(t.Request))
	if t.request != nil {
		body = unmark(string(w.request(t.request).compact()))
	}
	if !utf8.ValidString(body) || strings.ContainsAny(body, "\r\n\x00") || strings.ContainsAny(t.Path, " \t") {
		w.notef(t, "left out: a case can't send its body")
		return nil
	}
	step := &Step{Kind: HTTPStep, Method: t.Method, Path: escapeNames(t.Path), Payload: body}
	if t.Operation != "" {
		step.Headers = append(step.Headers, Header{"X-Amz-Target", targetHeader(t.Operation)})
	}
	if _, told := t.RequestHeader["Content-Type"]; !told && t.Method == http.MethodPost {
		step.Headers = append(step.Headers, Header{"Content-Type", contentType})
	}
	for _, name := range append([]string{"X-Amz-Target"}, requestHeaders...) {
		if value := t.RequestHeader[name]; value != "" && name != "Amz-Sdk-Request" {
			step.Headers = append(step.Headers, Header{name, escapeNames(value)})
		}
	}
	return step
}

func escapeNames(s string) string { return strings.ReplaceAll(s, "${", "$${") }

// request is a request as the file has it, with marks.
func (w *caseWriter) request(q *node) *node {
	q = q.clone()
	q.rewrite(escapeNames)
	w.useIDs(q)
	w.renaming().node(q)
	return q
}

// requestText is JSON of an item.
func (w *caseWriter) requestText(item *node) string {
	item = item.clone()
	item.rewrite(escapeNames)
	return item.spaced()
}

func (w *caseWriter) renaming() renaming {
	return renaming{name: func(name string) string {
		if x := w.tables[name]; x != nil {
			return mark(x.name)
		}
		return name
	}, region: mark("region"), account: mark("account")}
}

// useIDs replaces ids that earlier answers gave, and client request tokens.
func (w *caseWriter) useIDs(n *node) {
	n.textsOutsideItems(func(name string, v *node) {
		switch {
		case name == "ClientRequestToken" && v.text != "" && len(v.text) <= maxToken:
			k, ok := w.tokens[v.text]
			if !ok {
				k = len(w.tokens) + 1
				w.tokens[v.text] = k
			}
			if v.text = mark("token"); k > 1 {
				v.text += fmt.Sprintf("-%d", k)
			}
		case w.ids[v.text] != nil:
			v.text = mark(w.keep(w.ids[v.text]))
		}
		w.arns = w.arns || strings.HasPrefix(v.text, "arn:")
	})
}

// keep makes the answer that gave an id keep it, and returns its name.
func (w *caseWriter) keep(id *caseID) string {
	if id.name != "" {
		return id.name
	}
	member := id.path[strings.LastIndexByte(id.path, '.')+1:]
	id.name = w.unique(strings.ToLower(member[:1]) + member[1:])
	if id.step == nil {
		// The file makes the table, so that no step has the answer.
		id.step = &Step{Kind: CallStep, Operation: "DescribeTable", Table: id.table.name, Body: "{}"}
		w.steps = append(w.steps, id.step)
		id.path = strings.Replace(id.path, "TableDescription.", "Table.", 1)
	}
	id.step.Keep = append(id.step.Keep, Keep{id.name, id.path})
	return id.name
}

// learn notes the ids that an answer gives.
func (w *caseWriter) learn(t *turn, step *Step, table *caseTable) {
	if step != nil && step.Kind != CallStep {
		return
	}
	var walk func(n *node, name, path string)
	walk = func(n *node, name, path string) {
		if n == nil {
			return
		}
		_, isID := isVolatile(name, n.text)
		if n.kind == stringNode && len(n.text) > 3 && (isID || slices.Contains(tokenNames, name)) && w.ids[n.text] == nil {
			w.ids[n.text] = &caseID{step: step, path: path, table: table}
		}
		for i, v := range n.list {
			if n.kind == objectNode && !strings.Contains(n.names[i], ".") {
				walk(v, n.names[i], strings.TrimPrefix(path+"."+n.names[i], "."))
			} else if n.kind == listNode {
				walk(v, "", fmt.Sprintf("%s.%d", path, i))
			}
		}
	}
	walk(t.response, "", "")
}

// waits adds what an application waits for after it changed a table.
func (w *caseWriter) waits(t *turn, x *caseTable) {
	if x == nil || x.name == "missing" || !t.succeeded() && !t.Assumed {
		return
	}
	wait := func(index, state string) {
		w.steps = append(w.steps, &Step{Kind: WaitStep, Table: x.name, Index: index, State: state})
	}
	switch t.Operation {
	case "CreateTable":
		wait("", "ACTIVE")
	case "DeleteTable":
		wait("", "gone")
	case "UpdateTable":
		wait("", "ACTIVE")
		updates := t.request.member("GlobalSecondaryIndexUpdates")
		if updates == nil {
			return
		}
		for _, u := range updates.list {
			for i, action := range u.list {
				state := map[string]string{"Create": "ACTIVE", "Delete": "gone"}[u.names[i]]
				if index, _ := action.member("IndexName").str(); state != "" && isName(index) {
					wait(index, state)
				}
			}
		}
	}
}

// script puts the file together.
func (w *caseWriter) script(info TrafficInfo) *Script {
	c := Case{Name: strings.ToLower(w.c.Topic[:1]) + w.c.Topic[1:]}
	if w.errors {
		c.Wording = w.c.Wording
	}
	s := &Script{Name: w.c.Name, Topic: w.c.Topic}
	c.From, c.Unconfirmed = provenanceOf(info)
	for _, x := range w.order {
		if x.isNew {
			c.New = append(c.New, x.name)
		} else {
			s.Tables = append(s.Tables, w.tableOf(x))
		}
	}
	for _, step := range w.steps {
		c.Steps = append(c.Steps, *step)
	}
	if w.arns && len(s.Tables) == 0 {
		s.Tables = append(s.Tables, Table{
			Name: w.unique("teller"), Keys: Keys{Hash: []KeyAttribute{{"pk", "S"}}},
			Remarks: []string{"# Tells the account."},
		})
	}
	s.Cases = []Case{c}
	return s
}

// provenanceOf says where traffic is from, and whether that is no confirmation of what DynamoDB does.
func provenanceOf(info TrafficInfo) (from string, unconfirmed bool) {
	from = "captured"
	if !info.Captured.IsZero() {
		from += " " + info.Captured.Format(time.DateOnly)
	}
	isAWS := OfAWS(info.Target)
	if isAWS {
		from += ", " + info.Region
	} else if info.Target != "" {
		from += " from " + info.Target
	}
	if info.Masked {
		from += ", values masked"
	}
	if info.Note != "" {
		from += "; " + info.Note
	}
	return from, !isAWS || info.Note != ""
}
