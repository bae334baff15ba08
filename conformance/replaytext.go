package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Estimate is what replaying traffic on the real service costs, in dollars, on the high side.
func (t *Traffic) Estimate() float64 {
	total := 0.0
	for i := range t.Exchanges {
		e := &t.Exchanges[i]
		total += margin * stepPrice(e.Operation, len(e.Request))
		if e.Operation == "CreateTable" && strings.Contains(string(e.Request), "ProvisionedThroughput") {
			total += provisionedHour
		}
	}
	return total
}

// WriteText writes what differs, what there was no answer to, and a summary.
func (r *Replayed) WriteText(w io.Writer) error {
	var b strings.Builder
	skipped := map[string]int{}
	var reasons []string
	for _, res := range r.Results {
		switch res.Outcome {
		case Differs, Broken:
			fmt.Fprintf(&b, "%s\n\n", res.trafficText())
		case Skipped:
			if skipped[res.Detail]++; skipped[res.Detail] == 1 {
				reasons = append(reasons, res.Detail)
			}
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, why := range reasons {
		fmt.Fprintf(&b, "skipped %d: %s\n", skipped[why], why)
	}
	for _, fault := range r.CleanUp {
		fmt.Fprintf(&b, "left behind: %s\n", fault)
	}
	passed, differing, broken, left := r.Count()
	fmt.Fprintf(&b, "%s: %d requests: %d answered alike, %d differ", r.Target, len(r.Results), passed, differing)
	if broken > 0 {
		fmt.Fprintf(&b, ", %d without an answer", broken)
	}
	if left > 0 {
		fmt.Fprintf(&b, ", %d skipped", left)
	}
	fmt.Fprintf(&b, " in %v", r.Took)
	if r.Interrupted {
		b.WriteString("; interrupted")
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// trafficText is Text for a captured request.
func (r Result) trafficText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s: %s\nsent: %s", r.File, r.Case, r.Outcome, r.Request)
	if r.Received != "" {
		fmt.Fprintf(&b, "\nreceived: %s", r.Received)
	}
	if r.Outcome == Differs {
		b.WriteString("\n(-want +got)")
	}
	fmt.Fprintf(&b, "\n%s", r.Detail)
	return b.String()
}

// WriteJSON writes the report and its notes as one JSON object.
func (r *Replayed) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Report
		Notes []string `json:",omitempty"`
	}{r.Report, r.Notes})
}
