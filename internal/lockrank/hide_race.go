//go:build race

package lockrank

import "runtime"

// hide makes the race detector ignore synchronization by this goroutine until
// show.
func hide() { runtime.RaceDisable() }

func show() { runtime.RaceEnable() }
