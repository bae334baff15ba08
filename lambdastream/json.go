package lambdastream

import (
	"strconv"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// The JSON of an event is written from the records themselves: items are JSON text already. It reads as the same
// events.DynamoDBEvent that newEvent makes.

// appendEvent prints the event of a batch.
func appendEvent(dst []byte, records []api.Record, streamARN string) []byte {
	dst = append(dst, `{"Records":[`...)
	for i := range records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendRecord(dst, &records[i], streamARN)
	}
	return append(dst, `]}`...)
}

func appendRecord(dst []byte, rec *api.Record, streamARN string) []byte {
	dst = appendMember(append(dst, '{'), "eventID", rec.EventID)
	dst = appendMember(dst, "eventName", rec.EventName)
	dst = appendMember(dst, "eventVersion", rec.EventVersion)
	dst = appendMember(dst, "eventSource", rec.EventSource)
	dst = appendMember(dst, "awsRegion", rec.AWSRegion)
	dst = append(dst, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	dst = strconv.AppendInt(dst, rec.ApproximateCreationDateTime.Unix(), 10)
	if rec.Keys != nil {
		dst = rec.Keys.AppendJSON(append(dst, `,"Keys":`...))
	}
	if rec.NewImage != nil {
		dst = rec.NewImage.AppendJSON(append(dst, `,"NewImage":`...))
	}
	if rec.OldImage != nil {
		dst = rec.OldImage.AppendJSON(append(dst, `,"OldImage":`...))
	}
	dst = appendMember(dst, "SequenceNumber", rec.SequenceNumber)
	dst = strconv.AppendInt(append(dst, `,"SizeBytes":`...), rec.SizeBytes, 10)
	dst = append(appendMember(dst, "StreamViewType", rec.StreamViewType), '}')
	if id := rec.UserIdentity; id != nil {
		dst = appendMember(append(dst, `,"userIdentity":{`...), "type", id.Type)
		dst = append(appendMember(dst, "principalId", id.PrincipalID), '}')
	}
	return append(appendMember(dst, "eventSourceARN", streamARN), '}')
}

// appendMember adds a member with a string value to an object.
func appendMember(dst []byte, name, value string) []byte {
	if last := dst[len(dst)-1]; last != '{' {
		dst = append(dst, ',')
	}
	dst = append(append(append(dst, '"'), name...), `":`...)
	return appendString(dst, value)
}

const hexDigits = "0123456789abcdef"

// appendString prints a string of valid UTF-8.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, b := range []byte(s) {
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}

func appendTime(dst []byte, t time.Time, form string) []byte {
	return append(t.UTC().AppendFormat(append(dst, '"'), form), '"')
}

// recordOverhead is about what a record takes in an event besides keys and images.
const recordOverhead = 500

// payloadBytes is about what a record takes in an event, in bytes.
func payloadBytes(rec *api.Record) int {
	n := recordOverhead + len(rec.Keys.Text())
	if rec.NewImage != nil {
		n += len(rec.NewImage.Text())
	}
	if rec.OldImage != nil {
		n += len(rec.OldImage.Text())
	}
	return n
}
