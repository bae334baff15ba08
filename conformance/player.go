package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// player plays captured requests to one target, on tables of its own.
type player struct {
	r      *Runner
	prefix string            // of the names of tables; "" plays in place
	ours   map[string]bool   // captured names of tables that get the prefix
	from   home              // of the captured ARNs
	to     home              // of the target's
	tokens map[string]string // ids of captured answers, and what the target gave in their place
	made   []string          // tables to be deleted
}

// home is where tables live.
type home struct{ region, account string }

func (h home) arn() string { return "arn:aws:dynamodb:" + h.region + ":" + h.account + ":" }

func (h home) known() bool { return h.region != "" && h.account != "" }

// rename gives a table its name on the target.
func (p *player) rename(name string) string {
	if p.ours[name] {
		return p.prefix + name
	}
	return name
}

// body is a request as the target gets it.
func (p *player) body(t *turn) []byte {
	if t.request == nil {
		return t.Request
	}
	q := t.request.clone()
	p.useTokens(q)
	renaming{p.rename, p.to.region, p.to.account}.node(q)
	if t.Operation == "CreateTable" && len(p.r.target.Tags) > 0 && q.member("Tags") == nil {
		tags := &node{kind: listNode}
		for k, v := range p.r.target.Tags {
			tags.list = append(tags.list, newObject().set("Key", text(k)).set("Value", text(v)))
		}
		q.set("Tags", tags)
	}
	return q.compact()
}

// useTokens replaces ids that the target gave out itself, outside of items. Tokens that make requests idempotent are
// new in each run.
func (p *player) useTokens(n *node) {
	n.textsOutsideItems(func(name string, v *node) {
		switch {
		case name == "ClientRequestToken" && p.prefix != "" && v.text != "" && len(v.text) <= maxToken:
			sum := sha256.Sum256([]byte(p.prefix + v.text))
			v.text = hex.EncodeToString(sum[:])[:maxToken]
		case p.tokens[v.text] != "":
			v.text = p.tokens[v.text]
		}
	})
}

// textsOutsideItems calls f with each string of a body that is no part of an item, and the member that holds it, if it
// stands in an object.
func (n *node) textsOutsideItems(f func(member string, v *node)) {
	for i, v := range n.list {
		name := ""
		if n.kind == objectNode {
			name = n.names[i]
		}
		switch {
		case v.kind == stringNode:
			f(name, v)
		case !slices.Contains(itemMembers, name):
			v.textsOutsideItems(f)
		}
	}
}

// maxToken is the length of the longest client request token.
const maxToken = 36

// send sends one request.
func (p *player) send(ctx context.Context, t *turn) (*Answer, error) {
	var headers []Header
	if t.Operation != "" {
		headers = append(headers, Header{"X-Amz-Target", targetHeader(t.Operation)})
	}
	for name, value := range t.RequestHeader {
		if name != "Amz-Sdk-Request" {
			headers = append(headers, Header{name, value})
		}
	}
	if _, told := t.RequestHeader["Content-Type"]; !told && t.Method == http.MethodPost {
		headers = append(headers, Header{"Content-Type", contentType})
	}
	a, err := p.r.target.send(ctx, t.Method, t.Path, headers, p.body(t))
	if err == nil && !p.to.known() {
		p.to.region, p.to.account = arnHome(a.Raw)
	}
	return a, err
}

// settle learns from an answer, and waits until tables are in the state that the request brings about: applications
// wait too, and how long that takes differs.
func (p *player) settle(ctx context.Context, t *turn, a *Answer) error {
	if t.Operation == "ListStreams" {
		p.learnStreams(t, a)
	} else if t.response != nil {
		p.learn("", t.response.plain(), a.JSON)
	}
	if a.Status != http.StatusOK || a.code() != "" {
		return nil
	}
	name := p.rename(t.table())
	switch t.Operation {
	case "CreateTable":
		p.own(t.table())
		return p.r.waitFor(ctx, name, "", "ACTIVE")
	case "UpdateTable":
		if err := p.r.waitFor(ctx, name, "", "ACTIVE"); err != nil {
			return err
		}
		return p.waitForIndexes(ctx, name, t.request.member("GlobalSecondaryIndexUpdates"))
	case "DeleteTable":
		return p.r.waitFor(ctx, name, "", "gone")
	}
	return nil
}

// own notes that a table is to be deleted.
func (p *player) own(table string) {
	if name := p.rename(table); p.prefix != "" && p.ours[table] && !slices.Contains(p.made, name) {
		p.made = append(p.made, name)
	}
}

func (p *player) waitForIndexes(ctx context.Context, table string, updates *node) error {
	if updates == nil {
		return nil
	}
	for _, u := range updates.list {
		for i, action := range u.list {
			state := "ACTIVE"
			if u.names[i] == "Delete" {
				state = "gone"
			}
			if index, ok := action.member("IndexName").str(); ok {
				if err := p.r.waitFor(ctx, table, index, state); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tokenNames are members that hold an id which later requests repeat, besides the volatile ones.
var tokenNames = []string{"LastEvaluatedStreamArn", "BackupArn", "ExportArn", "ImportArn"}

// learn notes which of the target's ids stand for which captured ones.
func (p *player) learn(name string, captured, live any) {
	switch captured := captured.(type) {
	case map[string]any:
		if live, ok := live.(map[string]any); ok {
			for k, v := range captured {
				p.learn(k, v, live[k])
			}
		}
	case []any:
		if live, ok := live.([]any); ok {
			for i := range min(len(captured), len(live)) {
				p.learn("", captured[i], live[i])
			}
		}
	case string:
		live, ok := live.(string)
		_, isID := isVolatile(name, captured)
		if ok && live != "" && captured != "" && (isID || slices.Contains(tokenNames, name)) {
			p.tokens[captured] = live
		}
	}
}

// normal is an answer of the target as the captured one would show it.
func (p *player) normal(t *turn, a *Answer) map[string]any {
	return normalTurn(t, a, aliases{p.replacer()}, func(name string) (string, bool) {
		short, ok := strings.CutPrefix(name, p.prefix)
		return short, ok && p.ours[short]
	})
}

// learnStreams is learn for a list that has streams of others in it: tables tell which is which.
func (p *player) learnStreams(t *turn, a *Answer) {
	list, _ := a.member("Streams")
	live, _ := list.([]any)
	captured := t.response.member("Streams")
	if captured == nil {
		return
	}
	for _, c := range captured.list {
		name, _ := c.member("TableName").str()
		i := slices.IndexFunc(live, func(e any) bool {
			other, _ := lookup(e, "TableName")
			return other == p.rename(name)
		})
		if i >= 0 {
			p.learn("", c.plain(), live[i])
		}
	}
}

// replacer undoes what the target calls otherwise.
func (p *player) replacer() *strings.Replacer {
	var pairs []string
	if p.prefix != "" {
		pairs = append(pairs, p.prefix, "")
	}
	if p.from.known() && p.to.known() {
		pairs = append(pairs, p.to.arn(), p.from.arn())
	}
	return strings.NewReplacer(pairs...)
}

// inTheirWords is an answer of the target with the names and ids of the capture.
func (p *player) inTheirWords(a *Answer) *Answer {
	back := make(map[string]string, len(p.tokens))
	for captured, live := range p.tokens {
		back[live] = captured
	}
	plain, err := unpack(a.Header.Get("Content-Encoding"), a.Raw)
	if err != nil {
		plain = a.Raw
	}
	r := p.replacer()
	if n, err := parseNode(plain); err == nil {
		n.rewrite(func(s string) string {
			if captured, ok := back[s]; ok {
				return captured
			}
			return r.Replace(s)
		})
		plain = n.compact()
	}
	return &Answer{Status: a.Status, Header: a.Header, Raw: plain}
}

// captured is the captured answer in the form of one of the target's.
func (t *turn) captured() *Answer {
	a := &Answer{Status: t.Status, Raw: t.Response}
	if t.response != nil {
		a.JSON = t.response.plain()
	} else if json.Unmarshal(t.Response, &a.JSON) != nil {
		a.JSON = describe(string(t.Response), maxCompared)
	}
	return a
}

// normalTurn is normalised for an exchange. listed tells which names of ListTables count, and what they are called in
// the capture.
func normalTurn(t *turn, a *Answer, names aliases, listed func(string) (string, bool)) map[string]any {
	switch t.Operation {
	case "ListTables":
		a = a.onlyOurs("TableNames", func(e any) any {
			s, _ := e.(string)
			if name, ok := listed(s); ok {
				return "${" + name + "}"
			}
			return nil
		})
	case "ListStreams":
		a = a.onlyOurs("Streams", func(e any) any {
			name, _ := lookup(e, "TableName")
			s, _ := name.(string)
			if _, ok := listed(s); ok {
				return e
			}
			return nil
		})
	}
	return a.normalised(t.Operation, names)
}

// onlyOurs is an answer whose list holds what remains of its elements, and doesn't tell where the next one begins:
// others make tables too.
func (a *Answer) onlyOurs(list string, ours func(any) any) *Answer {
	v, ok := a.member(list)
	if !ok {
		return a
	}
	kept := []any{}
	all, _ := v.([]any)
	for _, e := range all {
		if e = ours(e); e != nil {
			kept = append(kept, e)
		}
	}
	return &Answer{Status: a.Status, Header: a.Header, Raw: a.Raw, JSON: map[string]any{list: kept}}
}

// close deletes the tables that were made, whatever happened.
func (p *player) close() error { return p.r.dropAll(p.made) }
