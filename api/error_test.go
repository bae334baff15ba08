package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/attr"
)

var (
	classic   = Profile{}
	current   = Profile{Current: true}
	enveloped = Profile{Current: true, Envelope: true}
)

func TestText(t *testing.T) {
	const (
		rcc  = "Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
		name = "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
		cur  = "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
		null = "Value null at 'key' failed to satisfy constraint: Member must not be null"
		bare = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
	)
	tests := []struct {
		name string
		err  *Error
		p    Profile
		want string
	}{
		{"plain", Validation("m"), enveloped, "m"},
		{"classic text", ValidationBoth("a", "b"), classic, "a"},
		{"current text", ValidationBoth("a", "b"), current, "b"},
		{"enveloped text", ValidationBoth("a", "b"), enveloped, "1 validation error detected: b"},
		{"no current text", ValidationEnv("a"), enveloped, "1 validation error detected: a"},
		{"one", Constraints([]Violation{{Text: rcc}}), classic, "1 validation error detected: " + rcc},
		{"one, current", Constraints([]Violation{{Text: name, Current: cur}}), current, "1 validation error detected: " + cur},
		{"two", Constraints([]Violation{{Text: rcc}, {Text: name}}), classic, "2 validation errors detected: " + rcc + "; " + name},
		{"stages", Constraints([]Violation{{Text: rcc, CurrentStage: 2}, {Text: name, Current: cur, CurrentStage: 1}}), enveloped,
			"1 validation error detected: " + cur},
		{"missing makes classic", Constraints([]Violation{{Text: name, Current: cur, CurrentStage: 1}, {Text: null, CurrentStage: 3, Missing: true}}), enveloped,
			"2 validation errors detected: " + name + "; " + null},
		{"bare", Constraints([]Violation{{Text: "x", Current: bare, Bare: true}}), current, bare},
		{"bare in an envelope", Constraints([]Violation{{Text: "x", Current: bare, Bare: true}}), enveloped,
			"1 validation error detected: " + bare},
		{"bare is current only", Constraints([]Violation{{Text: rcc, Current: bare, Bare: true}}), classic, "1 validation error detected: " + rcc},
		{"whole", Constraints([]Violation{{Text: "w", Whole: true, Stage: 1}, {Text: rcc, Stage: 2}}), classic, "w"},
		{"whole, current", Constraints([]Violation{{Text: "w", Whole: true, Current: cur}}), current, "1 validation error detected: " + cur},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.err.Text(tt.p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTextPrintsTen(t *testing.T) {
	vs := make([]Violation, 12)
	for i := range vs {
		vs[i].Text = "e"
	}
	want := "10 validation errors detected: e; e; e; e; e; e; e; e; e; e"
	if diff := cmp.Diff(want, Constraints(vs).Error()); diff != "" {
		t.Error(diff)
	}
	if Constraints(nil) != nil {
		t.Error("no violations make no error")
	}
}

// TestProfileOf is the us-east-1 column of behaviours.md and the table of behaviours/03 §3.1.
func TestProfileOf(t *testing.T) {
	tests := map[string]Profile{
		"PutItem": enveloped, "UpdateItem": enveloped, "DeleteItem": enveloped,
		"GetItem": current, "BatchGetItem": current, "Query": current,
		"Scan": classic, "BatchWriteItem": classic, "TransactWriteItems": classic, "TransactGetItems": classic,
		"CreateTable": classic, "UpdateTimeToLive": classic, "ExecuteStatement": classic, "GetRecords": classic,
	}
	for op, want := range tests {
		if got := ProfileOf(op, WordingCurrent); got != want {
			t.Errorf("ProfileOf(%s) = %+v, want %+v", op, got, want)
		}
		if got := ProfileOf(op, WordingClassic); got != classic {
			t.Errorf("ProfileOf(%s, classic) = %+v", op, got)
		}
	}
}

func TestWording(t *testing.T) {
	for _, w := range []Wording{WordingCurrent, WordingClassic} {
		if got, ok := ParseWording(w.String()); got != w || !ok {
			t.Errorf("ParseWording(%q) = %v, %v", w.String(), got, ok)
		}
	}
	if _, ok := ParseWording("Classic"); ok {
		t.Error("names are case-sensitive")
	}
}

func TestFaults(t *testing.T) {
	_, fault := attr.NumberValue("x")
	const text = "The parameter cannot be converted to a numeric value: x"
	tests := []struct {
		name string
		err  *Error
		p    Profile
		want string
	}{
		{"item", FaultError(fault), classic, text},
		{"item, current", FaultError(fault), current, text},
		{"item, enveloped", FaultError(fault), enveloped, "1 validation error detected: " + text},
		{"value", ValueFaultError(fault, ":v"), classic,
			"ExpressionAttributeValues contains invalid value: " + text + " for key :v"},
		{"value, current", ValueFaultError(fault, ":v"), current, text},
		{"value, enveloped", ValueFaultError(fault, ":v"), enveloped, "1 validation error detected: " + text},
		{"no envelope ever", FaultError(&attr.Fault{Kind: attr.FaultManyTypes}), enveloped, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.err.Text(tt.p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTransactionCanceled(t *testing.T) {
	err := TransactionCanceled([]CancellationReason{{Code: ReasonNone}, {Code: ReasonConditionalCheckFailed}})
	want := "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"
	if err.Error() != want || err.Code != CodeTransactionCanceled || err.Status() != 400 {
		t.Errorf("got %s: %s", err.Code, err)
	}
}

func TestStatus(t *testing.T) {
	for code, want := range map[string]int{
		CodeValidation: 400, CodeResourceNotFound: 400, CodeInternalServerError: 500, CodeInternalFailure: 500,
		CodeServiceUnavailable: 503, CodeInvalidEndpoint: 421,
	} {
		if got := (&Error{Code: code}).Status(); got != want {
			t.Errorf("%s: status %d, want %d", code, got, want)
		}
	}
}

func TestResetKeepsStorage(t *testing.T) {
	in := PutItemInput{
		TableName:                 Some("t"),
		ExpressionAttributeNames:  []Name{{"#a", "a"}},
		ExpressionAttributeValues: []NamedValue{{Name: ":v"}},
	}
	in.Reset()
	if cap(in.Spare.Names) != 1 || cap(in.Spare.Values) != 1 {
		t.Error("storage is lost")
	}
	if in.Spare.Names[:1][0] != (Name{}) || in.Spare.Values[:1][0].Name != "" {
		t.Error("old strings are kept alive")
	}
	if in.TableName.Set || in.ExpressionAttributeNames != nil || in.ExpressionAttributeValues != nil {
		t.Error("the request is not forgotten")
	}
	in.Reset()
	if cap(in.Spare.Names) != 1 {
		t.Error("storage is lost by a request without names")
	}
}
