package conformance_test

import (
	"testing"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

const recordsCase = `topic Records
table t pk S
    with {"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}
table off pk S

case all shards are read, in the order of the sequence numbers
    PutItem t {"Item": {"pk": {"S": "a"}}}
    PutItem t {"Item": {"pk": {"S": "b"}}}
    PutItem t {"Item": {"pk": {"S": "c"}}}
    PutItem t {"Item": {"pk": {"S": "d"}}}
    DeleteItem t {"Key": {"pk": {"S": "a"}}}
    records t {}
        => {"Records": [
            {"dynamodb": {"Keys": {"pk": {"S": "a"}}, ...}, ...},
            {"dynamodb": {"Keys": {"pk": {"S": "b"}}, ...}, ...},
            {"dynamodb": {"Keys": {"pk": {"S": "c"}}, ...}, ...},
            {"dynamodb": {"Keys": {"pk": {"S": "d"}}, ...}, ...},
            {"eventName": "REMOVE", ...}
        ], "Shards": [~object, ...], "StreamArn": ~arn}
        keep arn = StreamArn

case the records of one item, by the stream
    DescribeTable t {}
        keep arn = Table.LatestStreamArn
    records {"StreamArn": "${arn}", "Keys": {"pk": {"S": "a"}}}
        => {"Records": [{"eventName": "INSERT", ...}, {"eventName": "REMOVE", ...}], "Shards": [~object], "StreamArn": "${arn}"}

case no records
    records t {"Keys": {"pk": {"S": "e"}}}
        => {"Records": [], "Shards": [], "StreamArn": ~arn}

case an error is the answer
    records off {}
        ! ValidationException
    records {"TableName": "${missing}"}
        ! ResourceNotFoundException
`

// TestRecords reads a stream that has several shards.
func TestRecords(t *testing.T) {
	t.Parallel()
	script, err := conformance.Parse("records.txt", recordsCase)
	if err != nil {
		t.Fatal(err)
	}
	db := dynalite.Start(t, dynalite.WithPartitions(3))
	conformance.Run(t, conformance.InProcess(db.Transport()), conformance.WithScripts(script))
}
