package partiql

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/dynalite-go/dynalite/api"
	"github.com/dynalite-go/dynalite/attr"
)

// A NextToken holds everything that the next page needs, so it outlives both
// client and server: a version, a digest of statement and parameters, the
// read to go on with, the key to go on behind, and a checksum that tells
// tokens from other text.

const (
	tokenVersion   = 1
	digestBytes    = 16
	checksumBytes  = 4
	minTokenLength = 1 + digestBytes + 1 + checksumBytes
)

// digest tells statements with their parameters apart.
func (b *bound) digest() [digestBytes]byte {
	buf := make([]byte, 0, 256)
	buf = appendPart(buf, b.text)
	for i := range b.values {
		buf = appendPart(buf, b.values[i].Value.Text())
	}
	sum := sha256.Sum256(buf)
	return [digestBytes]byte(sum[:digestBytes])
}

func appendPart(dst []byte, part string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(part)))
	return append(dst, part...)
}

// token is the NextToken of the page that begins at a place.
func (b *bound) token(p place) string {
	digest := b.digest()
	buf := append([]byte{tokenVersion}, digest[:]...)
	buf = binary.AppendUvarint(buf, uint64(p.read))
	for name, v := range p.start.All() {
		buf = appendPart(buf, name)
		buf = append(buf, byte(v.Type()))
		buf = appendPart(buf, keyContent(v))
	}
	sum := sha256.Sum256(buf)
	return base64.URLEncoding.EncodeToString(append(buf, sum[:checksumBytes]...))
}

// keyContent is the content of a value that is part of a key.
func keyContent(v attr.Value) string {
	switch v.Type() {
	case attr.N:
		return v.NumberText()
	case attr.B:
		return string(v.Bytes())
	}
	return v.Str()
}

// resume is the place that a NextToken stands for.
func (b *bound) resume(token api.String) (place, *api.Error) {
	if !token.Set {
		return place{}, nil
	}
	buf, err := base64.URLEncoding.DecodeString(token.Value)
	if err != nil || len(buf) < minTokenLength || buf[0] != tokenVersion {
		return place{}, errToken
	}
	body := buf[:len(buf)-checksumBytes]
	if sum := sha256.Sum256(body); string(sum[:checksumBytes]) != string(buf[len(body):]) {
		return place{}, errToken
	}
	if digest := b.digest(); string(body[1:1+digestBytes]) != string(digest[:]) {
		return place{}, errOther
	}
	p, ok := readPlace(body[1+digestBytes:])
	if !ok {
		return place{}, errToken
	}
	return p, nil
}

// readPlace reads what token wrote.
func readPlace(buf []byte) (p place, ok bool) {
	n, used := binary.Uvarint(buf)
	if used <= 0 || n > maxReads {
		return p, false
	}
	p.read = int(n)
	buf = buf[used:]
	var fields []attr.Field
	for len(buf) > 0 {
		name, rest, ok := readPart(buf)
		if !ok || len(rest) == 0 {
			return p, false
		}
		content, after, ok := readPart(rest[1:])
		if !ok {
			return p, false
		}
		v, ok := keyValue(attr.Type(rest[0]), content)
		if !ok {
			return p, false
		}
		fields = append(fields, attr.Field{Name: name, Value: v})
		buf = after
	}
	if fields != nil {
		p.start = attr.NewItem(fields...)
	}
	return p, true
}

func readPart(buf []byte) (part string, rest []byte, ok bool) {
	n, used := binary.Uvarint(buf)
	if used <= 0 || n > uint64(len(buf)-used) {
		return "", nil, false
	}
	return string(buf[used : used+int(n)]), buf[used+int(n):], true
}

func keyValue(t attr.Type, content string) (attr.Value, bool) {
	switch t {
	case attr.S:
		return attr.String(content), true
	case attr.B:
		return attr.Binary([]byte(content)), true
	case attr.N:
		v, fault := attr.NumberValue(content)
		return v, fault == nil
	}
	return attr.Value{}, false
}
