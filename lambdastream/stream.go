package lambdastream

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dynalite-go/dynalite"
	"github.com/dynalite-go/dynalite/engine"
)

// finder looks for the table's stream and goes on to the next one when a stream has ended.
type finder struct {
	consumer *Consumer
	task     *task

	current  *stream            // nil: there is none to read
	last     *engine.LiveStream // the last that was read to its end, in the present content of the database
	added    <-chan struct{}    // closed when there may be a new stream
	replaced <-chan struct{}    // closed when the database's content is another one
}

// find starts to read the stream that is to be read now, if there is one.
func (f *finder) find() error {
	c := f.consumer
	f.replaced = c.db.Replaced()
	from, at := c.config.from, c.config.at
	if f.added != nil {
		// Whatever is there by now was not when the consumer was made.
		from, at = engine.TrimHorizon, time.Time{}
	}
	return c.inRegion(func(r *engine.Region) error {
		var live *engine.LiveStream
		if live, f.added = r.LiveStream(c.config.table, f.last); live == nil {
			return nil
		}
		s, err := newStream(c, live, from, at)
		if err != nil {
			return err
		}
		f.current = s
		s.mu.Lock()
		defer s.mu.Unlock()
		s.startShards()
		return nil
	})
}

func (f *finder) run() {
	defer f.task.end()
	for {
		added, done := f.added, (<-chan struct{})(nil)
		if f.current != nil {
			added, done = nil, f.current.done
		}
		f.task.setRest(rest{resting: true, wakes: [3]<-chan struct{}{added, done, f.replaced}})
		select {
		case <-f.consumer.ctx.Done():
			return
		case <-f.task.poke:
			continue
		case <-f.replaced:
			if f.current != nil {
				f.current.cancel()
			}
			f.current, f.last, f.added = nil, nil, nil
		case <-done:
			f.current.cancel()
			f.last, f.current = f.current.live, nil
		case <-added:
		}
		f.task.setRest(rest{})
		if !f.next() {
			return
		}
	}
}

// next looks for the next stream. It is false when the database is closed, which ends the consumer.
func (f *finder) next() bool {
	err := f.find()
	switch {
	case err == nil:
		return true
	case !errors.Is(err, dynalite.ErrClosed):
		f.consumer.log.Error("stream not read", "error", err)
		return true
	}
	f.consumer.cancel()
	return false
}

// inRegion runs fn on the part of the database that has the table.
func (c *Consumer) inRegion(fn func(*engine.Region) error) error {
	return c.db.InRegion(c.config.account, c.config.region, fn)
}

// expire removes what has expired in the table, and returns when something will; zero when nothing does.
func (c *Consumer) expire() (next time.Time) {
	// A closed database has nothing that expires.
	_ = c.inRegion(func(r *engine.Region) error {
		next, _ = r.Expire(c.config.table)
		return nil
	})
	return next
}

// stream is one stream that is being read, shard by shard. Parents are drained before their children are begun.
type stream struct {
	consumer *Consumer
	live     *engine.LiveStream
	arn      string
	ctx      context.Context
	cancel   context.CancelFunc
	done     chan struct{} // closed when the stream has ended and is drained

	mu      sync.Mutex
	known   map[string]*shardState // guarded by mu; shards that are listed, by id
	running int                    // guarded by mu; shards that are being read
}

// shardState is how far the reading of a shard is.
type shardState struct {
	first            *engine.Follower // where to begin, nil: at the beginning
	started, drained bool
}

// newStream returns a stream that is to be read from a starting position on.
func newStream(c *Consumer, live *engine.LiveStream, from engine.IteratorType, at time.Time) (*stream, error) {
	s := &stream{consumer: c, live: live, arn: live.ARN(), done: make(chan struct{}), known: map[string]*shardState{}}
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	shards, _ := live.Shards()
	for _, sh := range shards {
		first, err := live.Follow(sh.ShardID, from, at)
		if err != nil {
			s.cancel()
			return nil, err
		}
		s.known[sh.ShardID] = &shardState{first: first}
	}
	return s, nil
}

// startShards begins with all shards whose parent is drained or gone. When nothing is left of a closed stream, the
// stream is done. The caller holds mu.
func (s *stream) startShards() {
	shards, open := s.live.Shards()
	listed := make(map[string]*shardState, len(shards))
	for _, sh := range shards {
		state := s.known[sh.ShardID]
		if state == nil {
			state = new(shardState)
		}
		listed[sh.ShardID] = state
	}
	for _, sh := range shards { // in the order in which they were made, so parents first
		state, parent := listed[sh.ShardID], s.known[sh.ParentShardID]
		if state.started || listed[sh.ParentShardID] != nil && !parent.done() {
			continue
		}
		if state.first == nil && sh.ParentShardID != "" && !parent.done() {
			s.consumer.counts.gaps.Add(1)
			s.consumer.log.Warn("changes may be lost: a shard left the stream before it was read", "shard", sh.ParentShardID)
		}
		s.start(sh.ShardID, state)
	}
	s.known = listed
	if s.running == 0 && !open {
		close(s.done)
	}
}

// done reports whether a shard is drained. A shard that is not known, nil, is not.
func (s *shardState) done() bool { return s != nil && s.drained }

// start begins with a shard. The caller holds mu.
func (s *stream) start(id string, state *shardState) {
	if state.started {
		return
	}
	state.started = true
	follower := state.first
	state.first = nil
	if follower == nil {
		var err error
		if follower, err = s.live.Follow(id, engine.TrimHorizon, time.Time{}); err != nil {
			s.consumer.log.Error("shard not read", "shard", id, "error", err)
			state.drained = true
			return
		}
	}
	s.running++
	l := newShardLoop(s, id, follower)
	s.consumer.loops.Go(l.run)
}

// drained notes that a shard was read to its end, and goes on with its children.
func (s *stream) drained(id string, f *engine.Follower) {
	children := f.Children()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	if state := s.known[id]; state != nil { // it may have left the stream meanwhile
		state.drained = true
	}
	for _, child := range children {
		state := s.known[child]
		if state == nil {
			state = new(shardState)
			s.known[child] = state
		}
		s.start(child, state)
	}
	if len(children) == 0 {
		// The stream has ended, or what followed has left it unread.
		s.startShards()
	}
}
