package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/lambdastream"
)

// trigger is a --trigger: a table whose changes are posted to a URL.
type trigger struct {
	table, url string
	opts       []lambdastream.Option
}

// triggerURL finds where the URL begins. Settings before it may hold equal signs too.
var triggerURL = regexp.MustCompile(`=(https?://.*)$`)

// parseTrigger reads TABLE[,SETTING=VALUE…]=URL.
func parseTrigger(text string) (trigger, error) {
	at := triggerURL.FindStringSubmatchIndex(text)
	if at == nil {
		return trigger{}, fmt.Errorf("--trigger: %q is not TABLE=URL with an http or https URL", text)
	}
	settings := strings.Split(text[:at[0]], ",")
	t := trigger{table: settings[0], url: text[at[2]:]}
	for _, s := range settings[1:] {
		name, value, _ := strings.Cut(s, "=")
		opt, err := triggerOption(name, value)
		if err != nil {
			return t, fmt.Errorf("--trigger: %q in %q: %w", s, text, err)
		}
		t.opts = append(t.opts, opt)
	}
	return t, nil
}

// triggerOption turns a setting into an option. Numbers and durations out of range are refused later.
func triggerOption(name, value string) (lambdastream.Option, error) {
	switch name {
	case "batch":
		return numberOption(value, lambdastream.WithBatchSize)
	case "retries":
		return numberOption(value, lambdastream.WithRetries)
	case "parallel":
		return numberOption(value, lambdastream.WithParallelization)
	case "window":
		return durationOption(value, lambdastream.WithBatchingWindow)
	case "max-age":
		return durationOption(value, lambdastream.WithMaxRecordAge)
	case "timeout":
		return durationOption(value, lambdastream.WithTimeout)
	case "from":
		return lambdastream.WithStartingPosition(lambdastream.StartingPosition(value)), nil
	case "bisect":
		return lambdastream.WithBisect(), nil
	case "report-failures":
		return lambdastream.WithBatchItemFailures(), nil
	}
	return nil, errors.New("want batch, window, from, retries, bisect, report-failures, max-age, parallel or timeout")
}

func numberOption(value string, with func(int) lambdastream.Option) (lambdastream.Option, error) {
	n, err := strconv.Atoi(value)
	return with(n), err
}

func durationOption(value string, with func(time.Duration) lambdastream.Option) (lambdastream.Option, error) {
	d, err := time.ParseDuration(value)
	return with(d), err
}

// startTriggers starts a consumer for each --trigger. stop ends them.
func startTriggers(db *dynalite.DB, flags []string) (stop func() error, err error) {
	var consumers []*lambdastream.Consumer
	stop = func() error {
		var faults []error
		for _, c := range consumers {
			faults = append(faults, c.Close())
		}
		return errors.Join(faults...)
	}
	for _, text := range flags {
		t, err := parseTrigger(text)
		if err != nil {
			return nil, errors.Join(err, stop())
		}
		c, err := lambdastream.NewTrigger(db, t.table, t.url, t.opts...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--trigger %s: %w", text, err), stop())
		}
		consumers = append(consumers, c)
		db.Logger().Info("trigger", "table", t.table, "url", t.url)
	}
	return stop, nil
}
