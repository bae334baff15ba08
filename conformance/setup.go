package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// createRequest returns the CreateTable request of a table.
func (t Table) createRequest(s *scope, name string, tags map[string]string) (string, error) {
	request := map[string]any{"TableName": name}
	if len(t.Keys.Hash) > 0 {
		request["KeySchema"] = keySchema(t.Keys)
		request["AttributeDefinitions"] = t.definitions()
		request["BillingMode"] = "PAY_PER_REQUEST"
	}
	var local, global []any
	for _, x := range t.Local {
		local = append(local, indexRequest(x, Keys{Hash: t.Keys.Hash, Range: x.Keys.Range}))
	}
	for _, x := range t.Global {
		global = append(global, indexRequest(x, x.Keys))
	}
	if local != nil {
		request["LocalSecondaryIndexes"] = local
	}
	if global != nil {
		request["GlobalSecondaryIndexes"] = global
	}
	if len(tags) > 0 {
		var list []any
		for k, v := range tags {
			list = append(list, map[string]any{"Key": k, "Value": v})
		}
		request["Tags"] = list
	}
	if t.With != "" {
		js, err := s.expandJSON(t.With)
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal([]byte(js), &request); err != nil {
			return "", err
		}
	}
	js, err := json.Marshal(request)
	return string(js), err
}

func keySchema(k Keys) []any {
	var out []any
	for _, a := range k.Hash {
		out = append(out, map[string]any{"AttributeName": a.Name, "KeyType": "HASH"})
	}
	for _, a := range k.Range {
		out = append(out, map[string]any{"AttributeName": a.Name, "KeyType": "RANGE"})
	}
	return out
}

func indexRequest(x Index, keys Keys) map[string]any {
	projection := map[string]any{"ProjectionType": x.Projection}
	if len(x.NonKey) > 0 {
		projection["NonKeyAttributes"] = x.NonKey
	}
	return map[string]any{"IndexName": x.Name, "KeySchema": keySchema(keys), "Projection": projection}
}

// definitions lists each key attribute of the table and its indexes once.
func (t Table) definitions() []any {
	all := slices.Concat(t.Keys.Hash, t.Keys.Range)
	for _, x := range slices.Concat(t.Local, t.Global) {
		all = append(all, slices.Concat(x.Keys.Hash, x.Keys.Range)...)
	}
	var out []any
	seen := map[string]bool{}
	for _, a := range all {
		if !seen[a.Name] {
			seen[a.Name] = true
			out = append(out, map[string]any{"AttributeName": a.Name, "AttributeType": a.Type})
		}
	}
	return out
}

// items lists the requests that put a table's items, at most 25 items each.
func (t Table) items(s *scope, name string) ([]string, error) {
	var puts []string
	for _, f := range t.Items {
		for i := 1; i <= max(1, f.Count); i++ {
			text := f.Item
			if f.Count > 0 {
				text = numbered(text, i)
			}
			js, err := s.expandJSON(text)
			if err != nil {
				return nil, err
			}
			puts = append(puts, `{"PutRequest": {"Item": `+js+`}}`)
		}
	}
	var out []string
	for chunk := range slices.Chunk(puts, 25) {
		out = append(out, fmt.Sprintf(`{"RequestItems": {%q: [%s]}}`, name, strings.Join(chunk, ", ")))
	}
	return out, nil
}

// made is what became of the tables of a file.
type made struct {
	account string           // of their ARNs
	tables  []string         // those that may exist now, by their names on the target
	failed  map[string]error // those that the target refused to make or to fill, by their names in the file
}

// setUp creates tables of a file side by side and fills them. A refusal concerns one table; an error, all.
func (r *Runner) setUp(ctx context.Context, tables []Table, names *scope) (m made, err error) {
	m.failed = map[string]error{}
	for _, t := range tables {
		request, err := t.createRequest(names, names.text[t.Name], r.target.Tags)
		if err != nil {
			return m, err
		}
		a, err := r.insist(ctx, "CreateTable", request)
		if errors.As(err, new(*refusal)) {
			m.failed[t.Name] = fmt.Errorf("table %s: %w", t.Name, err)
			continue
		}
		m.tables = append(m.tables, names.text[t.Name])
		if err != nil {
			return m, fmt.Errorf("table %s: %w", t.Name, err)
		}
		if arn, ok := a.member("TableDescription.TableArn"); ok && m.account == "" {
			m.account = accountOf(arn)
		}
	}
	for _, t := range tables {
		if m.failed[t.Name] != nil {
			continue
		}
		err := r.furnish(ctx, t, names)
		if errors.As(err, new(*refusal)) {
			m.failed[t.Name] = fmt.Errorf("table %s: %w", t.Name, err)
		} else if err != nil {
			return m, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return m, nil
}

// furnish waits for a new table and puts its items.
func (r *Runner) furnish(ctx context.Context, t Table, names *scope) error {
	if err := r.waitFor(ctx, names.text[t.Name], "", "ACTIVE"); err != nil {
		return err
	}
	requests, err := t.items(names, names.text[t.Name])
	if err != nil {
		return err
	}
	for _, request := range requests {
		if err := r.fill(ctx, request); err != nil {
			return err
		}
	}
	return nil
}

// refusal is an answer that says no.
type refusal struct {
	operation string
	answer    *Answer
}

func (e *refusal) Error() string {
	return fmt.Sprintf("%s: HTTP %d %s", e.operation, e.answer.Status, describe(string(e.answer.Raw), 300))
}

// fill writes a batch, and what the target left over.
func (r *Runner) fill(ctx context.Context, request string) error {
	for {
		a, err := r.insist(ctx, "BatchWriteItem", request)
		if err != nil {
			return err
		}
		left, _ := a.member("UnprocessedItems")
		if m, ok := left.(map[string]any); !ok || len(m) == 0 {
			return nil
		}
		js, err := json.Marshal(map[string]any{"RequestItems": left})
		if err != nil {
			return err
		}
		request = string(js)
	}
}

// insist calls an operation that has to succeed, again and again while the target is busy.
func (r *Runner) insist(ctx context.Context, operation, request string) (*Answer, error) {
	for pause := r.target.Poll; ; pause = min(2*pause, 10*r.target.Poll) {
		a, err := r.target.call(ctx, operation, request)
		if err != nil {
			return nil, err
		}
		switch code := a.code(); {
		case a.Status == http.StatusOK && code == "":
			return a, nil
		case (busy(code) || a.Status >= 500) && (operation != "CreateTable" || code != "ResourceInUseException"):
			if err := r.pause(ctx, pause); err != nil {
				return nil, fmt.Errorf("%s: %w; last answer: %s", operation, err, describe(string(a.Raw), 300))
			}
		default:
			return nil, &refusal{operation, a}
		}
	}
}

// busy reports whether an error means that the same call may succeed later.
func busy(code string) bool {
	switch code {
	case "LimitExceededException", "ThrottlingException", "ProvisionedThroughputExceededException",
		"RequestLimitExceeded", "ResourceInUseException", "InternalServerError":
		return true
	}
	return false
}

// waitFor waits until a table or one of its global indexes has a status, or is gone.
func (r *Runner) waitFor(ctx context.Context, table, index, state string) error {
	ctx, cancel := context.WithTimeout(ctx, r.target.Settle)
	defer cancel()
	request := fmt.Sprintf(`{"TableName": %q}`, table)
	for pause := r.target.Poll; ; pause = min(2*pause, 10*r.target.Poll) {
		a, err := r.target.call(ctx, "DescribeTable", request)
		if err != nil {
			return fmt.Errorf("waiting for %s to be %s: %w", table, state, err)
		}
		now := stateOf(a, index)
		if now == state {
			return nil
		}
		if now == "" {
			return fmt.Errorf("waiting for %s to be %s: HTTP %d %s", table, state, a.Status, describe(string(a.Raw), 300))
		}
		if err := r.pause(ctx, pause); err != nil {
			return fmt.Errorf("%s is %s, and was not %s in time: %w", table, now, state, err)
		}
	}
}

// stateOf reads the state of a table or index from a DescribeTable answer; "" when it can't be told.
func stateOf(a *Answer, index string) string {
	if a.code() == "ResourceNotFoundException" {
		return "gone"
	}
	status, _ := a.member("Table.TableStatus")
	if index == "" {
		s, _ := status.(string)
		return s
	}
	if status == nil {
		return ""
	}
	list, _ := a.member("Table.GlobalSecondaryIndexes")
	all, _ := list.([]any)
	for i := range all {
		if name, _ := lookup(all[i], "IndexName"); name == index {
			s, _ := lookup(all[i], "IndexStatus")
			text, _ := s.(string)
			return text
		}
	}
	return "gone"
}

// drop deletes a table, if there is one.
func (r *Runner) drop(ctx context.Context, table string) error {
	request := fmt.Sprintf(`{"TableName": %q}`, table)
	for pause := r.target.Poll; ; pause = min(2*pause, 10*r.target.Poll) {
		a, err := r.target.call(ctx, "DeleteTable", request)
		if err != nil {
			return fmt.Errorf("deleting %s: %w", table, err)
		}
		name, message, _ := a.errorType()
		code := a.code()
		switch {
		case a.Status == http.StatusOK && name == "", code == "ResourceNotFoundException":
			return nil
		case code == "ResourceInUseException" && strings.Contains(message, "being deleted"):
			return nil
		case strings.Contains(message, "protected against deletion"):
			if _, err := r.insist(ctx, "UpdateTable",
				fmt.Sprintf(`{"TableName": %q, "DeletionProtectionEnabled": false}`, table)); err != nil {
				return err
			}
		case busy(code) || a.Status >= 500:
			if err := r.pause(ctx, pause); err != nil {
				return fmt.Errorf("deleting %s: %w; last answer: %s", table, err, describe(string(a.Raw), 300))
			}
		default:
			return fmt.Errorf("deleting %s: HTTP %d %s", table, a.Status, describe(string(a.Raw), 300))
		}
	}
}

// dropAll deletes tables even though the run was interrupted.
func (r *Runner) dropAll(tables []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.target.Settle)
	defer cancel()
	var errs []error
	for _, name := range tables {
		errs = append(errs, r.drop(ctx, name))
	}
	return errors.Join(errs...)
}

// accountOf reads the account from an ARN.
func accountOf(arn any) string {
	s, _ := arn.(string)
	parts := strings.Split(s, ":")
	if len(parts) < 6 {
		return ""
	}
	return parts[4]
}
