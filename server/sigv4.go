package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// Secrets finds the secret of an access key id. ok is false for an unknown id.
type Secrets func(accessKey string) (secret string, ok bool)

// How far the clocks of a caller and of the service may differ.
const maxSkew = 15 * time.Minute

// isoBasic is the form of dates in signatures.
const isoBasic = "20060102T150405Z"

// requestSignature is a request's signature with all that it was made from.
type requestSignature struct {
	algorithm  string
	credential string
	headers    []string // signed ones, lower-case, in the order given
	value      string
	date       string
	expires    time.Duration // of a signed URL; zero means maxSkew
	inQuery    bool
}

// signatureOf collects the parts of a signature from a request that authenticate found complete.
func signatureOf(r *http.Request) requestSignature {
	if header := first(r.Header, "Authorization"); header != "" {
		algorithm, a := parseAuthorization(header)
		date := first(r.Header, "X-Amz-Date")
		if date == "" {
			date = first(r.Header, "Date")
		}
		return requestSignature{algorithm: algorithm, credential: a.credential, headers: strings.Split(a.signedHeaders, ";"),
			value: a.signature, date: date}
	}
	q := r.URL.Query()
	seconds, _ := strconv.Atoi(q.Get("X-Amz-Expires")) // what is no number counts as absent
	return requestSignature{
		algorithm: q.Get("X-Amz-Algorithm"), credential: q.Get("X-Amz-Credential"),
		headers: strings.Split(q.Get("X-Amz-SignedHeaders"), ";"), value: q.Get("X-Amz-Signature"),
		date: q.Get("X-Amz-Date"), expires: time.Duration(seconds) * time.Second, inQuery: true,
	}
}

// hashedBody is a request's body whose bytes are hashed as they are read.
type hashedBody struct {
	io.ReadCloser
	sum hash.Hash
}

func (b hashedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.sum.Write(p[:n])
	return n, err
}

// verify checks the signature of the exchange's request, which is complete in form and whose body has been read.
func (x *exchange) verify() *api.Error {
	s := signatureOf(x.r)
	var payload [sha256.Size]byte
	x.payload.Sum(payload[:0])
	return s.verify(x.r, payload, x.h.config.Secrets, "", x.h.config.Clock.Now())
}

// verify checks the signature of a request that is complete in form: date, signed headers, algorithm, credential,
// scope, key and value, in this order (wire.md §4.2). payload is the body as it was sent.
func (s *requestSignature) verify(r *http.Request, payload [sha256.Size]byte, secrets Secrets, region string, now time.Time) *api.Error {
	date, err := time.Parse(isoBasic, s.date)
	if err != nil {
		return frontError(api.CodeIncompleteSignature,
			"Date must be in ISO-8601 'basic format'. Got '"+s.date+"'. See http://en.wikipedia.org/wiki/ISO_8601")
	}
	if err := s.checkAge(date, now); err != nil {
		return err
	}
	if !slices.Contains(s.headers, "host") {
		return frontError(api.CodeInvalidSignature, "'Host' must be a 'SignedHeader' in the AWS Authorization.")
	}
	who, fault := parseCredential(s.algorithm, s.credential)
	if fault != nil {
		return fault
	}
	if err := s.checkScope(region); err != nil {
		return err
	}
	secret, ok := secrets(who.accessKey)
	if !ok {
		return frontError(api.CodeUnrecognizedClient, "The security token included in the request is invalid.")
	}
	return s.checkValue(r, payload, secret)
}

// checkAge refuses a signature that is too old, or from the future.
func (s *requestSignature) checkAge(date, now time.Time) *api.Error {
	life := maxSkew
	if s.expires > 0 {
		life = s.expires
	}
	now = now.UTC()
	if earliest := now.Add(-life); date.Before(earliest) {
		return frontError(api.CodeInvalidSignature, "Signature expired: "+s.date+" is now earlier than "+
			earliest.Format(isoBasic)+" ("+now.Format(isoBasic)+" - "+strconv.Itoa(int(life/time.Minute))+" min.)")
	}
	if latest := now.Add(maxSkew); date.After(latest) {
		// The counterpart of the recorded text; itself not recorded.
		return frontError(api.CodeInvalidSignature, "Signature not yet current: "+s.date+" is still later than "+
			latest.Format(isoBasic)+" ("+now.Format(isoBasic)+" + 15 min.)")
	}
	return nil
}

// checkScope compares the scope of the credential with the service. All that is wrong is told together. An empty
// region stands for any.
func (s *requestSignature) checkScope(region string) *api.Error {
	part := strings.Split(s.credential, "/") // five, as parseCredential saw
	var faults string
	if region != "" && part[2] != region || !ValidRegion(part[2]) {
		faults += "Credential should be scoped to a valid region, not '" + part[2] + "'. "
	}
	if part[3] != "dynamodb" {
		faults += "Credential should be scoped to correct service: 'dynamodb'. "
	}
	if part[4] != "aws4_request" {
		faults += "Credential should be scoped with a valid terminator: 'aws4_request', not '" + part[4] + "'. "
	}
	if day := s.date[:len("20060102")]; part[1] != day {
		faults += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" +
			part[1] + "' != '" + day + "', from '" + s.date + "'. "
	}
	if faults == "" {
		return nil
	}
	return frontError(api.CodeInvalidSignature, faults)
}

// checkValue computes the signature again.
func (s *requestSignature) checkValue(r *http.Request, payload [sha256.Size]byte, secret string) *api.Error {
	canonical := s.canonicalRequest(r, payload)
	_, scope, _ := strings.Cut(s.credential, "/")
	sum := sha256.Sum256([]byte(canonical))
	toSign := s.algorithm + "\n" + s.date + "\n" + scope + "\n" + hex.EncodeToString(sum[:])
	key := []byte("AWS4" + secret)
	for _, part := range strings.Split(scope, "/") {
		key = mac(key, part)
	}
	if hmac.Equal([]byte(hex.EncodeToString(mac(key, toSign))), []byte(s.value)) {
		return nil
	}
	return frontError(api.CodeInvalidSignature, "The request signature we calculated does not match the signature you "+
		"provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."+
		"\n\nThe Canonical String for this request should have been\n'"+canonical+
		"'\n\nThe String-to-Sign should have been\n'"+toSign+"'\n")
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// canonicalRequest is the text that the signature covers.
func (s *requestSignature) canonicalRequest(r *http.Request, payload [sha256.Size]byte) string {
	path := r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	var b strings.Builder
	b.WriteString(r.Method + "\n" + path + "\n" + s.canonicalQuery(r.URL) + "\n")
	for _, name := range s.headers {
		b.WriteString(name + ":" + signedValue(r, name) + "\n")
	}
	b.WriteString("\n" + strings.Join(s.headers, ";") + "\n" + hex.EncodeToString(payload[:]))
	return b.String()
}

// canonicalQuery is the query string sorted and with strict escapes, without the signature itself.
func (s *requestSignature) canonicalQuery(u *url.URL) string {
	var params []string
	for name, values := range u.Query() {
		if s.inQuery && name == "X-Amz-Signature" {
			continue
		}
		for _, v := range values {
			params = append(params, awsEscape(name)+"="+awsEscape(v))
		}
	}
	slices.Sort(params)
	return strings.Join(params, "&")
}

// awsEscape is url.QueryEscape with %20 for a space.
func awsEscape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// signedValue is the value of a signed header: trimmed, with inner runs of spaces folded. net/http keeps the host and
// the length of the body out of the headers of some requests.
func signedValue(r *http.Request, name string) string {
	switch name {
	case "host":
		if r.Host == "" {
			return r.URL.Host
		}
		return r.Host
	case "content-length":
		return strconv.FormatInt(r.ContentLength, 10)
	}
	var values []string
	for _, v := range r.Header.Values(name) {
		values = append(values, strings.Join(strings.Fields(v), " "))
	}
	return strings.Join(values, ",")
}
