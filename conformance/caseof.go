package conformance

// This file will hold CaseOf, which turns captured traffic into a case file.
