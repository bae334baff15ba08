package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
)

// recordsRequest is the body of a records step.
type recordsRequest struct {
	TableName string         // the stream is its latest one
	StreamArn string         // instead of TableName
	Keys      map[string]any // only records whose keys hold these; nil: all
}

// quietPages is how many empty pages of an open shard are taken for its end. The service answers with some before it
// comes to the records of a shard.
const quietPages = 5

// records reads a stream from its oldest record on, shard by shard, however many there are. The answer has the Records
// in the order of their sequence numbers, the Shards in which they were, parents first, and the StreamArn.
func (v *conversation) records(ctx context.Context, body string) (*Answer, error) {
	var request recordsRequest
	if err := json.Unmarshal([]byte(body), &request); err != nil {
		return nil, err
	}
	arn := request.StreamArn
	if arn == "" {
		a, err := v.r.target.call(ctx, "DescribeTable", members("TableName", request.TableName))
		if err != nil || a.Status != http.StatusOK {
			return a, err
		}
		latest, _ := a.member("Table.LatestStreamArn")
		arn, _ = latest.(string)
	}
	shards, a, err := v.shards(ctx, arn)
	if a != nil || err != nil {
		return a, err
	}
	var all []streamRecord
	for _, shard := range shards {
		list, a, err := v.shardRecords(ctx, arn, shard)
		if a != nil || err != nil {
			return a, err
		}
		all = append(all, list...)
	}
	all = slices.DeleteFunc(all, func(r streamRecord) bool { return !r.has(request.Keys) })
	slices.SortStableFunc(all, func(a, b streamRecord) int {
		return cmp.Or(cmp.Compare(len(a.sequence), len(b.sequence)), cmp.Compare(a.sequence, b.sequence))
	})
	records, holders := []any{}, []any{}
	seen := map[string]bool{}
	for _, r := range all {
		records = append(records, r.value)
		if !seen[r.shard] {
			seen[r.shard] = true
			holders = append(holders, map[string]any{"ShardId": r.shard})
		}
	}
	return &Answer{Status: http.StatusOK, Header: http.Header{}, JSON: map[string]any{
		"Records": records, "Shards": holders, "StreamArn": arn,
	}}, nil
}

// streamRecord is a record and where it was found.
type streamRecord struct {
	value           any
	shard, sequence string
}

// has reports whether the keys of a record hold the given ones.
func (r streamRecord) has(keys map[string]any) bool {
	for name, want := range keys {
		got, ok := lookup(r.value, "dynamodb.Keys")
		have, _ := got.(map[string]any)
		if !ok || !equal(want, have[name]) {
			return false
		}
	}
	return true
}

// shards lists the shards of a stream. The answer is an error of the target, nil if there is none.
func (v *conversation) shards(ctx context.Context, arn string) (ids []string, failed *Answer, err error) {
	request := members("StreamArn", arn)
	for range maxPages {
		a, err := v.r.target.call(ctx, "DescribeStream", request)
		if err != nil || a.Status != http.StatusOK {
			return nil, a, err
		}
		list, _ := a.member("StreamDescription.Shards")
		page, _ := list.([]any)
		for i := range page {
			id, _ := lookup(page[i], "ShardId")
			text, ok := id.(string)
			if !ok {
				return nil, a, nil
			}
			ids = append(ids, text)
		}
		last, _ := a.member("StreamDescription.LastEvaluatedShardId")
		next, ok := last.(string)
		if !ok {
			return ids, nil, nil
		}
		request = members("StreamArn", arn, "ExclusiveStartShardId", next)
	}
	return nil, nil, errPages
}

// shardRecords reads a shard from its beginning to its end, or as far as it got.
func (v *conversation) shardRecords(ctx context.Context, arn, shard string) (all []streamRecord, failed *Answer, err error) {
	a, err := v.r.target.call(ctx, "GetShardIterator",
		members("StreamArn", arn, "ShardId", shard, "ShardIteratorType", "TRIM_HORIZON"))
	if err != nil || a.Status != http.StatusOK {
		return nil, a, err
	}
	value, _ := a.member("ShardIterator")
	patience := 1
	if v.r.target.Eventual > 0 {
		patience = quietPages
	}
	for quiet, pages := 0, 0; quiet < patience; pages++ {
		iterator, more := value.(string)
		if !more {
			return all, nil, nil
		}
		if pages == maxPages {
			return nil, nil, errPages
		}
		if a, err = v.r.target.call(ctx, "GetRecords", members("ShardIterator", iterator)); err != nil || a.Status != http.StatusOK {
			return nil, a, err
		}
		list, _ := a.member("Records")
		page, _ := list.([]any)
		for i := range page {
			sequence, _ := lookup(page[i], "dynamodb.SequenceNumber")
			text, _ := sequence.(string)
			all = append(all, streamRecord{page[i], shard, text})
		}
		if quiet++; len(page) > 0 {
			quiet = 0
		}
		value, _ = a.member("NextShardIterator")
	}
	return all, nil, nil
}

// members makes a JSON object of names and texts.
func members(pairs ...string) string {
	object := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i]] = pairs[i+1]
	}
	js, _ := json.Marshal(object) // texts always have a form in JSON
	return string(js)
}
