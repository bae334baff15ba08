package conformance

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Report is the outcome of a run.
type Report struct {
	Target      string
	Wording     string
	Started     time.Time
	Took        time.Duration
	Interrupted bool     `json:",omitempty"`
	CleanUp     []string `json:",omitempty"` // tables that could not be deleted, and why
	Results     []Result
}

// Count returns how many results have each outcome.
func (r *Report) Count() (passed, differing, broken, skipped int) { return count(r.Results) }

func count(results []Result) (passed, differing, broken, skipped int) {
	for _, res := range results {
		switch res.Outcome {
		case Passed:
			passed++
		case Differs:
			differing++
		case Broken:
			broken++
		case Skipped:
			skipped++
		}
	}
	return passed, differing, broken, skipped
}

// Failed reports whether the run is to end with an error: something differs, is broken, was interrupted or left behind.
func (r *Report) Failed() bool {
	_, differing, broken, _ := r.Count()
	return differing+broken > 0 || r.Interrupted || len(r.CleanUp) > 0
}

// Summary is one line.
func (r *Report) Summary() string {
	passed, differing, broken, skipped := r.Count()
	s := fmt.Sprintf("%d cases: %d passed, %d differ", len(r.Results), passed, differing)
	if broken > 0 {
		s += fmt.Sprintf(", %d could not run", broken)
	}
	if skipped > 0 {
		s += fmt.Sprintf(", %d skipped", skipped)
	}
	s += " in " + r.Took.String()
	if r.Interrupted {
		s += "; interrupted"
	}
	return s
}

// WriteText writes everything that didn't pass, and the summary.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, res := range r.Results {
		if res.Outcome == Differs || res.Outcome == Broken {
			b.WriteString(res.Text())
			b.WriteString("\n\n")
		}
	}
	for _, fault := range r.CleanUp {
		fmt.Fprintf(&b, "left behind: %s\n", fault)
	}
	fmt.Fprintf(&b, "%s: %s\n", r.Target, r.Summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the outcome's name.
func (o *Outcome) UnmarshalText(text []byte) error {
	for k := Passed; k <= Skipped; k++ {
		if k.String() == string(text) {
			*o = k
			return nil
		}
	}
	return fmt.Errorf("unknown outcome %q", text)
}

// WriteJUnit writes the report in the XML form that build servers read: a suite for each file.
func (r *Report) WriteJUnit(w io.Writer) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	type skipped struct {
		Message string `xml:"message,attr"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Time    string   `xml:"time,attr"`
		Failure *failure `xml:"failure,omitempty"`
		Error   *failure `xml:"error,omitempty"`
		Skipped *skipped `xml:"skipped,omitempty"`
	}
	type suite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	type suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Suites  []suite  `xml:"testsuite"`
	}
	out := suites{Name: r.Target, Time: seconds(r.Took)}
	for _, file := range r.byFile() {
		_, differing, broken, left := count(file)
		s := suite{Name: file[0].File, Tests: len(file), Failures: differing, Errors: broken, Skipped: left}
		for _, res := range file {
			c := testcase{Name: res.Case, Class: res.File, Time: seconds(res.Took)}
			switch res.Outcome {
			case Differs:
				c.Failure = &failure{"differs", printable(res.Text())}
			case Broken:
				c.Error = &failure{"could not run", printable(res.Text())}
			case Skipped:
				c.Skipped = &skipped{res.Detail}
			}
			s.Cases = append(s.Cases, c)
		}
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// printable replaces what XML can't hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '�'
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// byFile parts the results by file, in the order of the report.
func (r *Report) byFile() [][]Result {
	index := map[string]int{}
	var out [][]Result
	for _, res := range r.Results {
		i, ok := index[res.File]
		if !ok {
			i = len(out)
			index[res.File] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], res)
	}
	return out
}

// WriteMarkdown writes a table of how the target fares by area, the first part of a file's name.
func (r *Report) WriteMarkdown(w io.Writer) error {
	type row struct {
		area                               string
		passed, differing, broken, skipped int
	}
	var rows []row
	for _, res := range r.Results {
		area, _, _ := strings.Cut(res.File, "/")
		i := slices.IndexFunc(rows, func(x row) bool { return x.area == area })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{area: area})
		}
		p, d, b, s := count([]Result{res})
		rows[i].passed += p
		rows[i].differing += d
		rows[i].broken += b
		rows[i].skipped += s
	}
	var b strings.Builder
	b.WriteString("| Area | Cases | As DynamoDB | Differ | Could not run | Skipped | Share |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|\n")
	line := func(x row) {
		ran := x.passed + x.differing + x.broken
		share := "–"
		if ran > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(x.passed)/float64(ran))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s |\n",
			x.area, ran+x.skipped, x.passed, x.differing, x.broken, x.skipped, share)
	}
	sum := row{area: "**all**"}
	for _, x := range rows {
		line(x)
		sum.passed += x.passed
		sum.differing += x.differing
		sum.broken += x.broken
		sum.skipped += x.skipped
	}
	line(sum)
	_, err := io.WriteString(w, b.String())
	return err
}
