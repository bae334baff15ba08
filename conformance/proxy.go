package conformance

// This file will hold Proxy, an HTTP handler that forwards an application's requests to an endpoint, signing them anew
// where asked to, and writes the traffic.
