package request

import "github.com/dynalite-go/dynalite/api"

// selected judges Select against the projection and the index (behaviours/06 §6.3). A projection beside a Select
// that leaves none to choose is found first.
func selected(sel api.String, toGet []string, projection, index api.String) (api.Select, *api.Error) {
	s := api.ParseSelect(sel)
	name := ""
	switch {
	case projection.Set:
		name = projectionExpression
	case toGet != nil:
		name = "AttributesToGet"
	}
	switch s {
	case api.SelectSpecificAttributes:
		if name == "" {
			return s, errNothingSelected
		}
	case api.SelectAllAttributes, api.SelectAllProjectedAttributes, api.SelectCount:
		if name != "" {
			return s, errSelect(name, sel.Value)
		}
		if s == api.SelectAllProjectedAttributes && !index.Set {
			return s, errNotAnIndex
		}
	}
	return s, nil
}

func errSelect(name, sel string) *api.Error {
	if sel == "COUNT" {
		sel = "only the Count"
	}
	return api.Validation("Cannot specify the " + name + " when choosing to get " + sel)
}

// The current layer envelopes these two although it envelopes nothing else of a Query.
var (
	errNothingSelected = envelopedWhenCurrent("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	errNotAnIndex      = envelopedWhenCurrent("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
)

func envelopedWhenCurrent(text string) *api.Error {
	return &api.Error{Code: api.CodeValidation, Message: text, Current: "1 validation error detected: " + text}
}
