package engine

import (
	"crypto/md5"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dynalite-go/dynalite/api"
)

// Encryption is a checked SSESpecification. With Enabled false the table has
// the service's own key.
type Encryption struct {
	Enabled bool
	// Key is the KMSMasterKeyId: an id, an alias or an ARN. Empty stands
	// for the key that the service manages in the account.
	Key string
}

// encryption is how a table is encrypted. Nothing is: it is only described.
type encryption struct {
	key   string // ARN; "" is the service's own key
	next  string
	until time.Time // end of the way to next, zero when there is none
}

func (e *encryption) settle(now time.Time) {
	if e.until.IsZero() || now.Before(e.until) {
		return
	}
	e.key, e.until = e.next, time.Time{}
}

func (e *encryption) describe() *api.SSEDescription {
	d := &api.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyARN: e.key}
	switch {
	case !e.until.IsZero():
		d.Status = "UPDATING"
		if e.key == "" {
			d.KMSMasterKeyARN = e.next
		}
	case e.key == "":
		return nil
	}
	return d
}

// keyARN is the ARN that stands for the key of an Encryption, "" for the
// service's own. Ids behind aliases are made up, always the same ones.
func (r *Region) keyARN(e *Encryption) string {
	if e == nil || !e.Enabled {
		return ""
	}
	key := e.Key
	if strings.HasPrefix(key, "arn:") && strings.Contains(key, ":key/") {
		return strings.Clone(key)
	}
	if i := strings.Index(key, "alias/"); i >= 0 {
		key = key[i:]
	}
	if key == "" {
		key = "alias/aws/dynamodb"
	}
	if strings.HasPrefix(key, "alias/") {
		key = formatUUID(md5.Sum([]byte(r.account + " " + r.name + " " + key)))
	}
	return "arn:aws:kms:" + r.name + ":" + r.account + ":key/" + key
}

// checkEncryption refuses an encryption that is the present one (api-surface
// §6.2).
func (t *Table) checkEncryption(e *Encryption) *api.Error {
	s := &t.settings.encryption
	if e == nil {
		return nil
	}
	if !e.Enabled && s.key == "" {
		return api.Validation(invalidParameter + "Table is already encrypted by default")
	}
	if e.Enabled && e.Key != "" && e.Key == s.key {
		return api.Validation(invalidParameter + "Table is already encrypted with given KMSMasterKeyId. " +
			"Use KMSMasterKeyId parameter if you want to change Master Key")
	}
	return nil
}

// newUUID makes a random UUID.
func newUUID() string {
	var b [16]byte
	hi, lo := rand.Uint64(), rand.Uint64()
	for i := range 8 {
		b[i] = byte(hi >> (8 * i))
		b[8+i] = byte(lo >> (8 * i))
	}
	return formatUUID(b)
}

// formatUUID prints random bytes as a UUID of version 4.
func formatUUID(b [16]byte) string {
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	text := make([]byte, 0, 36)
	for i := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, b[i:i+1])
	}
	return string(text)
}
