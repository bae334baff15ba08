package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJournal appends a result to a journal: JSON, one result a line. A run that was interrupted goes on from its
// journal.
func WriteJournal(w io.Writer, res Result) error {
	js, err := json.Marshal(res)
	if err != nil {
		return err
	}
	_, err = w.Write(append(js, '\n'))
	return err
}

// ReadJournal reads the results of earlier runs, by "file/name", for Resume. Those without an answer are left out, so
// that they run again. A last line that was cut off is ignored.
func ReadJournal(r io.Reader) (map[string]Result, error) {
	done := map[string]Result{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return done, nil
		}
		if err != nil {
			return nil, err
		}
		var res Result
		if err := json.Unmarshal(line, &res); err != nil {
			return nil, fmt.Errorf("journal, line %d: %w", n, err)
		}
		if res.Outcome == Passed || res.Outcome == Differs {
			done[res.ID()] = res
		}
	}
}
