package lambdastream

import (
	"github.com/aws/aws-lambda-go/events"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// newEvent makes the event of a batch. Nothing in it is shared with another event, except bytes of strings, so a
// handler may change it.
func newEvent(records []api.Record, streamARN string) events.DynamoDBEvent {
	e := events.DynamoDBEvent{Records: make([]events.DynamoDBEventRecord, len(records))}
	for i := range records {
		e.Records[i] = newEventRecord(&records[i], streamARN)
	}
	return e
}

func newEventRecord(rec *api.Record, streamARN string) events.DynamoDBEventRecord {
	out := events.DynamoDBEventRecord{
		AWSRegion:      rec.AWSRegion,
		EventID:        rec.EventID,
		EventName:      rec.EventName,
		EventSource:    rec.EventSource,
		EventVersion:   rec.EventVersion,
		EventSourceArn: streamARN,
		Change: events.DynamoDBStreamRecord{
			ApproximateCreationDateTime: events.SecondsEpochTime{Time: rec.ApproximateCreationDateTime},
			Keys:                        newImage(rec.Keys),
			NewImage:                    newImage(rec.NewImage),
			OldImage:                    newImage(rec.OldImage),
			SequenceNumber:              rec.SequenceNumber,
			SizeBytes:                   rec.SizeBytes,
			StreamViewType:              rec.StreamViewType,
		},
	}
	if id := rec.UserIdentity; id != nil {
		out.UserIdentity = &events.DynamoDBUserIdentity{Type: id.Type, PrincipalID: id.PrincipalID}
	}
	return out
}

// newImage turns an item into the form in which functions get it. No item is no map.
func newImage(it *attr.Item) map[string]events.DynamoDBAttributeValue {
	if it == nil {
		return nil
	}
	m := make(map[string]events.DynamoDBAttributeValue, it.Len())
	for name, v := range it.All() {
		m[name] = newValue(v)
	}
	return m
}

func newValue(v attr.Value) events.DynamoDBAttributeValue {
	switch v.Type() {
	case attr.S:
		return events.NewStringAttribute(v.Str())
	case attr.N:
		return events.NewNumberAttribute(v.NumberText())
	case attr.B:
		return events.NewBinaryAttribute(newBytes(v))
	case attr.BOOL:
		return events.NewBooleanAttribute(v.Bool())
	case attr.SS:
		return events.NewStringSetAttribute(newMembers(v, attr.Value.Str))
	case attr.NS:
		return events.NewNumberSetAttribute(newMembers(v, attr.Value.NumberText))
	case attr.BS:
		return events.NewBinarySetAttribute(newMembers(v, newBytes))
	case attr.L:
		return events.NewListAttribute(newMembers(v, newValue))
	case attr.M:
		m := make(map[string]events.DynamoDBAttributeValue)
		for name, member := range v.Members() {
			m[name] = newValue(member)
		}
		return events.NewMapAttribute(m)
	}
	return events.NewNullAttribute()
}

// newBytes is the content of a B, never nil.
func newBytes(v attr.Value) []byte {
	if b := v.Bytes(); b != nil {
		return b
	}
	return []byte{}
}

// newMembers turns the members of a set or a list, which may be empty but is never nil.
func newMembers[T any](v attr.Value, turn func(attr.Value) T) []T {
	out := make([]T, 0, v.Len())
	for e := range v.Elements() {
		out = append(out, turn(e))
	}
	return out
}
