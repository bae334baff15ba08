package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// newHealth is the command for health checks of containers and for scripts that wait for the server.
func newHealth() *cobra.Command {
	var (
		url, host string
		port      int
		wait      time.Duration
	)
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Tell whether a server answers",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				url = "http://" + net.JoinHostPort(host, strconv.Itoa(port))
			}
			deadline := time.Now().Add(wait)
			for {
				answer, err := askHealth(url)
				if err == nil {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), answer)
					return err
				}
				if time.Now().After(deadline) {
					return err
				}
				time.Sleep(20 * time.Millisecond)
			}
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&url, "url", "", "URL of the server; wins over --host and --port")
	flags.StringVar(&host, "host", defaultHost, "host of the server")
	flags.IntVar(&port, "port", defaultPort, "port of the server")
	flags.DurationVar(&wait, "wait", 0, "how long to wait for a server that is about to start")
	return cmd
}

// askHealth returns the health page of a server.
func askHealth(url string) (string, error) {
	client := http.Client{Timeout: 5 * time.Second}
	resp, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(string(body), "healthy") {
		return "", fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return strings.TrimSpace(string(body)), nil
}
