package request

import (
	"strings"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// Pages of the streams service when the request names no limit (streams.md §1).
const (
	streamsPage = 100
	recordsPage = 1000
)

// ListStreams compiles a ListStreams.
func (c *Compiler) ListStreams(in *api.ListStreamsInput, s Scope) (*engine.ListStreams, error) {
	if in.ExclusiveStartStreamARN.Set {
		if err := streamARN(in.ExclusiveStartStreamARN.Value); err != nil {
			return nil, err
		}
	}
	return &engine.ListStreams{
		Table: in.TableName.Value,
		Limit: intOr(in.Limit, streamsPage),
		Start: in.ExclusiveStartStreamARN.Value,
	}, nil
}

// DescribeStream compiles a DescribeStream.
func (c *Compiler) DescribeStream(in *api.DescribeStreamInput, s Scope) (*engine.DescribeStream, error) {
	if err := streamARN(in.StreamARN.Value); err != nil {
		return nil, err
	}
	cmd := &engine.DescribeStream{
		ARN:        in.StreamARN.Value,
		Limit:      intOr(in.Limit, streamsPage),
		StartShard: in.ExclusiveStartShardID.Value,
	}
	if f := in.ShardFilter; f != nil {
		// That both members are needed is recorded, the text is not.
		if !f.Type.Set || !f.ShardID.Set {
			return nil, api.Validation("ShardFilter.Type and ShardFilter.ShardId must both be specified")
		}
		cmd.ChildrenOf = f.ShardID.Value
	}
	return cmd, nil
}

// GetShardIterator compiles a GetShardIterator. Its texts were not recorded.
func (c *Compiler) GetShardIterator(in *api.GetShardIteratorInput, s Scope) (*engine.GetShardIterator, error) {
	if err := streamARN(in.StreamARN.Value); err != nil {
		return nil, err
	}
	kind := engine.IteratorType(in.ShardIteratorType.Value)
	sequence := kind == engine.AtSequenceNumber || kind == engine.AfterSequenceNumber
	switch {
	case sequence && !in.SequenceNumber.Set:
		return nil, api.Validation("SequenceNumber must be specified when ShardIteratorType is " + string(kind))
	case !sequence && in.SequenceNumber.Set:
		return nil, api.Validation("SequenceNumber must not be specified when ShardIteratorType is " + string(kind))
	case kind == engine.AtTimestamp && !in.Timestamp.Set:
		return nil, api.Validation("Timestamp must be specified when ShardIteratorType is " + string(kind))
	case kind != engine.AtTimestamp && in.Timestamp.Set:
		return nil, api.Validation("Timestamp must not be specified when ShardIteratorType is " + string(kind))
	}
	return &engine.GetShardIterator{
		ARN:       in.StreamARN.Value,
		Shard:     in.ShardID.Value,
		Type:      kind,
		Sequence:  in.SequenceNumber.Value,
		Timestamp: in.Timestamp.Value,
	}, nil
}

// GetRecords compiles a GetRecords.
func (c *Compiler) GetRecords(in *api.GetRecordsInput, s Scope) (*engine.GetRecords, error) {
	return &engine.GetRecords{Iterator: in.ShardIterator.Value, Limit: intOr(in.Limit, recordsPage)}, nil
}

func intOr(n api.Int, def int) int {
	if n.Set {
		return int(n.Value)
	}
	return def
}

// streamARN refuses what is not the ARN of a stream, whoever owns it.
func streamARN(ref string) *api.Error {
	arn, ok := ParseARN(ref)
	if !ok || arn.Kind != "table" || !strings.HasPrefix(arn.Sub, "stream/") {
		// The kind of error is recorded, its text is not.
		return api.Validation("Invalid StreamArn: Invalid ResourceArn provided as input " + ref)
	}
	return nil
}
