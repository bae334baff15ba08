package engine

import (
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/engine/internal/store"
	"github.com/dynalite-go/dynalite/internal/lockrank"
)

// tokenLife is how long a ClientRequestToken is remembered (behaviours/08
// §8.5).
const tokenLife = 10 * time.Minute

// tokens remembers the transactions of a region that carried a token.
type tokens struct {
	mu     lockrank.Mutex
	known  map[string]*tokenEntry // guarded by mu
	expiry []expiringToken        // guarded by mu; in order of expiry
}

// tokenEntry is what is known of one token. While its transaction runs, done
// is false.
type tokenEntry struct {
	digest [32]byte
	done   bool
	replay []replayUnits
}

// replayUnits is what a replay costs on one table, in read units.
type replayUnits struct {
	table string
	units float64
}

type expiringToken struct {
	token string
	entry *tokenEntry
	at    time.Time
}

func (k *tokens) init() {
	k.mu.SetRank(store.ClassLeaf, 0)
	k.known = map[string]*tokenEntry{}
}

// begin claims a token for a transaction. It returns the entry of an earlier
// transaction with the same token and digest, to be replayed, or nil when
// the caller is to run the transaction and then call end.
func (k *tokens) begin(token string, digest [32]byte, now time.Time) (replay *tokenEntry, err *api.Error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire(now)
	switch e := k.known[token]; {
	case e == nil:
		// The token may be part of a request, which must not be kept alive.
		k.known[strings.Clone(token)] = &tokenEntry{digest: digest}
		return nil, nil
	case e.digest != digest:
		return nil, errTokenMismatch
	case !e.done:
		return nil, errInProgress
	default:
		return e, nil
	}
}

// end remembers a transaction that succeeded, and forgets the token of one
// that did not.
func (k *tokens) end(token string, ok bool, replay []replayUnits, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.known[token]
	if !ok {
		delete(k.known, token)
		return
	}
	e.done, e.replay = true, replay
	k.expiry = append(k.expiry, expiringToken{strings.Clone(token), e, now.Add(tokenLife)})
}

// expire forgets what is older than tokenLife.
func (k *tokens) expire(now time.Time) {
	n := 0
	for ; n < len(k.expiry) && !k.expiry[n].at.After(now); n++ {
		if x := k.expiry[n]; k.known[x.token] == x.entry {
			delete(k.known, x.token)
		}
	}
	k.expiry = k.expiry[n:]
}

// clone copies what is remembered into the tokens of a fork.
func (k *tokens) clone(into *tokens) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, x := range k.expiry {
		into.known[x.token] = x.entry
	}
	into.expiry = append(into.expiry, k.expiry...)
}

var (
	// That another request under a known token is refused is recorded, the
	// text is not.
	errTokenMismatch = &api.Error{Code: api.CodeIdempotentParameterMismatch,
		Message: "Provided client token is already in use for a different request"}
	errInProgress = &api.Error{Code: api.CodeTransactionInProgress,
		Message: "Transaction from previous request is still in progress"}
)
