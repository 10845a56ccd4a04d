package workloads

// keysFormat is a key per line, read as it stands: a list of reads, or of what a store holds.
func keysFormat() Format {
	return Format{
		Name:    "keys",
		Doc:     "a key per line, each a read",
		Example: "user123",
		parser:  func() parser { return parseKey },
	}
}

func parseKey(line []byte) ([]byte, What, error) { return line, Get, nil }
