package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// conversation runs the steps of one case.
type conversation struct {
	r       *Runner
	scope   *scope
	request string // the request being answered, for the report
	answer  *Answer
}

// step runs one step and returns a diff, or an error when there is no answer to compare.
func (v *conversation) step(ctx context.Context, s Step) (diff string, err error) {
	if s.Kind == WaitStep {
		v.request = fmt.Sprintf("wait %s %s %s", s.Table, s.Index, s.State)
		return "", v.r.waitFor(ctx, v.scope.text[s.Table], s.Index, s.State)
	}
	deadline := v.r.clock.Now().Add(v.r.target.Eventual)
	for pause := 200 * time.Millisecond; ; pause *= 2 {
		v.answer = nil
		if v.answer, err = v.send(ctx, s); err != nil {
			return "", err
		}
		if diff, err = difference(v.scope, s.Want, v.r.target.Wording, v.answer); err != nil || diff == "" {
			break
		}
		if !mayLag(s) && !busy(v.answer.code()) || !v.r.clock.Now().Add(pause).Before(deadline) {
			return diff, nil
		}
		if err := v.r.pause(ctx, pause); err != nil {
			return diff, nil
		}
	}
	if err != nil {
		return "", err
	}
	return "", v.keep(s)
}

// mayLag reports whether the step is a read that the service may answer from an older state.
func mayLag(s Step) bool {
	switch s.Operation {
	case "GetItem", "BatchGetItem", "Query", "Scan", "ListTables", "DescribeTable", "DescribeTimeToLive",
		"ListTagsOfResource", "ListStreams", "DescribeStream", "GetRecords":
		return true
	}
	return false
}

func (v *conversation) send(ctx context.Context, s Step) (*Answer, error) {
	if s.Kind == HTTPStep {
		return v.sendHTTP(ctx, s)
	}
	operation, err := v.scope.expandText(s.Operation)
	if err != nil {
		return nil, err
	}
	body, err := v.scope.expandJSON(s.Body)
	if err != nil {
		return nil, err
	}
	if s.Table != "" {
		body = withTableName(body, v.scope.text[s.Table])
	}
	v.request = operation + " " + body
	if s.Records {
		v.request = "records " + body
		return v.records(ctx, body)
	}
	if s.Pages {
		return v.pages(ctx, operation, body, s.Segments)
	}
	return v.r.target.call(ctx, operation, body)
}

// withTableName puts TableName in front of the members of a JSON object.
func withTableName(body, name string) string {
	rest := strings.TrimPrefix(strings.TrimSpace(body), "{")
	if strings.HasPrefix(strings.TrimSpace(rest), "}") {
		return fmt.Sprintf(`{"TableName": %q%s`, name, rest)
	}
	return fmt.Sprintf(`{"TableName": %q, %s`, name, rest)
}

func (v *conversation) sendHTTP(ctx context.Context, s Step) (*Answer, error) {
	var headers []Header
	var shown strings.Builder
	method, err := v.scope.expandText(s.Method)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&shown, "%s %s", method, describe(s.Path, 200))
	for _, h := range s.Headers {
		value, err := v.scope.expandText(h.Value)
		if err != nil {
			return nil, err
		}
		headers = append(headers, Header{h.Name, value})
		fmt.Fprintf(&shown, "\n%s: %s", h.Name, describe(value, 200))
	}
	path, err := v.scope.expandText(s.Path)
	if err != nil {
		return nil, err
	}
	payload, err := v.scope.expandText(s.Payload)
	if err != nil {
		return nil, err
	}
	v.request = shown.String() + "\n" + payload
	body, err := pack(s.Encoding, payload)
	if err != nil {
		return nil, err
	}
	return v.r.target.send(ctx, method, path, headers, body)
}

// keep captures what later steps refer to.
func (v *conversation) keep(s Step) error {
	for _, k := range s.Keep {
		value, ok := v.answer.member(k.Path)
		if !ok {
			return fmt.Errorf("the answer has no %s to keep", k.Path)
		}
		js, err := json.Marshal(value)
		if err != nil {
			return err
		}
		v.scope.captured[k.Name] = string(js)
	}
	return nil
}

// maxPages stops a target that never ends its pages.
const maxPages = 1000

// errPages is reported for such a target.
var errPages = fmt.Errorf("the pages had no end after %d", maxPages)

// pages follows LastEvaluatedKey or NextToken, through all segments if there are any, and joins what it gets: the lists one after
// the other, the counts added, and the number of pages as Pages.
func (v *conversation) pages(ctx context.Context, operation, body string, segments int) (*Answer, error) {
	list, cursor, start := "Items", "LastEvaluatedKey", "ExclusiveStartKey"
	switch operation {
	case "ListTables":
		list, cursor, start = "TableNames", "LastEvaluatedTableName", "ExclusiveStartTableName"
	case "ExecuteStatement":
		cursor, start = "NextToken", "NextToken"
	}
	joined := map[string]any{}
	elements := []any{}
	pages := 0.0
	for segment := range max(segments, 1) {
		var request map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &request); err != nil {
			return nil, err
		}
		if segments > 0 {
			request["Segment"] = json.RawMessage(fmt.Sprint(segment))
			request["TotalSegments"] = json.RawMessage(fmt.Sprint(segments))
		}
		for {
			js, err := json.Marshal(request)
			if err != nil {
				return nil, err
			}
			a, err := v.r.target.call(ctx, operation, string(js))
			if err != nil {
				return nil, err
			}
			page, ok := a.JSON.(map[string]any)
			if a.Status != http.StatusOK || !ok {
				return a, nil
			}
			if pages++; pages > maxPages {
				return nil, errPages
			}
			part, ok := page[list].([]any)
			elements = append(elements, part...)
			if ok {
				joined[list] = elements
			}
			for _, n := range []string{"Count", "ScannedCount"} {
				if add, ok := page[n].(float64); ok {
					sum, _ := joined[n].(float64)
					joined[n] = sum + add
				}
			}
			next, more := page[cursor]
			if !more {
				break
			}
			if request[start], err = json.Marshal(next); err != nil {
				return nil, err
			}
		}
	}
	joined["Pages"] = pages
	return &Answer{Status: http.StatusOK, Header: http.Header{}, JSON: joined}, nil
}

// reason says why there was no answer.
func reason(ctx context.Context, err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer within the deadline: " + err.Error()
	}
	if ctx.Err() != nil {
		return "interrupted"
	}
	return err.Error()
}
