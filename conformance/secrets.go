package conformance

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// requestHeaders and answerHeaders are what traffic keeps of the headers, where they say something. None of them proves
// who somebody is.
var (
	requestHeaders = []string{"Content-Type", "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers",
		"Amz-Sdk-Request"}
	answerHeaders = []string{"Content-Type", "X-Amzn-Requestid", "X-Amz-Crc32", "X-Amzn-Errortype", "X-Amz-Retry-After",
		"Retry-After", "Location", "Access-Control-Allow-Origin", "Access-Control-Allow-Methods",
		"Access-Control-Allow-Headers", "Access-Control-Max-Age"}
)

// contentType is how operations and their answers are labelled. It goes without saying.
const contentType = "application/x-amz-json-1.0"

// headersOfInterest picks the headers that are worth keeping.
func headersOfInterest(h http.Header, names []string) map[string]string {
	var out map[string]string
	for _, name := range names {
		value := strings.Join(h.Values(name), ", ")
		if value == "" || name == "Content-Type" && value == contentType ||
			name == "Amz-Sdk-Request" && strings.HasPrefix(value, "attempt=1;") {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	return out
}

// signatureMember are the members of a query that sign it.
var signatureMember = lazyRegexp(`(?i)^x-amz-(algorithm|credential|date|expires|security-token|signature|signedheaders)$`)

// withoutSignature is a request's path and query without what signs it.
func withoutSignature(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	parts := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		return part == "" || err == nil && signatureMember().MatchString(plain)
	})
	if len(parts) > 0 {
		path += "?" + strings.Join(parts, "&")
	}
	return path
}

var (
	signaturePart  = lazyRegexp(`Signature=([0-9a-fA-F]+)`)
	credentialPart = lazyRegexp(`Credential=([^/,\s]+)/`)
)

// minSecret is the shortest text that is looked for. Access keys have 16 characters at least; shorter ones are made up,
// and may be words.
const minSecret = 16

// minVariety is how many different characters a secret has. A signature that is made up of zeros proves nothing, and may
// be part of a number.
const minVariety = 6

func variety(s string) int {
	seen := map[byte]bool{}
	for i := range len(s) {
		seen[s[i]] = true
	}
	return len(seen)
}

// secretsOf lists what of a request must not be written, wherever it turns up: an endpoint repeats much of a request
// that it won't accept.
func secretsOf(r *http.Request) []string {
	var out []string
	add := func(values ...string) {
		for _, v := range values {
			if len(v) >= minSecret && variety(v) >= minVariety && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	for _, name := range []string{"Authorization", "X-Amz-Security-Token", "Proxy-Authorization", "Cookie"} {
		for _, v := range r.Header.Values(name) {
			add(v)
			for _, part := range []*regexp.Regexp{signaturePart(), credentialPart()} {
				for _, m := range part.FindAllStringSubmatch(v, -1) {
					add(m[1])
				}
			}
		}
	}
	query := r.URL.Query()
	for _, name := range []string{"X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-Credential"} {
		for _, v := range query[name] {
			key, _, _ := strings.Cut(v, "/")
			add(v, key, url.QueryEscape(v))
		}
	}
	return out
}

// removed stands where a secret was.
const removed = "[removed]"

// withhold replaces secrets in a body, in whatever way JSON writes them.
func withhold(body []byte, secrets []string) []byte {
	if len(secrets) == 0 || len(body) == 0 {
		return body
	}
	replace := func(s string) string {
		for _, secret := range secrets {
			s = strings.ReplaceAll(s, secret, removed)
		}
		return s
	}
	trimmed := bytes.TrimSpace(body)
	if !isJSONBody(trimmed) {
		return []byte(replace(string(body)))
	}
	n, err := parseNode(trimmed)
	if err != nil {
		return []byte(replace(string(body)))
	}
	if !n.rewrite(replace) {
		return body
	}
	return n.compact()
}

// rewrite replaces all texts below a value, names of members too. changed tells whether any was.
func (n *node) rewrite(replace func(string) string) (changed bool) {
	put := func(s *string) {
		if was := *s; n.kind != scalarNode {
			*s = replace(was)
			changed = changed || *s != was
		}
	}
	if n.kind == stringNode {
		put(&n.text)
	}
	for i := range n.names {
		put(&n.names[i])
	}
	for _, v := range n.list {
		changed = v.rewrite(replace) || changed
	}
	return changed
}
