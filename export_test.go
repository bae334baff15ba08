package dynalite

// CheckInvariants compares what the engine keeps twice. Nothing else may run meanwhile.
func (db *DB) CheckInvariants() error { return db.engine.CheckInvariants() }
