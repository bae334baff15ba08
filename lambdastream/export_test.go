package lambdastream

// ReadResponse reads a body as a trigger does.
func ReadResponse(body string) (failed []string, functionError bool) {
	return itemFailures(body), isFunctionError(body)
}
