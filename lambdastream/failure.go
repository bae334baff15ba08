package lambdastream

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// Condition says why records were discarded.
type Condition string

// The conditions, as Lambda names them.
const (
	RetryAttemptsExhausted Condition = "RetryAttemptsExhausted"
	RecordAgeExceeded      Condition = "RecordAgeExceeded"
)

// Failure tells of records that were discarded. Its JSON method prints the document that Lambda sends to the
// on-failure destination of an event source mapping.
type Failure struct {
	RequestID   string // of the document, a UUID
	FunctionARN string
	Condition   Condition
	// InvokeCount is how often the handler was called with these records. Of records that got too old it is one
	// more, as in the service's recordings: the call that was not made any more counts.
	InvokeCount int
	// FunctionError is "Unhandled" when the last call failed, "" when it reported failures of items.
	FunctionError string
	Timestamp     time.Time

	StreamARN           string
	ShardID             string
	StartSequenceNumber string
	EndSequenceNumber   string
	FirstArrival        time.Time // ApproximateCreationDateTime of the first record
	LastArrival         time.Time
	BatchSize           int

	// Event holds the records themselves. Lambda sends it to S3 only.
	Event events.DynamoDBEvent
	// Err is what the last call failed with, nil when there was none.
	Err error
}

// newFailure describes a batch that is discarded.
func (l *shardLoop) newFailure(b *batch, why Condition, now time.Time) Failure {
	first, last := &b.records[0], &b.records[len(b.records)-1]
	f := Failure{
		RequestID:           requestID(first.EventID, now),
		FunctionARN:         l.consumer.functionARN(),
		Condition:           why,
		InvokeCount:         b.calls,
		FunctionError:       b.functionError,
		Timestamp:           now,
		StreamARN:           l.stream.arn,
		ShardID:             l.id,
		StartSequenceNumber: first.SequenceNumber,
		EndSequenceNumber:   last.SequenceNumber,
		FirstArrival:        first.ApproximateCreationDateTime,
		LastArrival:         last.ApproximateCreationDateTime,
		BatchSize:           len(b.records),
		Event:               newEvent(b.records, l.stream.arn),
		Err:                 b.err,
	}
	if why == RecordAgeExceeded {
		f.InvokeCount++
	}
	return f
}

// requestID makes a UUID that is the same in each run of a test with a manual clock.
func requestID(eventID string, now time.Time) string {
	sum := md5.Sum(now.UTC().AppendFormat([]byte(eventID), time.RFC3339Nano))
	sum[6], sum[8] = sum[6]&0x0f|0x30, sum[8]&0x3f|0x80 // version 3
	s := hex.EncodeToString(sum[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// JSON returns the document that Lambda sends to a queue or a topic. What is in it is known from recordings of the
// service, made in 2025: responseContext is absent when records got too old, functionError is null when the call
// reported failures of items.
func (f *Failure) JSON() []byte {
	dst := appendMember([]byte(`{"requestContext":{`), "requestId", f.RequestID)
	dst = appendMember(dst, "functionArn", f.FunctionARN)
	dst = appendMember(dst, "condition", string(f.Condition))
	dst = strconv.AppendInt(append(dst, `,"approximateInvokeCount":`...), int64(f.InvokeCount), 10)
	dst = append(dst, '}')
	if f.Condition != RecordAgeExceeded {
		dst = append(dst, `,"responseContext":{"statusCode":200,"executedVersion":"$LATEST","functionError":`...)
		if f.FunctionError == "" {
			dst = append(dst, "null"...)
		} else {
			dst = appendString(dst, f.FunctionError)
		}
		dst = append(dst, '}')
	}
	dst = appendTime(append(dst, `,"version":"1.0","timestamp":`...), f.Timestamp, "2006-01-02T15:04:05.000Z")
	dst = appendMember(append(dst, `,"DDBStreamBatchInfo":{`...), "shardId", f.ShardID)
	dst = appendMember(dst, "startSequenceNumber", f.StartSequenceNumber)
	dst = appendMember(dst, "endSequenceNumber", f.EndSequenceNumber)
	dst = appendTime(append(dst, `,"approximateArrivalOfFirstRecord":`...), f.FirstArrival, time.RFC3339)
	dst = appendTime(append(dst, `,"approximateArrivalOfLastRecord":`...), f.LastArrival, time.RFC3339)
	dst = strconv.AppendInt(append(dst, `,"batchSize":`...), int64(f.BatchSize), 10)
	return append(appendMember(dst, "streamArn", f.StreamARN), `}}`...)
}

// functionARN is the ARN of a function of the configured name, beside the table.
func (c *Consumer) functionARN() string {
	account, region := c.config.account, c.config.region
	if account == "" {
		account = c.db.Account()
	}
	if region == "" {
		region = c.db.Region()
	}
	return "arn:aws:lambda:" + region + ":" + account + ":function:" + c.config.function
}
