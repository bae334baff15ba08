// Command dynalite-go serves an in-memory DynamoDB over HTTP.
//
//	dynalite-go                    # on http://127.0.0.1:8000
//	dynalite-go serve --port 9000
//	dynalite-go -port 8000 -inMemory -sharedDb   # DynamoDB Local's flags work too
//
// Run it with --help for all flags. Data lives as long as the process.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	root := newRoot()
	root.SetArgs(modernArgs(os.Args[1:]))
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "dynalite-go:", err)
		os.Exit(1)
	}
}

// newRoot builds the tree of commands. Without a command name it serves.
func newRoot() *cobra.Command {
	root := newServe()
	root.Use = "dynalite-go"
	root.Short = "An in-memory DynamoDB for tests and development"
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newServe(), newHealth(), newProxy(), withTraffic(newConformance()), &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), version()) },
	})
	return root
}

// version tells how the binary was built.
func version() string {
	v, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "dynalite-go " + v + revision + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// localFlags are the flags of DynamoDB Local. It writes long flags with one dash.
var localFlags = []string{
	"port", "inMemory", "sharedDb", "dbPath", "cors", "delayTransientStatuses", "disableTelemetry",
	"optimizeDbBeforeStartup", "help", "version",
}

// modernArgs gives DynamoDB Local's flags their second dash, so that a script which started it can start us.
func modernArgs(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range out {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && slices.Contains(localFlags, name) {
			out[i] = "-" + arg
		}
	}
	return out
}
