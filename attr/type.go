package attr

// Type is the type of an attribute value. The zero Type is that of a missing
// value.
type Type uint8

// The ten types.
const (
	S Type = iota + 1
	N
	B
	SS
	NS
	BS
	M
	L
	BOOL
	NULL
)

var typeNames = [...]string{"", "S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL"}

// String is the name of the type on the wire, "S" and so on; it is empty for
// the zero Type.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return ""
}

// ParseType finds the type with a name on the wire. Names are case-sensitive.
func ParseType(name string) (t Type, ok bool) {
	switch name {
	case "S":
		t = S
	case "N":
		t = N
	case "B":
		t = B
	case "SS":
		t = SS
	case "NS":
		t = NS
	case "BS":
		t = BS
	case "M":
		t = M
	case "L":
		t = L
	case "BOOL":
		t = BOOL
	case "NULL":
		t = NULL
	}
	return t, t != 0
}

// IsSet tells SS, NS and BS from the others.
func (t Type) IsSet() bool { return t == SS || t == NS || t == BS }

// IsScalar tells the types that a key can have: S, N and B.
func (t Type) IsScalar() bool { return t == S || t == N || t == B }

// member is the type of the members of a set type.
func (t Type) member() Type { return t - (SS - S) }
