package STEELYARD_PACKAGE

import (
	steelyardDriver "answer/steelyard"
	steelyardTesting "testing"
)

func TestMain(*steelyardTesting.M) { steelyardDriver.Run(STEELYARD_FUNCTION) }
