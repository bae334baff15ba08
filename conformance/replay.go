package conformance

// This file will hold Replay, which sends captured requests to a target and compares its answers with the captured ones.
