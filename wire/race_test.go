//go:build race

package wire

// raceEnabled tells that pools drop what is put into them at random, as they do under the race detector.
const raceEnabled = true
