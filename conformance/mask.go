package conformance

// This file will hold the masking of values in captured traffic: equal values stay equal, types and the order of keys
// stay what they are, and the names of tables and attributes are kept.
