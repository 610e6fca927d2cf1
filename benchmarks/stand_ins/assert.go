// Package assert stands in for testify's: HumanEval-X uses its New and Equal only.
package assert

import (
	"reflect"
	"testing"
)

type Assertions struct{ t *testing.T }

func New(t *testing.T) *Assertions { return &Assertions{t} }

func (a *Assertions) Equal(expected, actual interface{}, _ ...interface{}) bool {
	a.t.Helper()
	if reflect.DeepEqual(expected, actual) {
		return true
	}
	a.t.Errorf("expected %#v, got %#v", expected, actual)
	return false
}
