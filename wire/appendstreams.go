package wire

import (
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// AppendListStreams prints the reply of ListStreams.
func AppendListStreams(dst []byte, out *api.ListStreamsOutput) []byte {
	o := begin(dst)
	o.optText("LastEvaluatedStreamArn", out.LastEvaluatedStreamARN)
	o.key("Streams")
	o.dst = appendList(o.dst, out.Streams, func(dst []byte, s *api.StreamSummary) []byte {
		o := begin(dst)
		o.text("StreamArn", s.StreamARN)
		o.text("StreamLabel", s.StreamLabel)
		o.text("TableName", s.TableName)
		return o.end()
	})
	return o.end()
}

// AppendDescribeStream prints the reply of DescribeStream.
func AppendDescribeStream(dst []byte, out *api.DescribeStreamOutput) []byte {
	o := begin(dst)
	optStruct(&o, "StreamDescription", out.StreamDescription, appendStream)
	return o.end()
}

func appendStream(dst []byte, s *api.StreamDescription) []byte {
	o := begin(dst)
	o.optTime("CreationRequestDateTime", s.CreationRequestDateTime)
	optList(&o, "KeySchema", s.KeySchema, appendKeyElement)
	o.optText("LastEvaluatedShardId", s.LastEvaluatedShardID)
	o.key("Shards")
	o.dst = appendList(o.dst, s.Shards, appendShard)
	o.text("StreamArn", s.StreamARN)
	o.optText("StreamLabel", s.StreamLabel)
	o.optText("StreamStatus", s.StreamStatus)
	o.optText("StreamViewType", s.StreamViewType)
	o.optText("TableName", s.TableName)
	return o.end()
}

func appendShard(dst []byte, s *api.Shard) []byte {
	o := begin(dst)
	o.optText("ParentShardId", s.ParentShardID)
	o.key("SequenceNumberRange")
	r := begin(o.dst)
	r.optText("EndingSequenceNumber", s.EndingSequenceNumber)
	r.optText("StartingSequenceNumber", s.StartingSequenceNumber)
	o.dst = r.end()
	o.text("ShardId", s.ShardID)
	return o.end()
}

// AppendGetShardIterator prints the reply of GetShardIterator.
func AppendGetShardIterator(dst []byte, out *api.GetShardIteratorOutput) []byte {
	o := begin(dst)
	o.text("ShardIterator", out.ShardIterator)
	return o.end()
}

// AppendGetRecords prints the reply of GetRecords.
func AppendGetRecords(dst []byte, out *api.GetRecordsOutput) []byte {
	o := begin(dst)
	o.optText("NextShardIterator", out.NextShardIterator)
	o.key("Records")
	o.dst = appendList(o.dst, out.Records, appendRecord)
	return o.end()
}

// appendRecord prints a stream record. Its time is in whole seconds, rounded down (streams.md §3).
func appendRecord(dst []byte, r *api.Record) []byte {
	o := begin(dst)
	o.text("awsRegion", r.AWSRegion)
	o.key("dynamodb")
	d := begin(o.dst)
	if !r.ApproximateCreationDateTime.IsZero() {
		d.optTime("ApproximateCreationDateTime", r.ApproximateCreationDateTime.Truncate(time.Second))
	}
	d.optItem("Keys", r.Keys)
	d.optItem("NewImage", r.NewImage)
	d.optItem("OldImage", r.OldImage)
	d.text("SequenceNumber", r.SequenceNumber)
	d.long("SizeBytes", r.SizeBytes)
	d.text("StreamViewType", r.StreamViewType)
	o.dst = d.end()
	o.text("eventID", r.EventID)
	o.text("eventName", r.EventName)
	o.text("eventSource", r.EventSource)
	o.text("eventVersion", r.EventVersion)
	optStruct(&o, "userIdentity", r.UserIdentity, func(dst []byte, id *api.Identity) []byte {
		o := begin(dst)
		o.text("PrincipalId", id.PrincipalID)
		o.text("Type", id.Type)
		return o.end()
	})
	return o.end()
}
