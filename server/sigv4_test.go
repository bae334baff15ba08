package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/dynalite-go/dynalite/api"
)

var signingTime = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func oneSecret(accessKey string) (string, bool) { return "secret", accessKey == "AKIDEXAMPLE" }

// signedRequest is a request signed by the official signer.
func signedRequest(t *testing.T, body, service, region, secret string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://dynamodb.us-east-1.amazonaws.com/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	sum := sha256.Sum256([]byte(body))
	creds := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: secret}
	err = v4.NewSigner().SignHTTP(context.Background(), creds, r, hex.EncodeToString(sum[:]), service, region, signingTime)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVerify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(r *http.Request)
		sent   string // body, "{}" when it is as signed
		secret string
		scope  [2]string // service and region
		after  time.Duration
		code   string
		text   string // beginning of the message
	}{
		{name: "right"},
		{name: "right, fourteen minutes later", after: 14 * time.Minute},
		{name: "date", change: func(r *http.Request) { r.Header.Set("X-Amz-Date", "yesterday") },
			code: api.CodeIncompleteSignature,
			text: "Date must be in ISO-8601 'basic format'. Got 'yesterday'. See http://en.wikipedia.org/wiki/ISO_8601"},
		{name: "expired", after: 16 * time.Minute, code: api.CodeInvalidSignature,
			text: "Signature expired: 20261130T120000Z is now earlier than 20261130T120100Z (20261130T121600Z - 15 min.)"},
		{name: "early", after: -16 * time.Minute, code: api.CodeInvalidSignature, text: "Signature not yet current: 20261130T120000Z"},
		{name: "host not signed", change: func(r *http.Request) { replaceAuth(r, ";host", "") },
			code: api.CodeInvalidSignature, text: "'Host' must be a 'SignedHeader' in the AWS Authorization."},
		{name: "algorithm", change: func(r *http.Request) { replaceAuth(r, "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1") },
			code: api.CodeIncompleteSignature, text: "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1' (only AWS4-HMAC-SHA256 for now). "},
		{name: "credential", change: func(r *http.Request) { replaceAuth(r, "/aws4_request", "") },
			code: api.CodeIncompleteSignature, text: "Credential must have exactly 5 slash-delimited elements"},
		{name: "service", scope: [2]string{"s3", "us-east-1"}, code: api.CodeInvalidSignature,
			text: "Credential should be scoped to correct service: 'dynamodb'. "},
		{name: "region", scope: [2]string{"dynamodb", "eu-west-1"}, code: api.CodeInvalidSignature,
			text: "Credential should be scoped to a valid region, not 'eu-west-1'. "},
		{name: "terminator and day", change: func(r *http.Request) {
			replaceAuth(r, "/aws4_request", "/aws5_request")
			replaceAuth(r, "/20261130/", "/20261129/")
		}, code: api.CodeInvalidSignature, text: "Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5_request'. " +
			"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20261129' != '20261130', from '20261130T120000Z'. "},
		{name: "unknown key", change: func(r *http.Request) { replaceAuth(r, "AKIDEXAMPLE", "AKIDOTHER") },
			code: api.CodeUnrecognizedClient, text: "The security token included in the request is invalid."},
		{name: "wrong secret", secret: "guess", code: api.CodeInvalidSignature,
			text: "The request signature we calculated does not match the signature you provided."},
		{name: "other body", sent: `{"Limit":1}`, code: api.CodeInvalidSignature,
			text: "The request signature we calculated does not match the signature you provided."},
		{name: "other target", change: func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Scan") },
			code: api.CodeInvalidSignature, text: "The request signature we calculated does not match the signature you provided."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.secret == "" {
				tt.secret = "secret"
			}
			if tt.scope[0] == "" {
				tt.scope = [2]string{"dynamodb", "us-east-1"}
			}
			if tt.sent == "" {
				tt.sent = "{}"
			}
			r := signedRequest(t, "{}", tt.scope[0], tt.scope[1], tt.secret)
			if tt.change != nil {
				tt.change(r)
			}
			s := signatureOf(r)
			err := s.verify(r, sha256.Sum256([]byte(tt.sent)), oneSecret, "us-east-1", signingTime.Add(tt.after))
			switch {
			case tt.code == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.code == "":
			case err == nil:
				t.Errorf("accepted, want %s %s", tt.code, tt.text)
			case err.Code != tt.code || !strings.HasPrefix(err.Message, tt.text):
				t.Errorf("%s %s\nwant %s %s", err.Code, err.Message, tt.code, tt.text)
			}
		})
	}
}

func replaceAuth(r *http.Request, old, new string) {
	r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), old, new, 1))
}

// A signed URL is as good as a signed header, and lives as long as it says.
func TestVerifyQuery(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("{}"))
	r, err := http.NewRequest(http.MethodPost, "http://localhost:8000/?X-Amz-Expires=3600", bytes.NewReader([]byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	creds := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret"}
	signed, header, err := v4.NewSigner().PresignHTTP(context.Background(), creds, r, hex.EncodeToString(sum[:]), "dynamodb", "us-east-1", signingTime)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = http.NewRequest(http.MethodPost, signed, nil); err != nil {
		t.Fatal(err)
	}
	r.Header = header
	r.ContentLength = 2
	s := signatureOf(r)
	if err := s.verify(r, sum, oneSecret, "", signingTime.Add(50*time.Minute)); err != nil {
		t.Errorf("refused: %v", err)
	}
	if err := s.verify(r, sum, oneSecret, "", signingTime.Add(70*time.Minute)); err == nil || !strings.HasPrefix(err.Message, "Signature expired") {
		t.Errorf("after its hour: %v", err)
	}
}
