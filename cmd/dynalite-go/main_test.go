package main

import (
	"net"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"dynalite-go": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// freeport NAME puts a port that nobody listens on into an environment variable.
			"freeport": func(ts *testscript.TestScript, _ bool, args []string) {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				ts.Check(err)
				defer l.Close()
				ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
			},
		},
	})
}

func TestModernArgs(t *testing.T) {
	for _, tt := range []struct {
		name       string
		args, want []string
	}{
		{"nothing", nil, nil},
		{"ours", []string{"serve", "--port", "1", "--sharedDb"}, []string{"serve", "--port", "1", "--sharedDb"}},
		{"theirs", []string{"-port", "1", "-inMemory", "-sharedDb", "-cors=*"}, []string{"--port", "1", "--inMemory", "--sharedDb", "--cors=*"}},
		{"shorthand", []string{"-h"}, []string{"-h"}},
		{"unknown", []string{"-nope", "-"}, []string{"-nope", "-"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, modernArgs(tt.args)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
