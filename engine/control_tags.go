package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// TagResource is TagResource as a command. ARN is the resource as the request
// named it, for the errors.
type TagResource struct {
	Table, ARN string
	Tags       []api.Tag
}

// UntagResource is UntagResource as a command.
type UntagResource struct {
	Table, ARN string
	Keys       []string
}

// ListTagsOfResource is ListTagsOfResource as a command.
type ListTagsOfResource struct {
	Table, ARN string
}

// TagResource adds tags to a table; a tag with a known key replaces the old
// one (behaviours/02 §2.7).
//
// Errors: ResourceNotFoundException; ResourceInUseException while the table is
// being created or deleted; ValidationException for more than 50 tags.
func (r *Region) TagResource(ctx context.Context, cmd *TagResource) (*api.TagResourceOutput, error) {
	t, err := r.openTags(cmd.Table, cmd.ARN)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	tags := mergeTags(t.settings.tags, cmd.Tags)
	if len(tags) > api.MaxTags {
		return nil, ErrTooManyTags()
	}
	t.settings.tags = tags
	return &api.TagResourceOutput{}, nil
}

// UntagResource removes tags by key. That there is no such tag is no error.
//
// Errors: those of TagResource but the last.
func (r *Region) UntagResource(ctx context.Context, cmd *UntagResource) (*api.UntagResourceOutput, error) {
	t, err := r.openTags(cmd.Table, cmd.ARN)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	t.settings.tags = slices.DeleteFunc(slices.Clone(t.settings.tags), func(tag api.Tag) bool {
		return slices.Contains(cmd.Keys, tag.Key.Value)
	})
	return &api.UntagResourceOutput{}, nil
}

// ListTagsOfResource lists the tags of a table in order of key, all on one
// page.
//
// Errors: ResourceNotFoundException.
func (r *Region) ListTagsOfResource(ctx context.Context, cmd *ListTagsOfResource) (*api.ListTagsOfResourceOutput, error) {
	t, _, err := r.look(cmd.Table)
	if err != nil {
		return nil, errNoResource(cmd.ARN)
	}
	defer t.mu.RUnlock()
	tags := t.settings.tags
	if tags == nil {
		tags = []api.Tag{}
	}
	return &api.ListTagsOfResourceOutput{Tags: tags}, nil
}

func (r *Region) openTags(table, arn string) (*Table, *api.Error) {
	t, now, err := r.open(table)
	if err != nil {
		return nil, errNoResource(arn)
	}
	if !t.settings.serves(now) {
		defer t.mu.Unlock()
		return nil, errTableBusy(t)
	}
	return t, nil
}

func errNoResource(arn string) *api.Error {
	return api.ResourceNotFound("Requested resource not found: ResourceArn: " + arn + " not found")
}

// ErrTooManyTags is the error for more tags than a table can have.
func ErrTooManyTags() *api.Error {
	return api.Validation("Number of Tags exceed the current limit for the provided ResourceArn")
}

// mergeTags returns the tags that result from adding some to others, in order
// of key. The arguments stay as they are.
func mergeTags(tags, added []api.Tag) []api.Tag {
	out := slices.Clone(tags)
	for _, tag := range added {
		tag = api.Tag{Key: api.Some(strings.Clone(tag.Key.Value)), Value: api.Some(strings.Clone(tag.Value.Value))}
		i, found := slices.BinarySearchFunc(out, tag, func(a, b api.Tag) int { return strings.Compare(a.Key.Value, b.Key.Value) })
		if found {
			out[i] = tag
			continue
		}
		out = slices.Insert(out, i, tag)
	}
	return out
}
