package lambdastream

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// exact compares attribute values with their unexported parts.
var exact = cmp.AllowUnexported(events.DynamoDBAttributeValue{})

const allTypes = `{"S":{"S":"\"a\\b\u0001\u00e4\ud83d\ude00"},"empty":{"S":""},"N":{"N":"-12345678901234567890.5"},"B":{"B":"AAECgP8="},"noB":{"B":""},` +
	`"T":{"BOOL":true},"F":{"BOOL":false},"0":{"NULL":true},"SS":{"SS":["b","a",""]},"NS":{"NS":["2","1"]},"BS":{"BS":["AQ==",""]},` +
	`"L":{"L":[{"S":"x"},{"L":[]},{"M":{}},{"NULL":true}]},"M":{"M":{"a.b":{"M":{"c":{"N":"1"}}},"ä":{"BOOL":false}}}}`

// TestImage compares with what the events package reads from the item's JSON, as in a function.
func TestImage(t *testing.T) {
	t.Parallel()
	for _, text := range []string{allTypes, `{}`, `{"pk":{"S":"a"}}`} {
		it, err := attr.ParseItem(text)
		if err != nil {
			t.Fatal(err)
		}
		checkImage(t, it)
	}
	if got := newImage(nil); got != nil {
		t.Errorf("no item becomes %v", got)
	}
}

func checkImage(t *testing.T, it *attr.Item) {
	t.Helper()
	var want map[string]events.DynamoDBAttributeValue
	if err := json.Unmarshal([]byte(it.Text()), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, newImage(it), exact); diff != "" {
		t.Errorf("%s (-want +got)\n%s", it, diff)
	}
}

func FuzzImage(f *testing.F) {
	f.Add(allTypes)
	f.Add(`{"pk":{"S":"a"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if it, err := attr.ParseItem(text); err == nil {
			checkImage(t, it)
		}
	})
}

// TestEventJSON holds the JSON of an event to the event itself.
func TestEventJSON(t *testing.T) {
	t.Parallel()
	image, err := attr.ParseItem(allTypes)
	if err != nil {
		t.Fatal(err)
	}
	key := attr.NewItem(attr.Named("pk", attr.String("a")))
	at := time.Date(2026, 10, 8, 23, 7, 31, 0, time.UTC)
	records := []api.Record{
		{
			EventID: "5fb05c", EventName: "MODIFY", EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: "us-east-1",
			ApproximateCreationDateTime: at, Keys: key, NewImage: image, OldImage: key,
			SequenceNumber: "300000000000000499659", SizeBytes: 15, StreamViewType: api.ViewBoth,
		},
		{
			EventID: "6", EventName: "REMOVE", EventVersion: "1.1", EventSource: "aws:dynamodb", AWSRegion: "us-east-1",
			ApproximateCreationDateTime: at, Keys: key, SequenceNumber: "300000000000000499660", SizeBytes: 3, StreamViewType: api.ViewKeysOnly,
			UserIdentity: &api.Identity{PrincipalID: "dynamodb.amazonaws.com", Type: "Service"},
		},
	}
	for n := range records {
		const arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T/stream/2026-10-08T23:07:31.275"
		text := appendEvent(nil, records[:n+1], arn)
		var got events.DynamoDBEvent
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		for i := range got.Records {
			// The package reads times in the zone of the machine.
			x := &got.Records[i].Change.ApproximateCreationDateTime
			x.Time = x.UTC()
		}
		if diff := cmp.Diff(newEvent(records[:n+1], arn), got, exact); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestStringJSON(t *testing.T) {
	t.Parallel()
	const s = "a\"b\\c\n\x00\x1fä😀"
	var got string
	if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != s {
		t.Errorf("%q became %q, %v", s, got, err)
	}
}
