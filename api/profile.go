package api

// Wording chooses between the generations of error texts that the service shows (behaviours.md, "Two wordings
// coexist").
type Wording uint8

const (
	// WordingCurrent is us-east-1 in October 2026: each operation has the wording that it has there.
	WordingCurrent Wording = iota
	// WordingClassic is the service before 2026: every operation has its old texts.
	WordingClassic
)

// String returns the name that options and flags use.
func (w Wording) String() string {
	if w == WordingClassic {
		return "classic"
	}
	return "current"
}

// ParseWording returns the wording of a name; ok is false for an unknown one.
func ParseWording(name string) (w Wording, ok bool) {
	switch name {
	case "current":
		return WordingCurrent, true
	case "classic":
		return WordingClassic, true
	}
	return WordingCurrent, false
}

// Profile says how the errors of one operation are worded. Envelope matters only together with Current.
type Profile struct {
	Current  bool // use the current texts
	Envelope bool // put "1 validation error detected: " before enveloped errors
}

// ProfileOf returns the profile of an operation (behaviours.md, us-east-1 column; behaviours/03 §3.1). Operations
// that are not in the table, the control plane among them, have the classic texts.
func ProfileOf(op string, w Wording) Profile {
	if w == WordingClassic {
		return Profile{}
	}
	switch op {
	case "PutItem", "UpdateItem", "DeleteItem":
		return Profile{Current: true, Envelope: true}
	case "GetItem", "BatchGetItem", "Query":
		return Profile{Current: true}
	}
	return Profile{}
}
