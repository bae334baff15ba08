package request

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
	"github.com/dynalite-go/dynalite/expr"
	"github.com/dynalite-go/dynalite/internal/coral"
)

var scope = Scope{Account: "000000000000", Region: "us-east-1"}

// item is an item or key of a request, with its fault if the JSON has one.
func item(text string) api.Item {
	c := coral.New(text)
	var d attr.Decoder
	it, fault, err := d.Item(&c)
	if err != nil {
		panic(err)
	}
	return api.Item{Item: it, Fault: fault, Set: true}
}

// value is an attribute value of a request, with its fault if the JSON has one.
func value(text string) api.Value {
	c := coral.New(text)
	var d attr.Decoder
	v, fault, err := d.Value(&c)
	if err != nil {
		panic(err)
	}
	return api.Value{Value: v, Fault: fault, Set: true}
}

func list(texts ...string) []api.Value {
	vs := make([]api.Value, len(texts))
	for i, text := range texts {
		vs[i] = value(text)
	}
	return vs
}

// names are ExpressionAttributeNames, from pairs.
func names(pairs ...string) []api.Name {
	ns := []api.Name{}
	for i := 0; i < len(pairs); i += 2 {
		ns = append(ns, api.Name{Placeholder: pairs[i], Target: pairs[i+1]})
	}
	return ns
}

// values are ExpressionAttributeValues, from pairs of placeholder and JSON.
func values(pairs ...string) []api.NamedValue {
	vs := []api.NamedValue{}
	for i := 0; i < len(pairs); i += 2 {
		v := value(pairs[i+1])
		vs = append(vs, api.NamedValue{Name: pairs[i], Value: v.Value, Fault: v.Fault})
	}
	return vs
}

var (
	some    = api.Some
	table   = some("T")
	key     = item(`{"pk":{"S":"a"}}`)
	single  = Compiler{}
	caching = Compiler{Cache: expr.NewCache(0)}
)

// texts are the two wordings of an error. An empty current is the classic one; env says that an operation which
// envelopes its errors puts the envelope before the current text.
type texts struct {
	code    string // "" is ValidationException
	classic string
	current string
	env     bool
}

func plain(text string) texts     { return texts{classic: text} }
func enveloped(text string) texts { return texts{classic: text, env: true} }
func both(classic, current string) texts {
	return texts{classic: classic, current: current}
}

const envelope = "1 validation error detected: "

// wantError compares an error in the classic wording, in the current one, and in the current one with envelope.
func wantError(t *testing.T, err error, want texts) {
	t.Helper()
	if want == (texts{}) {
		if err != nil {
			t.Errorf("unexpected error %v", err)
		}
		return
	}
	var e *api.Error
	if !errors.As(err, &e) {
		t.Errorf("got error %v, want %q", err, want.classic)
		return
	}
	if want.code == "" {
		want.code = api.CodeValidation
	}
	if want.current == "" {
		want.current = want.classic
	}
	type wordings struct{ Code, Classic, Current, Enveloped string }
	w := wordings{want.code, want.classic, want.current, want.current}
	if want.env {
		w.Enveloped = envelope + want.current
	}
	got := wordings{e.Code, e.Text(api.Profile{}), e.Text(api.Profile{Current: true}), e.Text(api.Profile{Current: true, Envelope: true})}
	if diff := cmp.Diff(w, got); diff != "" {
		t.Errorf("wrong error (-want +got):\n%s", diff)
	}
}
