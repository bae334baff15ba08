package lambdastream

import (
	"context"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine"
)

// maxRead is the most records that are read at once, so that a shard with a long past is read in pieces.
const maxRead = 1000

// shardLoop reads one shard and delivers its records. One goroutine runs it, which owns all of its state; the calls
// of the handler run in others and send it their results.
type shardLoop struct {
	consumer *Consumer
	stream   *stream
	id       string
	follower *engine.Follower
	task     *task
	ctx      context.Context // of the loop and its calls
	cancel   context.CancelFunc

	lanes   []lane
	results chan result
	ended   bool // everything was read, and the shard is closed
}

// result is the outcome of a lane's call. Those of calls that the lane has given up are late and don't count.
type result struct {
	lane *lane
	call *laneCall
	outcome
}

func newShardLoop(s *stream, id string, f *engine.Follower) *shardLoop {
	c := s.consumer
	l := &shardLoop{
		consumer: c, stream: s, id: id, follower: f, task: c.tasks.add(),
		lanes: make([]lane, c.config.parallel), results: make(chan result),
	}
	l.ctx, l.cancel = context.WithCancel(s.ctx)
	return l
}

func (l *shardLoop) run() {
	defer l.task.end()
	defer l.cancel() // nobody takes late results any more
	for {
		now := l.consumer.clock.Now()
		l.read(now)
		next := l.step(now)
		if l.ended && l.backlog() == 0 && !l.calling() {
			l.stream.drained(l.id, l.follower)
			return
		}
		if !l.wait(next) {
			return
		}
	}
}

// read takes records from the shard, as far as they are there and there is room for them.
func (l *shardLoop) read(now time.Time) {
	for !l.ended && l.ctx.Err() == nil {
		room := min(l.room(), maxRead)
		if room == 0 {
			return
		}
		page := l.follower.Read(room)
		if page.LostFrom != "" {
			l.consumer.counts.gaps.Add(1)
			l.consumer.log.Warn("changes are lost: they left the stream before they were read", "shard", l.id,
				"from", page.LostFrom, "to", page.LostTo)
		}
		for i := range page.Records {
			l.take(&page.Records[i], now)
		}
		l.ended = page.End
		if len(page.Records) < room {
			return
		}
	}
}

func (l *shardLoop) take(rec *api.Record, now time.Time) {
	if !l.consumer.config.wants(rec, l.stream.arn) {
		l.consumer.counts.filtered.Add(1)
		return
	}
	l.laneOf(rec).add(rec, now, l.consumer.config.batchSize)
}

// laneOf is the lane of a record's item.
func (l *shardLoop) laneOf(rec *api.Record) *lane {
	if len(l.lanes) == 1 {
		return &l.lanes[0]
	}
	// FNV-1a, which is the same in each run.
	hash := uint32(2166136261)
	for _, b := range []byte(rec.Keys.Text()) {
		hash = (hash ^ uint32(b)) * 16777619
	}
	return &l.lanes[hash%uint32(len(l.lanes))]
}

// room is how many records may be read. Nothing is read while all lanes are at work.
func (l *shardLoop) room() int {
	free := false
	for i := range l.lanes {
		free = free || l.lanes[i].call == nil
	}
	if !free {
		return 0
	}
	most := l.consumer.config.batchSize
	if n := len(l.lanes); n > 1 {
		most *= 2 * n // keys don't spread evenly
	}
	return max(0, most-l.backlog())
}

// backlog is how many records were read and are not done.
func (l *shardLoop) backlog() (n int) {
	for i := range l.lanes {
		n += l.lanes[i].backlog
	}
	return n
}

func (l *shardLoop) calling() bool {
	for i := range l.lanes {
		if l.lanes[i].call != nil {
			return true
		}
	}
	return false
}

// step calls the handler where that is due, and returns when it will be next; zero when no time is set for that.
func (l *shardLoop) step(now time.Time) (next time.Time) {
	for i := range l.lanes {
		ln := &l.lanes[i]
		for ln.call == nil {
			b, due := ln.due(now, &l.consumer.config, l.ended)
			if b == nil {
				next = earlier(next, due)
				break
			}
			if !l.discardExpired(ln, b, now) {
				l.begin(ln, b)
			}
		}
	}
	return next
}

// earlier is the earlier of two times, of which zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// wait waits until there is something to do. It is false when the stream or the consumer is given up.
func (l *shardLoop) wait(next time.Time) bool {
	c := l.consumer
	calling := l.calling()
	var more <-chan struct{}
	if !l.ended && l.room() > 0 {
		more = l.follower.More()
	}
	if !calling && !l.ended {
		next = earlier(next, l.nextExpiry())
	}
	var timer <-chan time.Time
	if !next.IsZero() {
		now := c.clock.Now()
		if !now.Before(next) {
			return l.ctx.Err() == nil
		}
		t := c.clock.NewTimer(next.Sub(now))
		defer t.Stop()
		timer = t.C()
	}
	if !calling {
		l.task.setRest(rest{resting: true, until: next, backlog: l.backlog() > 0, wakes: [3]<-chan struct{}{more, l.ctx.Done()}})
		defer l.task.setRest(rest{})
	}
	select {
	case <-l.ctx.Done():
		return false
	case r := <-l.results:
		l.settle(r)
	case <-more:
	case <-timer:
	case <-l.task.poke:
	}
	return true
}

// nextExpiry is when an item of the table expires next, zero for never. What has expired by now is removed, which
// this shard may have to deliver.
func (l *shardLoop) nextExpiry() time.Time {
	next := l.consumer.expire()
	// Time to live may be on its way to be switched on or off. Then what is due stays for a while.
	if now := l.consumer.clock.Now(); !next.IsZero() && !now.Before(next) {
		return now.Add(time.Second)
	}
	return next
}

// begin calls the handler with a batch.
func (l *shardLoop) begin(ln *lane, b *batch) {
	records := b.records // which a call that takes too long must not share
	l.call(ln, b, func(ctx context.Context) ([]string, error) {
		return l.consumer.deliver(ctx, records, l.stream.arn)
	})
}

// call runs code of the user for a lane.
func (l *shardLoop) call(ln *lane, b *batch, fn func(context.Context) ([]string, error)) {
	this := &laneCall{batch: b}
	ln.call = this
	l.consumer.begin(l.ctx, fn, func(out outcome) {
		select {
		case l.results <- result{ln, this, out}:
		case <-l.ctx.Done():
		}
	})
}
