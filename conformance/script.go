package conformance

// Script is one case file: tables that are set up once, and the cases that use them.
type Script struct {
	Name    string   // path below cases/ without its extension, such as "items/sets"
	Remarks []string // comment lines above the topic
	Topic   string
	From    string // provenance of the cases that name none
	Tags    []string
	Texts   []Text
	Tables  []Table
	Cases   []Case
	Tail    []string // comment lines after the last case
}

// Text is a named piece of text, written ${Name}.
type Text struct {
	Name    string
	Value   string
	Remarks []string
	Line    int
}

// Table is a table that exists before the first case of its file runs.
type Table struct {
	Name    string // the name in the file; the name on the target is longer, and written ${Name}
	Keys    Keys
	Local   []Index
	Global  []Index
	With    string // further members of CreateTable, a JSON object; "" for none
	Items   []Fixture
	Remarks []string
	Line    int
}

// Keys is a key schema: one or more HASH attributes, then RANGE attributes.
type Keys struct{ Hash, Range []KeyAttribute }

// KeyAttribute is an attribute of a key and its type, S, N or B.
type KeyAttribute struct{ Name, Type string }

// Index is a secondary index of a Table. A local one gives only its range key.
type Index struct {
	Name       string
	Keys       Keys
	Projection string   // ALL, KEYS_ONLY or INCLUDE
	NonKey     []string // of INCLUDE
	Line       int
}

// Fixture is an item, or a numbered series of items, that a table holds from the beginning.
type Fixture struct {
	Count int // items made from Item, in which {i} counts from 1; 0 for a single item
	Item  string
	Line  int
}

// Case is a named conversation and what is expected of it.
type Case struct {
	Name        string
	Rows        []string // rows of the reference that the case covers
	From        string   // provenance where it isn't that of the rows or the file
	Unconfirmed bool     // no recording of the service says so
	Tags        []string
	Wording     Wording  // the only wording under which the case makes sense, or AnyWording
	New         []string // names of tables that the case itself creates
	Steps       []Step
	Each        []Grid // the case runs once for each combination of rows
	Remarks     []string
	Line        int
}

// Grid is a table of values for a case: columns are names, each row is one set of values.
type Grid struct {
	Columns []string
	Rows    [][]string
	Line    int
}

// StepKind tells the forms of a step apart.
type StepKind uint8

// The forms of a step.
const (
	CallStep StepKind = iota // one operation
	HTTPStep                 // a request spelled out
	WaitStep                 // waiting for a state of a table or index
)

// Step is one request and the answers that are right.
type Step struct {
	Kind StepKind

	// CallStep.
	Operation string // such as "PutItem"; may be ${name}
	Table     string // value of TableName, by its name in the file; "" when Body has it
	Body      string // JSON object
	Pages     bool   // follow LastEvaluatedKey or NextToken and join the pages
	Segments  int    // scan this many segments and join them; 0 for no parallel scan
	Records   bool   // read all shards of a stream; Operation is GetRecords

	// HTTPStep.
	Method, Path string
	Headers      []Header
	Payload      string // body as written; "" for none
	Encoding     string // "gzip" or "deflate": how Payload is packed

	// WaitStep: of table Table.
	Index string // "" for the table itself
	State string // status to wait for, or "gone"

	Want    []Want // none: any success
	Keep    []Keep
	Remarks []string
	Line    int
}

// Header is a header line of an HTTPStep. An empty Value takes the header away.
type Header struct{ Name, Value string }

// Want is the expected answer of a step under one wording, or under both.
type Want struct {
	Wording    Wording
	Status     int    // 0: 200 for a success, 400 for an error
	Error      string // error type, with or without its prefix; "" for a success
	HasMessage bool   // false: the message is not looked at
	Message    string // exact text, or a loose match
	Body       string // JSON with loose matches: of a success the body, of an error the further members; "" for any
	Headers    []Header
	Line       int
}

// Keep captures a value of an answer for the steps that follow, which write ${Name}.
type Keep struct{ Name, Path string }

// Wording is one of the two generations of error texts.
type Wording uint8

// The wordings. AnyWording is both for a case, and either for a target.
const (
	AnyWording Wording = iota
	Classic
	Current
)

// String returns "classic", "current" or "any".
func (w Wording) String() string {
	switch w {
	case Classic:
		return "classic"
	case Current:
		return "current"
	default:
		return "any"
	}
}

// ParseWording reads what Wording.String prints. ok is false for another text.
func ParseWording(s string) (w Wording, ok bool) {
	switch s {
	case "classic":
		return Classic, true
	case "current":
		return Current, true
	case "any":
		return AnyWording, true
	default:
		return AnyWording, false
	}
}

// admits reports whether something written for wording w counts under the target's wording.
func (w Wording) admits(target Wording) bool {
	return w == AnyWording || target == AnyWording || w == target
}
