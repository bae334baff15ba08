package conformance_test

import (
	"strings"
	"testing"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// TestCaseOf: a captured conversation becomes a case that passes elsewhere, and reads as a person would write it.
func TestCaseOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]conformance.ProxyConfig{
		"described": {}, "guessed": {Quiet: true}, "masked": {Mask: conformance.NewMask("", conformance.NumbersHidden)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			traffic := captureOf(t, c, shopping)
			s, notes, err := conformance.CaseOf(traffic, conformance.CaseConfig{Name: "captured/shopping.txt", Wording: conformance.Current})
			if err != nil {
				t.Fatal(err)
			}
			text := conformance.Format(s)
			if len(notes) > 1 || len(notes) == 1 && !strings.Contains(notes[0], "its key is guessed from its use: p, s") {
				t.Errorf("notes: %q", notes)
			}
			target := conformance.InProcess(dynalite.Start(t, dynalite.WithAccount("999999999999"), dynalite.WithPartitions(1)).Transport())
			if report := run(t, target, conformance.WithScripts(s)); report.Failed() || len(report.Results) != 1 {
				t.Errorf("%s\n%s", report.Results[0].Text(), text)
			}
			if c.Mask != nil {
				return
			}
			for _, want := range []string{
				"topic Captured: shopping\n",
				"table was-there p S, s N\n    gsi byG g S ALL\n    item {\"p\": {\"S\": \"user#1\"}, \"s\": {\"N\": \"2\"}, \"g\": {\"S\": \"x\"}, \"v\": {\"S\": \"before 2\"}}\n",
				"    from captured 2026-11-30 from http://127.0.0.1:",
				"    unconfirmed\n    wording current\n    new orders\n    CreateTable orders {\"BillingMode\"",
				`"TableArn": "arn:aws:dynamodb:${region}:${account}:table/${orders}"`,
				"    wait orders ACTIVE\n",
				`"RequestItems": {"${orders}": [`,
				`{"Statement": "SELECT * FROM \"${orders}\" WHERE pk = 'a'"}`,
				`"ClientRequestToken": "${token}"`,
				`{"StreamArn": "${latestStreamArn}", "ShardId": "${shardId}"`,
				"keep shardIterator = ShardIterator\n",
				`{"ShardIterator": "${shardIterator}"}`,
				"GetItem missing {",
				`=> {"TableNames": ~list}`,
				"wait orders byV ACTIVE\n",
				"wait orders gone\n",
			} {
				if name == "guessed" && strings.HasPrefix(want, "table") {
					continue
				}
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

// TestCaseOfSetsUpTables: a table that is made once and used belongs to the file.
func TestCaseOfSetsUpTables(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, func(t *testing.T, _, url string) {
		ask(t, url, "CreateTable", strings.Replace(createOrders, `"BillingMode"`, `"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, "BillingMode"`, 1))
		_, made := ask(t, url, "DescribeTable", `{"TableName": "orders"}`)
		ask(t, url, "PutItem", `{"TableName": "orders", "Item": {"pk": {"S": "orders ${account} \"quoted\""}}}`)
		ask(t, url, "Scan", `{"TableName": "orders"}`)
		ask(t, url, "DescribeStream", `{"StreamArn": "`+between(made, `"LatestStreamArn":"`, `"`)+`"}`)
		ask(t, url, "Nonsense", `not ${JSON}`)
	})
	traffic.Info.Target, traffic.Info.Region = "https://dynamodb.eu-central-1.amazonaws.com", "eu-central-1"
	s, _, err := conformance.CaseOf(traffic, conformance.CaseConfig{Name: "x", Topic: "Orders"})
	if err != nil {
		t.Fatal(err)
	}
	text := conformance.Format(s)
	for _, want := range []string{
		"topic Orders\n\ntable orders pk S\n    with {\"StreamSpecification\": {\"StreamEnabled\": true, \"StreamViewType\": \"KEYS_ONLY\"}}\n\ncase orders\n    from captured 2026-11-30, eu-central-1\n    DescribeTable orders {}\n",
		`PutItem orders {"Item": {"pk": {"S": "orders $${account} \"quoted\""}}}`,
		`=> {"Count": 1, "Items": [{"pk": {"S": "orders $${account} \"quoted\""}}], "ScannedCount": 1}`,
		"keep latestStreamArn = Table.LatestStreamArn\n",
		"body not $${JSON}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	target := conformance.InProcess(dynalite.Start(t, dynalite.WithPartitions(1)).Transport())
	if report := run(t, target, conformance.WithScripts(s)); report.Failed() {
		t.Errorf("%s\n%s", report.Results[0].Text(), text)
	}
}

// TestCaseOfMinimal: what was minimised makes a short case, which fails where the traffic did.
func TestCaseOfMinimal(t *testing.T) {
	t.Parallel()
	traffic := captureOf(t, conformance.ProxyConfig{}, long)
	target := conformance.InProcess(&forgetful{next: dynalite.Start(t).Transport(), batch: map[string]bool{}})
	small, err := conformance.Minimize(t.Context(), target, traffic)
	if err != nil {
		t.Fatal(err)
	}
	s, notes, err := conformance.CaseOf(small.Traffic, conformance.CaseConfig{Name: "found/forgetful"})
	if err != nil || len(notes) > 0 {
		t.Fatalf("%v %q", err, notes)
	}
	text := conformance.Format(s)
	if len(s.Cases[0].Steps) != 3 || !strings.Contains(text, "reduced from 36 requests") {
		t.Errorf("%s", text)
	}
	if report := run(t, target, conformance.WithScripts(s)); report.Results[0].Outcome != conformance.Differs {
		t.Errorf("%s\n%s", report.Results[0].Text(), text)
	}
	right := conformance.InProcess(dynalite.Start(t).Transport())
	if report := run(t, right, conformance.WithScripts(s)); report.Failed() {
		t.Errorf("%s\n%s", report.Results[0].Text(), text)
	}
}

func TestCaseOfNothing(t *testing.T) {
	traffic, err := conformance.ReadTraffic("t.jsonl", strings.NewReader(`{"op":"PutItem","fault":"no answer"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, notes, err := conformance.CaseOf(traffic, conformance.CaseConfig{Name: "x"}); err == nil || len(notes) != 1 {
		t.Errorf("%v %q", err, notes)
	}
}
