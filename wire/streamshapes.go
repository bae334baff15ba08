package wire

import "github.com/dynalite-go/dynalite/api"

var listStreams = newShape("ListStreamsInput", []member[api.ListStreamsInput]{
	text("TableName", func(in *api.ListStreamsInput) *api.String { return &in.TableName }, resourceName()...),
	integer("Limit", func(in *api.ListStreamsInput) *api.Int { return &in.Limit }, minValue(1), maxValue(100)),
	text("ExclusiveStartStreamArn",
		func(in *api.ListStreamsInput) *api.String { return &in.ExclusiveStartStreamARN }, arn()...),
})

var shardFilter = newShape("ShardFilter", []member[api.ShardFilter]{
	text("Type", func(in *api.ShardFilter) *api.String { return &in.Type }, oneOf("CHILD_SHARDS")),
	text("ShardId", func(in *api.ShardFilter) *api.String { return &in.ShardID }, shardID()...),
})

var describeStream = newShape("DescribeStreamInput", []member[api.DescribeStreamInput]{
	text("StreamArn", func(in *api.DescribeStreamInput) *api.String { return &in.StreamARN }, requiredARN()...),
	integer("Limit", func(in *api.DescribeStreamInput) *api.Int { return &in.Limit }, minValue(1), maxValue(100)),
	text("ExclusiveStartShardId",
		func(in *api.DescribeStreamInput) *api.String { return &in.ExclusiveStartShardID }, shardID()...),
	structure("ShardFilter", shardFilter,
		func(in *api.DescribeStreamInput) **api.ShardFilter { return &in.ShardFilter }),
})

var getShardIterator = newShape("GetShardIteratorInput", []member[api.GetShardIteratorInput]{
	text("StreamArn", func(in *api.GetShardIteratorInput) *api.String { return &in.StreamARN }, requiredARN()...),
	text("ShardId", func(in *api.GetShardIteratorInput) *api.String { return &in.ShardID }, requiredShard()...),
	text("ShardIteratorType",
		func(in *api.GetShardIteratorInput) *api.String { return &in.ShardIteratorType },
		required(), oneOf("TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", "AT_TIMESTAMP")),
	text("SequenceNumber",
		func(in *api.GetShardIteratorInput) *api.String { return &in.SequenceNumber }, minLength(21), maxLength(40)),
	timestamp("Timestamp", func(in *api.GetShardIteratorInput) *api.Time { return &in.Timestamp }),
})

var getRecords = newShape("GetRecordsInput", []member[api.GetRecordsInput]{
	text("ShardIterator",
		func(in *api.GetRecordsInput) *api.String { return &in.ShardIterator },
		required(), minLength(1), maxLength(2048)),
	integer("Limit", func(in *api.GetRecordsInput) *api.Int { return &in.Limit }, minValue(1), maxValue(1000)),
})

// arn is the rule set of stream, backup and similar ARNs.
func arn() []rule { return []rule{minLength(37), maxLength(1024)} }

func requiredARN() []rule { return append([]rule{required()}, arn()...) }

func shardID() []rule { return []rule{minLength(28), maxLength(65)} }

func requiredShard() []rule { return append([]rule{required()}, shardID()...) }

// DecodeListStreams reads the body of a ListStreams request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeListStreams(text string, in *api.ListStreamsInput) error {
	return decodeBody(text, listStreams, in)
}

// CheckListStreams returns the member constraints that a ListStreams request breaks.
func CheckListStreams(in *api.ListStreamsInput) []api.Violation { return checkInput(listStreams, in) }

// DecodeDescribeStream reads the body of a DescribeStream request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeDescribeStream(text string, in *api.DescribeStreamInput) error {
	return decodeBody(text, describeStream, in)
}

// CheckDescribeStream returns the member constraints that a DescribeStream request breaks.
func CheckDescribeStream(in *api.DescribeStreamInput) []api.Violation {
	return checkInput(describeStream, in)
}

// DecodeGetShardIterator reads the body of a GetShardIterator request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeGetShardIterator(text string, in *api.GetShardIteratorInput) error {
	return decodeBody(text, getShardIterator, in)
}

// CheckGetShardIterator returns the member constraints that a GetShardIterator request breaks.
func CheckGetShardIterator(in *api.GetShardIteratorInput) []api.Violation {
	return checkInput(getShardIterator, in)
}

// DecodeGetRecords reads the body of a GetRecords request.
// Errors: *coral.SyntaxError, *coral.TypeError.
func DecodeGetRecords(text string, in *api.GetRecordsInput) error {
	return decodeBody(text, getRecords, in)
}

// CheckGetRecords returns the member constraints that a GetRecords request breaks.
func CheckGetRecords(in *api.GetRecordsInput) []api.Violation { return checkInput(getRecords, in) }
