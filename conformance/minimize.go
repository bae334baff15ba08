package conformance

// This file will hold Minimize, which reduces traffic whose replay differs to the fewest requests, and the smallest last
// request, that still differ.
