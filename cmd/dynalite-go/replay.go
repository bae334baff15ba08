package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/conformance"
)

// withTraffic adds the commands about captured traffic to the conformance command.
func withTraffic(cmd *cobra.Command) *cobra.Command {
	cmd.AddCommand(newReplay(), newAdd())
	return cmd
}

// replayFlags are the flags of replay.
type replayFlags struct {
	to       conformanceFlags
	inPlace  bool
	tables   []string
	timeout  time.Duration
	minimize string
	trials   int
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Send captured traffic to an endpoint and compare the answers",
		Long: "Sends the requests that dynalite-go proxy wrote to a file, one after the other, and compares the answers with those\n" +
			"captured. Ids, times, table names, account, region and the order of what has none don't count. Without --endpoint or\n" +
			"--aws the emulator itself answers. The exit status is 1 if something differs.\n\n" +
			"It uses tables of its own and deletes them at the end. Tables and items that were there before the capture began are\n" +
			"made as far as the traffic shows them.",
		Example: "  dynalite-go conformance replay traffic.jsonl --endpoint http://127.0.0.1:8000\n" +
			"  dynalite-go conformance replay traffic.jsonl --endpoint http://127.0.0.1:8000 --minimize small.jsonl\n" +
			"  dynalite-go conformance replay traffic.jsonl --endpoint http://127.0.0.1:8000 --against http://127.0.0.1:8001\n" +
			"  dynalite-go conformance replay traffic.jsonl --table 'orders pk S, sk N'",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the process at once
			return f.start(ctx, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.to.endpoint, "endpoint", "", "`URL` of the endpoint")
	fl.BoolVar(&f.to.aws, "aws", false, "send it to DynamoDB itself, with the AWS SDK's default credentials; costs money")
	fl.StringVar(&f.to.region, "region", "", "region of AWS or the endpoint")
	fl.StringVar(&f.to.wording, "wording", "", "without --endpoint: wording of the emulator's errors, current or classic")
	fl.BoolVar(&f.to.sign, "sign", false, "sign requests to the endpoint with the AWS SDK's default credentials")
	fl.Float64Var(&f.to.maxCost, "max-cost", 0, "never spend more than so many `dollars` by estimate (with --aws)")
	fl.StringVar(&f.to.against, "against", "", "`URL` of a second endpoint: compare with its answers, not those captured")
	fl.BoolVar(&f.inPlace, "in-place", false, "use the tables by their own names, with what is in them")
	fl.StringArrayVar(&f.tables, "table", nil, "`description` of a table that was there before, as in case files: 'orders pk S, sk N'; may be repeated")
	fl.StringVar(&f.to.prefix, "prefix", "", "begin the names of all tables with this")
	fl.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long an answer may take")
	fl.StringVar(&f.minimize, "minimize", "", "reduce the traffic to what it takes to differ, and write that to this `file`")
	fl.IntVar(&f.trials, "trials", 300, "with --minimize: attempts at most")
	fl.StringVar(&f.to.json, "json", "", "write a JSON report to this `file`, - for the standard output")
	fl.StringVar(&f.to.junit, "junit", "", "write a JUnit XML report to this `file`")
	fl.BoolVar(&f.to.quiet, "quiet", false, "show no progress")
	return cmd
}

// readTraffic reads a file, or the standard input for "-".
func readTraffic(name string) (*conformance.Traffic, error) {
	if name == "-" {
		return conformance.ReadTraffic("standard input", os.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return conformance.ReadTraffic(name, file)
}

func (f *replayFlags) start(ctx context.Context, name string, out, errOut io.Writer) error {
	if f.to.aws && f.to.endpoint != "" {
		return errors.New("--aws and --endpoint: one target, please")
	}
	traffic, err := readTraffic(name)
	if err != nil {
		return err
	}
	if len(traffic.Exchanges) == 0 {
		return fmt.Errorf("%s: no exchanges", name)
	}
	target, err := f.to.target(ctx)
	if err != nil {
		return err
	}
	progress := &replayProgress{w: errOut, draws: isTerminal(errOut) && !f.to.quiet}
	options := []conformance.ReplayOption{
		conformance.RequestTimeout(f.timeout), conformance.WithTables(f.tables...), conformance.MinimizeTrials(f.trials),
		conformance.ObserveReplay(progress.show),
	}
	if f.inPlace {
		options = append(options, conformance.InPlace())
	}
	if f.to.against != "" {
		options = append(options, conformance.ComparedWith(conformance.Endpoint(f.to.against)))
	}
	if target.Charges {
		if f.minimize != "" {
			return errors.New("--minimize with --aws would cost too much: replay against an emulator, --against another")
		}
		fmt.Fprintf(errOut, "%d requests to %s cost about $%.4f, on the high side.\n", len(traffic.Exchanges), target.Name, traffic.Estimate())
		if f.to.maxCost <= 0 {
			return errors.New("say how much it may cost: --max-cost")
		}
		options = append(options, conformance.ReplayBudget(f.to.maxCost))
	}
	if f.minimize != "" {
		small, err := conformance.Minimize(ctx, target, traffic, options...)
		progress.clear()
		return f.tellMinimal(small, err, out)
	}
	replayed, err := conformance.Replay(ctx, target, traffic, options...)
	progress.clear()
	if err != nil {
		return err
	}
	return f.tell(replayed, out)
}

// tell writes the reports. The text goes to the standard output unless another report does.
func (f *replayFlags) tell(r *conformance.Replayed, out io.Writer) error {
	text := out
	if f.to.json == "-" {
		text = io.Discard
		if err := r.WriteJSON(out); err != nil {
			return err
		}
	} else if f.to.json != "" {
		if err := writeFile(f.to.json, r.WriteJSON); err != nil {
			return err
		}
	}
	if f.to.junit != "" {
		if err := writeFile(f.to.junit, r.WriteJUnit); err != nil {
			return err
		}
	}
	if err := r.WriteText(text); err != nil {
		return err
	}
	if r.Failed() {
		return errAnswersDiffer
	}
	return nil
}

// errAnswersDiffer ends the command with an error after everything was told.
var errAnswersDiffer = errors.New("the answers differ")

func (f *replayFlags) tellMinimal(small *conformance.Minimal, err error, out io.Writer) error {
	if errors.Is(err, conformance.ErrNoDifference) && err.Error() == conformance.ErrNoDifference.Error() {
		fmt.Fprintln(out, "no answer differs")
		return nil
	}
	if small == nil {
		return err
	}
	fault := writeFile(f.minimize, func(w io.Writer) error {
		_, err := small.Traffic.WriteTo(w)
		return err
	})
	if fault != nil {
		return errors.Join(err, fault)
	}
	for _, note := range small.Notes {
		fmt.Fprintln(out, "note:", note)
	}
	fmt.Fprintf(out, "%s\nsent: %s\nreceived: %s\n(-want +got)\n%s\n", small.Result.Case, small.Result.Request, small.Result.Received, small.Result.Detail)
	fmt.Fprintf(out, "%d of %d requests are left after %d attempts, in %s. Judge: %s.\n",
		len(small.Traffic.Exchanges), small.From, small.Trials, f.minimize, small.Judge)
	if !small.Complete {
		fmt.Fprintln(out, "The search is not at its end: --trials allows more.")
	}
	fmt.Fprintf(out, "A case of it: dynalite-go conformance add %s --out cases/NAME.txt\n", f.minimize)
	return errors.Join(err, errAnswersDiffer)
}

// replayProgress draws a line over itself.
type replayProgress struct {
	w     io.Writer
	draws bool
	last  time.Time
}

func (p *replayProgress) show(done, total int, res conformance.Result) {
	if now := time.Now(); p.draws && now.Sub(p.last) > 50*time.Millisecond {
		p.last = now
		name := []rune(res.Case)
		fmt.Fprintf(p.w, "\r\x1b[K%d/%d %s", done, total, string(name[:min(len(name), max(columns()-20, 10))]))
	}
}

func (p *replayProgress) clear() {
	if p.draws {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// addFlags are the flags of add.
type addFlags struct {
	out, topic, wording string
	force               bool
}

func newAdd() *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add FILE --out CASES.txt",
		Short: "Make a case file of captured traffic",
		Long: "Makes a conformance case of the traffic that dynalite-go proxy wrote, or of what replay --minimize left of it. Tables\n" +
			"are set up by the file, times and ids become loose matches, and the provenance names day and region. The case is then\n" +
			"tried on the emulator itself, which also tells under which wording of errors it passes.",
		Example: "  dynalite-go conformance add small.jsonl --out cases/captured/lost-update.txt\n" +
			"  dynalite-go conformance --cases cases --run captured/ --endpoint http://127.0.0.1:8000",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.add(cmd.Context(), args[0], cmd.OutOrStdout())
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.out, "out", "", "case `file` to write")
	fl.StringVar(&f.topic, "topic", "", "what it is about (default: the file's name)")
	fl.StringVar(&f.wording, "wording", "", "wording of the errors captured: current, classic or any (default: that of the emulator under which the case passes)")
	fl.BoolVar(&f.force, "force", false, "overwrite the file")
	return cmd
}

func (f *addFlags) add(ctx context.Context, name string, out io.Writer) error {
	if !strings.HasSuffix(f.out, ".txt") {
		return errors.New("--out: name a file that ends in .txt")
	}
	c := conformance.CaseConfig{Name: caseName(f.out), Topic: f.topic}
	wording, ok := conformance.ParseWording(f.wording)
	if !ok && f.wording != "" {
		return fmt.Errorf("--wording: %q is not current, classic or any", f.wording)
	}
	c.Wording = wording
	traffic, err := readTraffic(name)
	if err != nil {
		return err
	}
	script, notes, err := conformance.CaseOf(traffic, c)
	for _, note := range notes {
		fmt.Fprintln(out, "note:", note)
	}
	if err != nil {
		return err
	}
	current, err := tryCase(ctx, script, conformance.Current)
	if err != nil {
		return err
	}
	classic, err := tryCase(ctx, script, conformance.Classic)
	if err != nil {
		return err
	}
	if f.wording == "" && current.Failed() != classic.Failed() {
		if c.Wording = conformance.Current; current.Failed() {
			c.Wording = conformance.Classic
		}
		if script, _, err = conformance.CaseOf(traffic, c); err != nil {
			return err
		}
	}
	if err := f.write(conformance.Format(script)); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d steps\n", f.out, len(script.Cases[0].Steps))
	if !current.Failed() || !classic.Failed() {
		fmt.Fprintln(out, "It passes on dynalite-go.")
		return nil
	}
	fmt.Fprintln(out, "It differs from dynalite-go:")
	return current.WriteText(out)
}

// caseName is the name of a case file below the directory of cases.
func caseName(file string) string {
	name := filepath.ToSlash(filepath.Clean(file))
	if _, below, ok := strings.Cut("/"+name, "/cases/"); ok {
		return below
	}
	return filepath.Base(name)
}

// tryCase runs a case on a database of its own.
func tryCase(ctx context.Context, s *conformance.Script, wording conformance.Wording) (*conformance.Report, error) {
	of := dynalite.CurrentWording
	if wording == conformance.Classic {
		of = dynalite.ClassicWording
	}
	db, err := dynalite.New(dynalite.WithWording(of))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	target := conformance.InProcess(db.Transport())
	target.Wording = wording
	r, err := conformance.NewRunner(target, conformance.WithScripts(s))
	if err != nil {
		return nil, err
	}
	return r.Run(ctx)
}

func (f *addFlags) write(text string) error {
	if err := os.MkdirAll(filepath.Dir(f.out), 0o755); err != nil {
		return err
	}
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !f.force {
		mode |= os.O_EXCL
	}
	file, err := os.OpenFile(f.out, mode, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("--out: %s exists; --force overwrites it", f.out)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, text)
	return errors.Join(err, file.Close())
}
