package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dynalite-go/dynalite/api"
)

func TestScopeTable(t *testing.T) {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"
	invalid := func(ref string) texts {
		return plain("Invalid TableArn: Invalid ResourceArn provided as input " + ref)
	}
	tests := []struct {
		ref, want string
		err       texts
	}{
		{ref: "Orders", want: "Orders"},
		{ref: "x", want: "x"}, // too short a name is only not found
		{ref: "arn", want: "arn"},
		{ref: arn, want: "Orders"},
		{ref: "arn:aws-cn:dynamodb:us-east-1:000000000000:table/a.b-c_9", want: "a.b-c_9"},
		{
			ref: "arn:aws:dynamodb:eu-west-2:000000000000:table/Orders",
			err: plain("1 validation error detected: Invalid AWS region in 'arn:aws:dynamodb:eu-west-2:000000000000:table/Orders'"),
		},
		{
			ref: "arn:aws:dynamodb:us-east-1:111111111111:table/Orders",
			err: texts{code: api.CodeAccessDenied, classic: "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:GetItem" +
				" on resource: arn:aws:dynamodb:us-east-1:111111111111:table/Orders because no resource-based policy allows the dynamodb:GetItem action"},
		},
		{ // the account is judged before the region
			ref: "arn:aws:dynamodb:eu-west-2:111111111111:table/Orders",
			err: texts{code: api.CodeAccessDenied, classic: "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:GetItem" +
				" on resource: arn:aws:dynamodb:eu-west-2:111111111111:table/Orders because no resource-based policy allows the dynamodb:GetItem action"},
		},
		{ref: arn + "/index/i", err: invalid(arn + "/index/i")},
		{ref: arn + "/stream/2026-01-01T00:00:00.000", err: invalid(arn + "/stream/2026-01-01T00:00:00.000")},
		{ref: "arn:", err: invalid("arn:")},
		{ref: "arn:aws:s3:us-east-1:000000000000:table/Orders", err: invalid("arn:aws:s3:us-east-1:000000000000:table/Orders")},
		{ref: "arn:aws:dynamodb:us-east-1:000000000000:table/", err: invalid("arn:aws:dynamodb:us-east-1:000000000000:table/")},
		{ref: "arn:aws:dynamodb:us-east-1:000000000000:table/a b", err: invalid("arn:aws:dynamodb:us-east-1:000000000000:table/a b")},
		{ref: "arn:aws:dynamodb:us-east-1:000000000000:stream/T", err: invalid("arn:aws:dynamodb:us-east-1:000000000000:stream/T")},
	}
	for _, test := range tests {
		t.Run(test.ref, func(t *testing.T) {
			got, err := scope.Table("GetItem", test.ref)
			if got != test.want {
				t.Errorf("got table %q, want %q", got, test.want)
			}
			if err == nil {
				wantError(t, nil, test.err)
			} else {
				wantError(t, err, test.err)
			}
		})
	}
}

func TestParseARN(t *testing.T) {
	got, ok := ParseARN("arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000")
	want := ARN{Region: "us-east-1", Account: "000000000000", Kind: "table", Name: "Orders", Sub: "stream/2026-01-01T00:00:00.000"}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("ok %v (-want +got):\n%s", ok, diff)
	}
}

func FuzzScopeTable(f *testing.F) {
	f.Add("arn:aws:dynamodb:us-east-1:000000000000:table/Orders")
	f.Add("arn:aws:dynamodb:us-east-1:000000000000:table/Orders/index/i")
	f.Fuzz(func(t *testing.T, ref string) {
		name, err := scope.Table("GetItem", ref)
		if err == nil && name != ref && ref != "arn:aws:dynamodb:us-east-1:000000000000:table/"+name {
			arn, ok := ParseARN(ref)
			if !ok || arn.Name != name || arn.Sub != "" {
				t.Errorf("%q resolved to %q", ref, name)
			}
		}
	})
}
