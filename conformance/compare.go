package conformance

import (
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// difference compares an answer with what is expected and returns "" or a diff (-want +got). Of several expectations,
// those for either wording of a target that may speak both, one is enough.
func difference(s *scope, wants []Want, target Wording, a *Answer) (string, error) {
	if len(wants) == 0 {
		return diffOf(map[string]any{"status": 200.0}, withoutBody(a)), nil
	}
	first := ""
	for _, w := range wants {
		if !w.Wording.admits(target) {
			continue
		}
		d, err := differenceTo(s, w, a)
		if err != nil || d == "" {
			return "", err
		}
		if first == "" {
			first = d
		}
	}
	if first == "" {
		return "", errors.New("nothing is expected under this wording")
	}
	return first, nil
}

// withoutBody shows of a success only its status, and of a failure all of it.
func withoutBody(a *Answer) map[string]any {
	if a.Status == http.StatusOK {
		return map[string]any{"status": 200.0}
	}
	return shown(a, true, "")
}

// shown is an answer as one JSON value: status, and the body of a success; type, message and further members of an
// error. The type loses its prefix unless it is asked for by one.
func shown(a *Answer, message bool, expectedType string) map[string]any {
	out := map[string]any{"status": float64(a.Status)}
	name, text, isError := a.errorType()
	if !isError {
		out["body"] = a.JSON
		return out
	}
	if !strings.Contains(expectedType, "#") {
		name = name[strings.LastIndexByte(name, '#')+1:]
	}
	out["type"] = name
	if message {
		out["message"] = text
	}
	for k, v := range a.JSON.(map[string]any) {
		if k != "__type" && k != "message" && k != "Message" {
			out[k] = v
		}
	}
	return out
}

// differenceTo compares an answer with one expectation.
func differenceTo(s *scope, w Want, a *Answer) (string, error) {
	want, got, err := w.sides(s, a)
	if err != nil {
		return "", err
	}
	for _, h := range w.Headers {
		local := &scope{text: map[string]string{"crc32": a.crc()}, captured: s.captured}
		for k, v := range s.text {
			local.text[k] = v
		}
		p, err := local.message(h.Value)
		if err != nil {
			return "", err
		}
		key := "header " + h.Name
		values := a.Header.Values(h.Name)
		if len(values) > 0 {
			got[key] = strings.Join(values, ", ")
		}
		if v := p.resolve(got[key], len(values) > 0); v != (absent{}) {
			want[key] = v
		}
	}
	return diffOf(want, got), nil
}

// sides builds the two JSON values that a diff compares.
func (w Want) sides(s *scope, a *Answer) (want, got map[string]any, err error) {
	var body pattern = loose{accept: func(any) bool { return true }, text: "any"}
	if w.Body != "" {
		js, err := s.expandJSON(w.Body)
		if err != nil {
			return nil, nil, err
		}
		if body, err = parsePattern(js); err != nil {
			return nil, nil, err
		}
	}
	if w.Error == "" {
		want = map[string]any{"status": status(w.Status, http.StatusOK)}
		if _, _, isError := a.errorType(); isError && want["status"] == 200.0 {
			want["body"] = body.resolve(nil, false)
			return want, shown(a, true, ""), nil
		}
		got = map[string]any{"status": float64(a.Status), "body": a.JSON}
		want["body"] = body.resolve(a.JSON, true)
		return want, got, nil
	}
	name, err := s.expandText(w.Error)
	if err != nil {
		return nil, nil, err
	}
	got = shown(a, w.HasMessage, name)
	if !w.HasMessage && w.Body == "" {
		// Only the type matters.
		for k := range got {
			if k != "status" && k != "type" && k != "body" {
				delete(got, k)
			}
		}
	}
	want = map[string]any{"status": status(w.Status, http.StatusBadRequest), "type": name}
	if w.HasMessage {
		p, err := s.message(w.Message)
		if err != nil {
			return nil, nil, err
		}
		message, present := got["message"]
		want["message"] = p.resolve(message, present)
	}
	if w.Body != "" {
		further := map[string]any{}
		for k, v := range got {
			if k != "status" && k != "type" && k != "message" {
				further[k] = v
			}
		}
		resolved, _ := body.resolve(further, true).(map[string]any)
		for k, v := range resolved {
			want[k] = v
		}
	}
	return want, got, nil
}

func status(n, standard int) float64 {
	if n == 0 {
		n = standard
	}
	return float64(n)
}

// maxDiff bounds a diff in a report.
const maxDiff = 4000

// diffOf returns "" for equal values and else a diff of them.
func diffOf(want, got map[string]any) string {
	if equal(want, got) {
		return ""
	}
	d := cmp.Diff(clipped(want), clipped(got))
	if d == "" {
		d = "long values differ beyond the part that is compared here"
	}
	return describe(d, maxDiff)
}

// clipped shortens long strings, so that a diff of large values stays readable and is made in reasonable time.
func clipped(v any) any {
	switch v := v.(type) {
	case string:
		return describe(v, maxCompared)
	case []any:
		out := make([]any, 0, min(len(v), maxShownElements))
		for i, e := range v {
			if i == maxShownElements {
				out = append(out, "… and more")
				break
			}
			out = append(out, clipped(e))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = clipped(e)
		}
		return out
	default:
		return v
	}
}

// maxShownElements bounds a list in a diff.
const maxShownElements = 200
