package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// GuardHost refuses requests whose Host header names neither this machine's loopback interface nor one of the allowed
// hosts, with 403.
//
// It protects a listener on a loopback address from DNS rebinding: a web page may point a name of its own at
// 127.0.0.1 and then talk to the emulator as its own origin, but the browser still sends that name. Allowed hosts are
// names or addresses without a port.
func GuardHost(next http.Handler, allow ...string) http.Handler {
	allowed := make(map[string]bool, len(allow))
	for _, name := range allow {
		allowed[strings.ToLower(name)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := hostName(r.Host); !IsLoopbackName(host) && !allowed[strings.ToLower(host)] {
			http.Error(w, "Host "+host+" is not served on this loopback address. Allow it with --allow-host.",
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostName strips the port from a Host header.
func hostName(hostport string) string {
	if i := strings.LastIndexByte(hostport, ':'); i >= 0 && !strings.HasSuffix(hostport, "]") {
		if host, _, err := net.SplitHostPort(hostport); err == nil {
			return host
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
}

// IsLoopbackName reports whether a host, without port, means this machine's loopback interface: localhost, a name
// below it, a loopback address, or nothing at all, as in HTTP/1.0.
func IsLoopbackName(host string) bool {
	switch host {
	case "", "localhost", "127.0.0.1":
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
