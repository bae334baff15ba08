package server

// Prefixes of X-Amz-Target. The one of 2011 is refused.
const (
	targetData    = "DynamoDB_20120810."
	targetStreams = "DynamoDBStreams_20120810."
)

// operations holds every operation by its target.
var operations = targets(
	map[string][]*operation{
		targetData:    {},
		targetStreams: {},
	})

func targets(byPrefix map[string][]*operation) map[string]*operation {
	table := map[string]*operation{}
	for prefix, ops := range byPrefix {
		for _, op := range ops {
			target := prefix + op.name
			if table[target] != nil {
				panic("server: two operations for " + target)
			}
			table[target] = op
		}
	}
	return table
}
