package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// conformanceFlags are the flags of the conformance command.
type conformanceFlags struct {
	endpoint, against, wording, run, cases, resume, region, prefix string
	json, junit, markdown                                          string
	tags, skipTags                                                 []string
	aws, sign, record, list, quiet                                 bool
	parallel, generate                                             int
	seed                                                           uint64
	maxCost                                                        float64
}

// newConformance builds the command that holds an endpoint against DynamoDB.
func newConformance() *cobra.Command {
	var f conformanceFlags
	cmd := &cobra.Command{
		Use:   "conformance",
		Short: "Hold an endpoint against what DynamoDB does",
		Long: "Runs the conformance cases against an endpoint, or against AWS, and tells where its answers are not DynamoDB's.\n" +
			"Without --endpoint or --aws they run against the emulator itself. The exit status is 1 if something differs.",
		Example: "  dynalite-go conformance --endpoint http://127.0.0.1:8000\n" +
			"  dynalite-go conformance --endpoint http://127.0.0.1:8000 --run '^items/' --junit report.xml\n" +
			"  dynalite-go conformance --endpoint http://127.0.0.1:8000 --against http://127.0.0.1:8001\n" +
			"  dynalite-go conformance --aws --region eu-west-1 --max-cost 1.00 --resume run.jsonl",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the process at once
			return f.start(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.endpoint, "endpoint", "", "`URL` of the endpoint to test")
	fl.BoolVar(&f.aws, "aws", false, "test DynamoDB itself, with the AWS SDK's default credentials; costs money")
	fl.StringVar(&f.region, "region", "", "region of AWS or the endpoint (default: that of the SDK's configuration, or us-east-1)")
	fl.StringVar(&f.against, "against", "", "`URL` of a second endpoint: compare the answers of the two with each other")
	fl.StringVar(&f.wording, "wording", "", "wording of the endpoint's errors: current, classic, or any")
	fl.StringVar(&f.run, "run", "", "run the cases whose file/name matches this `regexp`")
	fl.StringSliceVar(&f.tags, "tags", nil, "run the cases with one of these tags; operations are tags")
	fl.StringSliceVar(&f.skipTags, "skip-tags", nil, "leave out the cases with one of these tags, such as slow")
	fl.StringVar(&f.cases, "cases", "", "`directory` of case files, in place of those built in")
	fl.StringVar(&f.resume, "resume", "", "journal `file`: cases in it aren't run again, the others are added")
	fl.StringVar(&f.prefix, "prefix", "", "begin the names of all tables with this")
	fl.IntVar(&f.parallel, "parallel", 8, "case files that run side by side")
	fl.Float64Var(&f.maxCost, "max-cost", 0, "never spend more than so many `dollars` by estimate (with --aws)")
	fl.BoolVar(&f.sign, "sign", false, "sign requests to the endpoint with the AWS SDK's default credentials")
	fl.BoolVar(&f.record, "record", false, "declare the endpoint the truth, and rewrite the files of --cases to its answers")
	fl.IntVar(&f.generate, "generate", 0, "with --against: send `n` generated conversations in place of the cases")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of --generate")
	fl.BoolVar(&f.list, "list", false, "list the cases and what they would cost on AWS, and run none")
	fl.StringVar(&f.json, "json", "", "write a JSON report to this `file`, - for the standard output")
	fl.StringVar(&f.junit, "junit", "", "write a JUnit XML report to this `file`")
	fl.StringVar(&f.markdown, "markdown", "", "write a table by area to this `file`")
	fl.BoolVar(&f.quiet, "quiet", false, "show no progress")
	return cmd
}

// start checks the flags against each other and does what they ask for.
func (f *conformanceFlags) start(ctx context.Context, out, errOut io.Writer) error {
	switch {
	case f.aws && f.endpoint != "":
		return errors.New("--aws and --endpoint: one target, please")
	case f.record && f.against != "":
		return errors.New("--record and --against: recording and comparing don't mix")
	case f.record && f.cases == "":
		return errors.New("--record rewrites files: name their directory with --cases")
	case f.generate > 0 && f.against == "":
		return errors.New("--generate takes a second endpoint: --against")
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	target, err := f.target(ctx)
	if err != nil {
		return err
	}
	if f.against != "" {
		options = append(options, conformance.Against(conformance.Endpoint(f.against)))
	}
	if f.list {
		return f.listCases(target, options, out)
	}
	if target.Charges {
		if err := f.agreeOnCost(target, options, errOut); err != nil {
			return err
		}
		options = append(options, conformance.MaxCost(f.maxCost))
	}
	switch {
	case f.record:
		return f.recordCases(ctx, target, options, out)
	case f.generate > 0:
		return f.explore(ctx, target, options, out)
	default:
		return f.runCases(ctx, target, options, out, errOut)
	}
}

// options turns flags into options of a run.
func (f *conformanceFlags) options() ([]conformance.Option, error) {
	var options []conformance.Option
	if f.run != "" {
		re, err := regexp.Compile(f.run)
		if err != nil {
			return nil, fmt.Errorf("--run: %w", err)
		}
		options = append(options, conformance.Only(re))
	}
	if f.cases != "" {
		scripts, err := conformance.ReadScripts(os.DirFS(f.cases))
		if err != nil {
			return nil, fmt.Errorf("--cases: %w", err)
		}
		if len(scripts) == 0 {
			return nil, fmt.Errorf("--cases: no .txt files in %s", f.cases)
		}
		options = append(options, conformance.WithScripts(scripts...))
	}
	if f.parallel < 1 || f.parallel > 100 {
		return nil, fmt.Errorf("--parallel: %d is not between 1 and 100", f.parallel)
	}
	return append(options, conformance.WithTags(f.tags...), conformance.WithoutTags(f.skipTags...),
		conformance.Parallel(f.parallel)), nil
}

// target is the endpoint that the flags name.
func (f *conformanceFlags) target(ctx context.Context) (conformance.Target, error) {
	var target conformance.Target
	switch {
	case f.aws:
		service, err := conformance.Service(ctx, f.region)
		if err != nil {
			return target, err
		}
		target = service
	case f.endpoint != "":
		target = conformance.Endpoint(f.endpoint)
	default:
		wording := dynalite.CurrentWording
		if f.wording == "classic" {
			wording = dynalite.ClassicWording
		}
		db, err := dynalite.New(dynalite.WithWording(wording))
		if err != nil {
			return target, err
		}
		target = conformance.InProcess(db.Transport())
	}
	if f.region != "" {
		target.Region = f.region
	}
	if f.prefix != "" {
		target.Prefix = f.prefix
	}
	if f.wording != "" {
		w, ok := conformance.ParseWording(f.wording)
		if !ok {
			return target, fmt.Errorf("--wording: %q is not current, classic or any", f.wording)
		}
		target.Wording = w
	}
	if f.sign {
		return target.SignedByDefault(ctx)
	}
	return target, nil
}

// agreeOnCost refuses to begin a run that may cost more than allowed.
func (f *conformanceFlags) agreeOnCost(target conformance.Target, options []conformance.Option, errOut io.Writer) error {
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		return err
	}
	dollars, cases, err := r.Estimate()
	if err != nil {
		return err
	}
	fmt.Fprintf(errOut, "%d cases against %s cost about $%.2f, on the high side.\n", cases, target.Name, dollars)
	if f.maxCost <= 0 {
		return errors.New("say how much it may cost: --max-cost")
	}
	return nil
}

func (f *conformanceFlags) listCases(target conformance.Target, options []conformance.Option, out io.Writer) error {
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		return err
	}
	ids, err := r.List()
	if err != nil {
		return err
	}
	for _, id := range ids {
		fmt.Fprintln(out, id)
	}
	dollars, cases, err := r.Estimate()
	fmt.Fprintf(out, "%d cases, about $%.2f on AWS\n", cases, dollars)
	return err
}

// errDiffers ends the command with an error after everything was told.
var errDiffers = errors.New("the endpoint differs from DynamoDB")

func (f *conformanceFlags) runCases(ctx context.Context, target conformance.Target, options []conformance.Option,
	out, errOut io.Writer,
) error {
	journal, done, err := openJournal(f.resume)
	if err != nil {
		return err
	}
	defer journal.Close()
	progress := conformance.NewProgress(errOut, isTerminal(errOut), columns())
	var faults []error
	options = append(options, conformance.Resume(done), conformance.Observe(func(e conformance.Event) {
		if !f.quiet {
			progress.Event(e)
		}
		if e.Result != nil {
			faults = append(faults, journal.add(*e.Result))
		}
	}))
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		return err
	}
	report, err := r.Run(ctx)
	if err != nil {
		return err
	}
	progress.Close()
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	return f.tell(report, out)
}

// tell writes the reports. The text goes to the standard output unless another report does.
func (f *conformanceFlags) tell(report *conformance.Report, out io.Writer) error {
	text := out
	for _, w := range []struct {
		name  string
		write func(io.Writer) error
	}{{f.json, report.WriteJSON}, {f.junit, report.WriteJUnit}, {f.markdown, report.WriteMarkdown}} {
		switch w.name {
		case "":
			continue
		case "-":
			text = io.Discard
			if err := w.write(out); err != nil {
				return err
			}
		default:
			if err := writeFile(w.name, w.write); err != nil {
				return err
			}
		}
	}
	if err := report.WriteText(text); err != nil {
		return err
	}
	if len(report.Results) == 0 && !report.Interrupted {
		return errors.New("no case is selected")
	}
	if report.Failed() {
		return errDiffers
	}
	return nil
}

func (f *conformanceFlags) recordCases(ctx context.Context, target conformance.Target, options []conformance.Option,
	out io.Writer,
) error {
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		return err
	}
	note := "recorded " + time.Now().UTC().Format(time.DateOnly) + ", " + target.Name
	recordings, err := r.Record(ctx, note)
	if err != nil {
		return err
	}
	open := 0
	for _, rec := range recordings {
		for _, res := range rec.Results {
			if res.Outcome == conformance.Passed {
				continue
			}
			fmt.Fprintf(out, "%s: %s\n", res.ID(), res.Outcome)
			if res.Outcome == conformance.Broken {
				open++
				fmt.Fprintln(out, res.Detail)
			}
		}
		if !rec.Changed {
			continue
		}
		name := filepath.Join(f.cases, filepath.FromSlash(rec.Script.Name)+".txt")
		if err := os.WriteFile(name, []byte(conformance.Format(rec.Script)), 0o644); err != nil {
			return err
		}
	}
	if open > 0 {
		return fmt.Errorf("%d cases could not be recorded", open)
	}
	return ctx.Err()
}

func (f *conformanceFlags) explore(ctx context.Context, target conformance.Target, options []conformance.Option,
	out io.Writer,
) error {
	r, err := conformance.NewRunner(target, options...)
	if err != nil {
		return err
	}
	script, res, err := r.Explore(ctx, f.seed, f.generate)
	if err != nil {
		return err
	}
	if script == nil {
		fmt.Fprintf(out, "%d conversations, no difference (seed %d)\n", f.generate, f.seed)
		return nil
	}
	fmt.Fprintf(out, "%s\n\nThe conversation (seed %d):\n\n%s", res.Text(), f.seed, conformance.Format(script))
	return errors.New("the endpoints differ")
}

// journal is the file of --resume; without one it takes nothing.
type journal struct{ file *os.File }

// openJournal reads what earlier runs finished, and goes on behind it.
func openJournal(name string) (*journal, map[string]conformance.Result, error) {
	if name == "" {
		return &journal{}, nil, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1] // a line that broke off is written over
	done, err := conformance.ReadJournal(bytes.NewReader(whole))
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("--resume %s: %w", name, err), file.Close())
	}
	if _, err := file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return &journal{file}, done, file.Truncate(int64(len(whole)))
}

func (j *journal) add(res conformance.Result) error {
	if j.file == nil {
		return nil
	}
	return conformance.WriteJournal(j.file, res)
}

// Close closes the file.
func (j *journal) Close() {
	if j.file != nil {
		j.file.Close()
	}
}

func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// isTerminal reports whether w is one that can draw over a line.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// columns is the width of the terminal as the shell tells it.
func columns() int {
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		return 80
	}
	return n
}
