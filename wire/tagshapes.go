package wire

import "github.com/dynalite-go/dynalite/api"

var ttlSpecification = newShape("TimeToLiveSpecification", []member[api.TimeToLiveSpecification]{
	flag("Enabled", func(in *api.TimeToLiveSpecification) *api.Bool { return &in.Enabled }, required()),
	text("AttributeName",
		func(in *api.TimeToLiveSpecification) *api.String { return &in.AttributeName },
		required(), minLength(1), maxBytes(api.MaxKeyNameBytes)),
})

var updateTimeToLive = newShape("UpdateTimeToLiveInput", []member[api.UpdateTimeToLiveInput]{
	text("TableName", func(in *api.UpdateTimeToLiveInput) *api.String { return &in.TableName }, controlTable()...),
	structure("TimeToLiveSpecification", ttlSpecification,
		func(in *api.UpdateTimeToLiveInput) **api.TimeToLiveSpecification { return &in.TimeToLiveSpecification },
		required()),
})

var describeTimeToLive = newShape("DescribeTimeToLiveInput", []member[api.DescribeTimeToLiveInput]{
	text("TableName",
		func(in *api.DescribeTimeToLiveInput) *api.String { return &in.TableName }, controlTable()...),
})

var tagResource = newShape("TagResourceInput", []member[api.TagResourceInput]{
	text("ResourceArn", func(in *api.TagResourceInput) *api.String { return &in.ResourceARN }, resourceARN()...),
	list("Tags", tag, func(in *api.TagResourceInput) *[]api.Tag { return &in.Tags }, required()),
})

var untagResource = newShape("UntagResourceInput", []member[api.UntagResourceInput]{
	text("ResourceArn", func(in *api.UntagResourceInput) *api.String { return &in.ResourceARN }, resourceARN()...),
	texts("TagKeys", func(in *api.UntagResourceInput) *[]string { return &in.TagKeys }, required()),
})

var listTagsOfResource = newShape("ListTagsOfResourceInput", []member[api.ListTagsOfResourceInput]{
	text("ResourceArn",
		func(in *api.ListTagsOfResourceInput) *api.String { return &in.ResourceARN }, resourceARN()...),
	text("NextToken", func(in *api.ListTagsOfResourceInput) *api.String { return &in.NextToken }),
})

// resourceARN is the rule set of ResourceArn in the tag operations. The shape of the ARN is no constraint.
func resourceARN() []rule {
	return []rule{required().instead("Invalid TableArn").at(stageName, stageName), maxLength(1283)}
}

// DecodeUpdateTimeToLive reads the body of an UpdateTimeToLive request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeUpdateTimeToLive(text string, in *api.UpdateTimeToLiveInput) error {
	return decodeBody(text, updateTimeToLive, in)
}

// CheckUpdateTimeToLive returns the member constraints that an UpdateTimeToLive request breaks.
func CheckUpdateTimeToLive(in *api.UpdateTimeToLiveInput) []api.Violation {
	return checkInput(updateTimeToLive, in)
}

// DecodeDescribeTimeToLive reads the body of a DescribeTimeToLive request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeTimeToLive(text string, in *api.DescribeTimeToLiveInput) error {
	return decodeBody(text, describeTimeToLive, in)
}

// CheckDescribeTimeToLive returns the member constraints that a DescribeTimeToLive request breaks.
func CheckDescribeTimeToLive(in *api.DescribeTimeToLiveInput) []api.Violation {
	return checkInput(describeTimeToLive, in)
}

// DecodeTagResource reads the body of a TagResource request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeTagResource(text string, in *api.TagResourceInput) error {
	return decodeBody(text, tagResource, in)
}

// CheckTagResource returns the member constraints that a TagResource request breaks.
func CheckTagResource(in *api.TagResourceInput) []api.Violation { return checkInput(tagResource, in) }

// DecodeUntagResource reads the body of an UntagResource request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeUntagResource(text string, in *api.UntagResourceInput) error {
	return decodeBody(text, untagResource, in)
}

// CheckUntagResource returns the member constraints that an UntagResource request breaks.
func CheckUntagResource(in *api.UntagResourceInput) []api.Violation {
	return checkInput(untagResource, in)
}

// DecodeListTagsOfResource reads the body of a ListTagsOfResource request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeListTagsOfResource(text string, in *api.ListTagsOfResourceInput) error {
	return decodeBody(text, listTagsOfResource, in)
}

// CheckListTagsOfResource returns the member constraints that a ListTagsOfResource request breaks.
func CheckListTagsOfResource(in *api.ListTagsOfResourceInput) []api.Violation {
	return checkInput(listTagsOfResource, in)
}
