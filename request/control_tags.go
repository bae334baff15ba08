package request

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// Lengths of tags, in characters (limits.md §1).
const (
	maxTagKey   = 128
	maxTagValue = 256
)

// TagResource compiles a TagResource. Order of checks: behaviours/02 §2.7.
func (c *Compiler) TagResource(in *api.TagResourceInput, s Scope) (*engine.TagResource, error) {
	table, err := s.tagged("TagResource", in.ResourceARN)
	if err != nil {
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, api.Validation("Atleast one Tag needs to be provided as Input.")
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	return &engine.TagResource{Table: table, ARN: in.ResourceARN.Value, Tags: in.Tags}, nil
}

// UntagResource compiles an UntagResource.
func (c *Compiler) UntagResource(in *api.UntagResourceInput, s Scope) (*engine.UntagResource, error) {
	table, err := s.tagged("UntagResource", in.ResourceARN)
	if err != nil {
		return nil, err
	}
	switch {
	case len(in.TagKeys) == 0:
		return nil, api.Validation("Atleast one Tag Key needs to be provided as Input.")
	case len(in.TagKeys) > api.MaxTags:
		return nil, engine.ErrTooManyTags()
	}
	for _, key := range in.TagKeys {
		if err := checkTagKey(api.Some(key)); err != nil {
			return nil, err
		}
	}
	return &engine.UntagResource{Table: table, ARN: in.ResourceARN.Value, Keys: in.TagKeys}, nil
}

// ListTagsOfResource compiles a ListTagsOfResource. All tags fit on one page,
// and any NextToken gives the first page.
func (c *Compiler) ListTagsOfResource(in *api.ListTagsOfResourceInput, s Scope) (*engine.ListTagsOfResource, error) {
	table, err := s.tagged("ListTagsOfResource", in.ResourceARN)
	if err != nil {
		return nil, err
	}
	return &engine.ListTagsOfResource{Table: table, ARN: in.ResourceARN.Value}, nil
}

// tagged is the name of the table that a ResourceArn names. Only tables have
// tags.
func (s Scope) tagged(op string, ref api.String) (string, *api.Error) {
	if !ref.Set {
		return "", api.Validation("Invalid TableArn")
	}
	text := ref.Value
	if !strings.HasPrefix(text, arnPrefix) {
		return "", api.Validation(invalidParameter + "ARNs must start with 'arn:': " + text)
	}
	arn, ok := ParseARN(text)
	switch {
	case !ok:
		return "", errTableARN(text)
	case arn.Account != s.Account:
		return "", errForeign(op, text, s.Account)
	case arn.Region != s.Region:
		return "", errTableARN(text)
	case strings.HasPrefix(arn.Sub, "index/"):
		return "", api.Validation(invalidParameter +
			"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + text)
	case arn.Kind != "table" || arn.Sub != "" || len(arn.Name) < api.MinNameLength || !tableNameOK(arn.Name):
		return "", errTableARN(text)
	}
	return arn.Name, nil
}

// checkTags checks the tags of a request, all or nothing (api-surface §6.6).
// Their number is checked against the table's.
func checkTags(tags []api.Tag) *api.Error {
	seen := make(map[string]bool, len(tags))
	for _, t := range tags {
		if err := checkTagKey(t.Key); err != nil {
			return err
		}
		if !t.Value.Set || !tagText(t.Value.Value, maxTagValue) {
			return api.Validation("The Tag Value provided is invalid, Value: " + t.Value.Or("null"))
		}
	}
	for _, t := range tags {
		if seen[t.Key.Value] {
			return api.Validation("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + t.Key.Value)
		}
		seen[t.Key.Value] = true
	}
	return nil
}

func checkTagKey(key api.String) *api.Error {
	if key.Value == "" || !tagText(key.Value, maxTagKey) {
		return api.Validation("The Tag Key provided is invalid, Key: " + key.Or("null"))
	}
	if len(key.Value) >= 4 && strings.EqualFold(key.Value[:4], "aws:") {
		return api.Validation("Tag Key cannot be prefixed with aws:, Key: " + key.Value)
	}
	return nil
}

// tagText reports whether a text is short enough and made of letters and
// digits of any script, spaces, and + - = . _ : / @.
func tagText(text string, most int) bool {
	if utf8.RuneCountInString(text) > most {
		return false
	}
	for _, r := range text {
		if !unicode.In(r, unicode.L, unicode.N, unicode.Z) && !strings.ContainsRune("+-=._:/@", r) {
			return false
		}
	}
	return true
}
