package wire

// structure is a member that is a structure.
func structure[T, E any](name string, s *shape[E], at func(*T) **E, rules ...rule) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectStructure(s.java, false); err != nil {
				return err
			}
			e := new(E)
			*at(in) = e
			return s.decode(d, e)
		},
		check: func(w *walker, in *T) {
			e := *at(in)
			w.present(name, e != nil, rules)
			if e != nil {
				w.push(step{name: name})
				s.check(w, e)
				w.pop()
			}
		},
		dump: func(dst []byte, in *T) []byte {
			if e := *at(in); e != nil {
				return s.dump(dst, e)
			}
			return append(dst, "null"...)
		},
	}
}

// list is a member that is a list of structures.
func list[T, E any](name string, s *shape[E], at func(*T) *[]E, rules ...rule) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectList(); err != nil {
				return err
			}
			out, err := readStructures(d, s)
			*at(in) = out
			return err
		},
		check: func(w *walker, in *T) {
			l := *at(in)
			w.collection(name, l != nil, len(l), rules, func(dst []byte) []byte { return dumpList(dst, s, l) })
			if len(l) == 0 {
				return
			}
			w.push(step{name: name})
			for i := range l {
				w.push(step{kind: toElement, n: i + 1})
				s.check(w, &l[i])
				w.pop()
			}
			w.pop()
		},
		dump: func(dst []byte, in *T) []byte { return dumpList(dst, s, *at(in)) },
	}
}

// readStructures reads the elements of a list of structures. The list of an empty array is not nil.
func readStructures[E any](d *decoder, s *shape[E]) ([]E, error) {
	if err := d.c.BeginArray(); err != nil {
		return nil, err
	}
	out := []E{}
	for {
		ok, err := d.nextElem()
		if err != nil || !ok {
			return out, err
		}
		if err := d.c.ExpectStructure(s.java, true); err != nil {
			return out, err
		}
		var e E
		if err := s.decode(d, &e); err != nil {
			return out, err
		}
		out = append(out, e)
	}
}

// nextElem moves to the next element that is not null.
func (d *decoder) nextElem() (bool, error) {
	for {
		ok, err := d.c.NextElem()
		if err != nil || !ok {
			return false, err
		}
		null, err := d.c.ReadNull()
		if err != nil || !null {
			return err == nil, err
		}
	}
}

// nextKey moves to the next entry whose value is not null.
func (d *decoder) nextKey() (string, bool, error) {
	for {
		key, ok, err := d.c.NextKey()
		if err != nil || !ok {
			return "", false, err
		}
		null, err := d.c.ReadNull()
		if err != nil || !null {
			return key, err == nil, err
		}
	}
}

// collection checks a list or map as a whole.
func (w *walker) collection(name string, set bool, n int, rules []rule, dump func([]byte) []byte) {
	for i := range rules {
		r := &rules[i]
		if set && r.holdsCount(int64(n)) || !set && r.kind != ruleRequired {
			continue
		}
		w.push(step{name: name})
		w.fail(r, func(dst []byte) []byte {
			if !set {
				return append(dst, "null"...)
			}
			return append(dump(append(dst, '\'')), '\'')
		})
		w.pop()
	}
}

// texts is a member that is a list of strings.
func texts[T any](name string, at func(*T) *[]string, rules ...rule) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectList(); err != nil {
				return err
			}
			out, err := readStrings(d)
			*at(in) = out
			return err
		},
		check: func(w *walker, in *T) {
			l := *at(in)
			dump := func(dst []byte) []byte { return dumpStrings(dst, l) }
			w.collection(name, l != nil, len(l), rules, dump)
			for i := range rules {
				if rules[i].kind == ruleEach && !rules[i].holdsEach(l) {
					w.push(step{name: name})
					w.fail(&rules[i], func(dst []byte) []byte { return append(dump(append(dst, '\'')), '\'') })
					w.pop()
				}
			}
		},
		dump: func(dst []byte, in *T) []byte { return dumpStrings(dst, *at(in)) },
	}
}

func readStrings(d *decoder) ([]string, error) {
	if err := d.c.BeginArray(); err != nil {
		return nil, err
	}
	out := []string{}
	for {
		ok, err := d.nextElem()
		if err != nil || !ok {
			return out, err
		}
		s, err := d.c.ReadString()
		if err != nil {
			return out, err
		}
		out = append(out, s)
	}
}

// entries is a member that is a map from names to structures. E is the api's entry type, a name with a structure;
// part finds the two.
func entries[T, N, E any](name string, s *shape[E], at func(*T) *[]N, part func(*N) (*string, *E),
	rules ...rule) member[T] {
	return member[T]{
		name: name,
		decode: func(d *decoder, in *T) error {
			if err := d.c.ExpectMap(s.java); err != nil {
				return err
			}
			out, err := readEntries(d, s, part)
			*at(in) = out
			return err
		},
		check: func(w *walker, in *T) {
			l := *at(in)
			w.collection(name, l != nil, len(l), rules, func(dst []byte) []byte { return dumpEntries(dst, s, l, part) })
			if len(l) == 0 {
				return
			}
			w.push(step{name: name})
			for i := range l {
				key, e := part(&l[i])
				w.push(step{kind: toEntry, name: *key})
				s.check(w, e)
				w.pop()
			}
			w.pop()
		},
		dump: func(dst []byte, in *T) []byte { return dumpEntries(dst, s, *at(in), part) },
	}
}

func readEntries[N, E any](d *decoder, s *shape[E], part func(*N) (*string, *E)) ([]N, error) {
	if err := d.c.BeginObject(); err != nil {
		return nil, err
	}
	out := []N{}
	var seen keySet
	for {
		key, ok, err := d.nextKey()
		if err != nil || !ok {
			return out, err
		}
		if !seen.add(key, len(out), func(i int) string { k, _ := part(&out[i]); return *k }) {
			return out, d.twice()
		}
		if err := d.c.ExpectStructure(s.java, true); err != nil {
			return out, err
		}
		var n N
		k, e := part(&n)
		*k = key
		if err := s.decode(d, e); err != nil {
			return out, err
		}
		out = append(out, n)
	}
}

// keySet finds names that a map holds twice. Few names are compared one by one, many are hashed.
type keySet struct{ many map[string]struct{} }

const fewKeys = 16

// add adds a name as number n and tells whether it is new. get returns the names before.
func (k *keySet) add(name string, n int, get func(i int) string) bool {
	if n < fewKeys {
		for i := range n {
			if get(i) == name {
				return false
			}
		}
		return true
	}
	if k.many == nil {
		k.many = make(map[string]struct{}, 2*n)
		for i := range n {
			k.many[get(i)] = struct{}{}
		}
	}
	if _, ok := k.many[name]; ok {
		return false
	}
	k.many[name] = struct{}{}
	return true
}
