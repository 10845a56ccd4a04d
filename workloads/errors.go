package workloads

import (
	"errors"
	"fmt"
)

// ErrInput marks an error about what the user gave: an unknown workload, a knob out of range, a
// log that cannot be used. Every error of this package is one, except a context's own.
var ErrInput = errors.New("bad input")

// An inputError is one line for the user; it unwraps to ErrInput and to its cause, if any.
type inputError struct {
	text  string
	cause error
}

func (e *inputError) Error() string { return e.text }

func (e *inputError) Unwrap() []error {
	if e.cause == nil {
		return []error{ErrInput}
	}
	return []error{ErrInput, e.cause}
}

// badInput makes an input error as fmt.Errorf would word it.
func badInput(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &inputError{err.Error(), errors.Unwrap(err)}
}
