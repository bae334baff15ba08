package api

import (
	"time"

	"github.com/dynalite-go/dynalite/attr"
)

// ListStreamsInput is the request of ListStreams.
type ListStreamsInput struct {
	TableName               String
	Limit                   Int
	ExclusiveStartStreamARN String
}

// StreamSummary is one stream of ListStreams.
type StreamSummary struct {
	StreamARN   string
	TableName   string
	StreamLabel string
}

// ListStreamsOutput is the reply of ListStreams. Streams is printed even when empty.
type ListStreamsOutput struct {
	Streams                []StreamSummary
	LastEvaluatedStreamARN string
}

// ShardFilter restricts DescribeStream to the children of a shard.
type ShardFilter struct {
	Type    String
	ShardID String
}

// DescribeStreamInput is the request of DescribeStream.
type DescribeStreamInput struct {
	StreamARN             String
	Limit                 Int
	ExclusiveStartShardID String
	ShardFilter           *ShardFilter
}

// Shard is a part of a stream. Numbers are decimal text; EndingSequenceNumber is empty while the shard is open.
type Shard struct {
	ShardID                string
	StartingSequenceNumber string
	EndingSequenceNumber   string
	ParentShardID          string
}

// StreamDescription is what the service tells of a stream. Shards is printed even when empty.
type StreamDescription struct {
	StreamARN               string
	StreamLabel             string
	StreamStatus            string
	StreamViewType          string
	CreationRequestDateTime time.Time
	TableName               string
	KeySchema               []KeySchemaElement
	Shards                  []Shard
	LastEvaluatedShardID    string
}

// DescribeStreamOutput is the reply of DescribeStream.
type DescribeStreamOutput struct {
	StreamDescription *StreamDescription
}

// GetShardIteratorInput is the request of GetShardIterator.
type GetShardIteratorInput struct {
	StreamARN         String
	ShardID           String
	ShardIteratorType String
	SequenceNumber    String
	Timestamp         Time
}

// GetShardIteratorOutput is the reply of GetShardIterator.
type GetShardIteratorOutput struct {
	ShardIterator string
}

// GetRecordsInput is the request of GetRecords.
type GetRecordsInput struct {
	ShardIterator String
	Limit         Int
}

// Record is one change of an item. Keys and images are nil when the view type leaves them out; images of an index
// never occur. UserIdentity is set for deletions by time to live only.
type Record struct {
	EventID                     string
	EventName                   string
	EventVersion                string
	EventSource                 string
	AWSRegion                   string
	ApproximateCreationDateTime time.Time
	Keys                        *attr.Item
	NewImage                    *attr.Item
	OldImage                    *attr.Item
	SequenceNumber              string
	SizeBytes                   int64
	StreamViewType              string
	UserIdentity                *Identity
}

// Identity says who made a change.
type Identity struct {
	PrincipalID string
	Type        string
}

// GetRecordsOutput is the reply of GetRecords. Records is printed even when empty. NextShardIterator is empty at
// the end of a closed shard.
type GetRecordsOutput struct {
	Records           []Record
	NextShardIterator string
}
