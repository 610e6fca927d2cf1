// Package assert stands in for testify's: the few of its functions that HumanEval-X and McEval use.
package assert

import (
	"math"
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

func (a *Assertions) True(value bool, _ ...interface{}) bool { return a.Equal(true, value) }

func (a *Assertions) False(value bool, _ ...interface{}) bool { return a.Equal(false, value) }

func (a *Assertions) InDelta(expected, actual interface{}, delta float64, _ ...interface{}) bool {
	a.t.Helper()
	return a.True(math.Abs(number(expected)-number(actual)) <= delta)
}

func number(value interface{}) float64 {
	kind := reflect.TypeOf(float64(0))
	return reflect.ValueOf(value).Convert(kind).Float()
}

func Equal(t *testing.T, expected, actual interface{}, _ ...interface{}) bool {
	t.Helper()
	return New(t).Equal(expected, actual)
}
