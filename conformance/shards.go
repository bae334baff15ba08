package conformance

// manyShards lists the ids, captured ones, that stand for one of several shards of a stream, and the iterators of such
// shards. Another endpoint has its shards in another order, so what one of them holds can't be compared.
func manyShards(turns []*turn) map[string]bool {
	out := map[string]bool{}
	for _, t := range turns {
		switch t.Operation {
		case "DescribeStream":
			shards := t.response.member("StreamDescription", "Shards")
			if shards == nil || len(shards.list) < 2 {
				continue
			}
			for _, s := range shards.list {
				if id, ok := s.member("ShardId").str(); ok {
					out[id] = true
				}
			}
		case "GetShardIterator":
			shard, _ := t.request.member("ShardId").str()
			if id, ok := t.response.member("ShardIterator").str(); ok && out[shard] {
				out[id] = true
			}
		case "GetRecords":
			iterator, _ := t.request.member("ShardIterator").str()
			if id, ok := t.response.member("NextShardIterator").str(); ok && out[iterator] {
				out[id] = true
			}
		}
	}
	return out
}

// isOneOfMany reports whether a GetRecords reads one of several shards.
func isOneOfMany(t *turn, many map[string]bool) bool {
	iterator, _ := t.request.member("ShardIterator").str()
	return t.Operation == "GetRecords" && many[iterator]
}

// oneOfMany is why the records of a shard are not compared.
const oneOfMany = "the stream has several shards, and which is which can't be told"
