package engine

import (
	"context"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// UpdateTimeToLive is UpdateTimeToLive as a command.
type UpdateTimeToLive struct {
	Table     string
	Enabled   bool
	Attribute string
}

// DescribeTimeToLive is DescribeTimeToLive as a command.
type DescribeTimeToLive struct {
	Table string
}

// ttl is the time to live setting of a table: the attribute that tells when
// an item expires.
type ttl struct {
	attribute string // "" while time to live is off
	enabling  bool   // until then it is ENABLING, else DISABLING
	until     time.Time
}

func (s *ttl) settle(now time.Time) {
	if s.until.IsZero() || now.Before(s.until) {
		return
	}
	if !s.enabling {
		s.attribute = ""
	}
	s.until = time.Time{}
}

// expiresBy is the attribute by which items expire at a time, "" when they do
// not. It is where the removal of expired items starts.
func (s *ttl) expiresBy(now time.Time) string {
	if !s.until.IsZero() && now.Before(s.until) == s.enabling {
		return ""
	}
	return s.attribute
}

// status is TimeToLiveStatus. The setting has been settled.
func (s *ttl) status() string {
	switch {
	case s.until.IsZero() && s.attribute == "":
		return "DISABLED"
	case s.until.IsZero():
		return "ENABLED"
	case s.enabling:
		return "ENABLING"
	}
	return "DISABLING"
}

// UpdateTimeToLive switches time to live (behaviours/02 §2.6). Any attribute
// will do, keys too.
//
// Errors: ResourceNotFoundException for a table that does not exist or is not
// yet or no longer there; ValidationException when the request changes nothing,
// names another attribute, or comes while the last change is under way.
func (r *Region) UpdateTimeToLive(ctx context.Context, cmd *UpdateTimeToLive) (*api.UpdateTimeToLiveOutput, error) {
	t, now, err := r.open(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	s := &t.settings
	if !s.serves(now) {
		return nil, api.TableNotFound(t.name)
	}
	if err := s.ttl.check(cmd); err != nil {
		return nil, err
	}
	if cmd.Enabled {
		s.ttl.attribute = strings.Clone(cmd.Attribute)
		t.startExpiring(s.ttl.attribute, now)
	} else {
		t.stopExpiring()
	}
	s.ttl.enabling = cmd.Enabled
	s.ttl.until = now.Add(r.engine.opts.CreateDelay)
	s.ttl.settle(now)
	return &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: &api.TimeToLiveSpecification{
		Enabled:       api.SomeBool(cmd.Enabled),
		AttributeName: api.Some(cmd.Attribute),
	}}, nil
}

func (s *ttl) check(cmd *UpdateTimeToLive) *api.Error {
	on := s.attribute != "" && (s.until.IsZero() || s.enabling)
	switch {
	case on && cmd.Attribute != s.attribute:
		return api.Validation("TimeToLive is active on a different AttributeName: current AttributeName is " + s.attribute)
	case on && cmd.Enabled:
		return api.Validation("TimeToLive is already enabled")
	case !on && !cmd.Enabled:
		return api.Validation("TimeToLive is already disabled")
	case !s.until.IsZero():
		return api.Validation("Time to live has been modified multiple times within a fixed interval")
	}
	return nil
}

// DescribeTimeToLive tells the state of time to live. A table that never had
// it looks like one where it was switched off.
//
// Errors: ResourceNotFoundException; ValidationException for a table that is
// being created or deleted.
func (r *Region) DescribeTimeToLive(ctx context.Context, cmd *DescribeTimeToLive) (*api.DescribeTimeToLiveOutput, error) {
	t, now, err := r.look(cmd.Table)
	if err != nil {
		return nil, err
	}
	defer t.mu.RUnlock()
	s := &t.settings
	if !s.serves(now) {
		return nil, api.Validation("Cannot describe time to live while table is in " + s.status +
			" state: Current table state is " + s.status)
	}
	return &api.DescribeTimeToLiveOutput{TimeToLiveDescription: api.TimeToLiveDescription{
		TimeToLiveStatus: s.ttl.status(),
		AttributeName:    s.ttl.attribute,
	}}, nil
}
