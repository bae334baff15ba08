package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/dynalite-go/dynalite/api"
)

// signingAlgorithm is the only one that the service knows.
const signingAlgorithm = "AWS4-HMAC-SHA256"

// caller is who signed a request, as far as it was told.
type caller struct {
	accessKey string
	region    string
}

// authenticate looks at the form of a request's signature. Any well-formed one is accepted: the emulator knows no
// secrets. The texts and their order are those of behaviours/01 §1.2 and wire.md §4.2.
func authenticate(r *http.Request) (caller, *api.Error) {
	header := first(r.Header, "Authorization")
	var query url.Values
	if strings.Contains(r.URL.RawQuery, "X-Amz-Algorithm") {
		query = r.URL.Query()
	}
	inQuery := query.Has("X-Amz-Algorithm")
	switch {
	case inQuery && header != "":
		return caller{}, frontError(api.CodeInvalidSignature,
			"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.")
	case inQuery:
		return authenticateQuery(query)
	case !strings.HasPrefix(strings.TrimSpace(header), "AWS4-"):
		return caller{}, frontError(api.CodeMissingAuthenticationToken, "Request is missing Authentication Token")
	}
	return authenticateHeader(r.Header, header)
}

func authenticateHeader(h http.Header, header string) (caller, *api.Error) {
	algorithm, params := parseAuthorization(header)
	var missing string
	if params.credential == "" {
		missing += "Authorization header requires 'Credential' parameter. "
	}
	if params.signature == "" {
		missing += "Authorization header requires 'Signature' parameter. "
	}
	if params.signedHeaders == "" {
		missing += "Authorization header requires 'SignedHeaders' parameter. "
	}
	if first(h, "X-Amz-Date") == "" && first(h, "Date") == "" {
		missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	if missing != "" {
		return caller{}, frontError(api.CodeIncompleteSignature, missing+"Authorization="+header)
	}
	return parseCredential(algorithm, params.credential)
}

func authenticateQuery(query url.Values) (caller, *api.Error) {
	var missing string
	for _, name := range []string{"Algorithm", "Credential", "Signature", "SignedHeaders", "Date"} {
		if query.Get("X-Amz-"+name) == "" {
			missing += "AWS query-string parameters must include 'X-Amz-" + name + "'. "
		}
	}
	if missing != "" {
		return caller{}, frontError(api.CodeIncompleteSignature, missing+"Re-examine the query-string parameters.")
	}
	return parseCredential(query.Get("X-Amz-Algorithm"), query.Get("X-Amz-Credential"))
}

// parseCredential splits keyid/date/region/service/term. The date, the service and the terminator may be anything.
func parseCredential(algorithm, credential string) (caller, *api.Error) {
	if algorithm != signingAlgorithm {
		return caller{}, frontError(api.CodeIncompleteSignature,
			"Unsupported AWS 'algorithm': '"+algorithm+"' (only AWS4-HMAC-SHA256 for now). ")
	}
	if strings.Count(credential, "/") != 4 {
		return caller{}, frontError(api.CodeIncompleteSignature,
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '"+credential+"'")
	}
	key, rest, _ := strings.Cut(credential, "/")
	_, rest, _ = strings.Cut(rest, "/")
	region, _, _ := strings.Cut(rest, "/")
	return caller{accessKey: key, region: region}, nil
}

// authorization is the three parameters of an Authorization header.
type authorization struct {
	credential, signedHeaders, signature string
}

// parseAuthorization splits "ALGORITHM Name=value, Name=value". Commas and spaces separate alike.
func parseAuthorization(header string) (algorithm string, a authorization) {
	algorithm, rest, _ := strings.Cut(strings.TrimSpace(header), " ")
	for rest != "" {
		var param string
		if i := strings.IndexAny(rest, ", "); i >= 0 {
			param, rest = rest[:i], rest[i+1:]
		} else {
			param, rest = rest, ""
		}
		name, value, _ := strings.Cut(param, "=")
		switch name {
		case "Credential":
			a.credential = value
		case "SignedHeaders":
			a.signedHeaders = value
		case "Signature":
			a.signature = value
		}
	}
	return algorithm, a
}

// ValidAccount reports whether s has the form of an account id: twelve digits.
func ValidAccount(s string) bool {
	if len(s) != 12 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// maxRegionLen bounds a name that becomes the key of a world of its own.
const maxRegionLen = 32

// ValidRegion reports whether s can name a region: lower-case letters, digits and hyphens.
func ValidRegion(s string) bool {
	if s == "" || len(s) > maxRegionLen {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// first returns the first value of a header. The name must be in canonical form; http.Header.Get would canonicalize
// it again for each call.
func first(h http.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}
