"""The same small task in every language that has a recipe: add two numbers."""

from steelyard.model.case import Case, Expectations

C_TESTS = """\
#include "graded.h"
int add(int a, int b);
TEST(adds) { CHECK(add(1, 2) == 3); }
TEST(negative) { CHECK(add(-1, -2) == -3); CHECK(strcmp("a", "b") != 0); }
"""
CPP_TESTS = """\
#include "graded.h"
#include <vector>
int total(const std::vector<int>& numbers);
TEST(adds) { CHECK(total({1, 2}) == 3); }
TEST(empty) { CHECK(total({}) == 0); }
"""
JS_TESTS = """\
import test, { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { add } from './answer.mjs';
test('adds', () => { assert.equal(add(1, 2), 3); });
describe('more', () => { it('adds negative numbers', () => { assert.deepEqual([add(-1, -2)], [-3]); }); });
"""
JAVA_TESTS = """\
class Tests {
    static void adds() { assert Sum.add(1, 2) == 3; }
    static void negative() { if (Sum.add(-1, -2) != -3) throw new AssertionError("not -3"); }
}
"""
GO_TESTS = """\
package {package}

import "testing"

func TestAdds(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("not 3")
	}
}

func TestNegative(t *testing.T) {
	if Add(-1, -2) != -3 {
		t.Error("not -3")
	}
}
"""
IO_TESTS = """\
[[tests]]
name = "small"
stdin = "1 2\\n"
stdout = "3\\n"

[[tests]]
name = "negative"
stdin = "-1 -2\\n"
stdout = "-3\\n"
"""
UNIT = {
    "c": C_TESTS,
    "cpp": CPP_TESTS,
    "cmake": CPP_TESTS,
    "javascript": JS_TESTS,
    "typescript": JS_TESTS.replace("./answer.mjs", "./answer.js"),
    "java": JAVA_TESTS,
    "go": GO_TESTS,
}


def case(recipe: str, *, timeout_s: float = 30.0) -> Case:
    """Return the task; `io <recipe>` asks for a whole program, `hurried <recipe>` gives it one second."""
    *how, recipe = recipe.split()
    return Case(
        id="add",
        language=recipe,
        timeout_s=1.5 if "hurried" in how else timeout_s,
        expectations=Expectations(
            tests=IO_TESTS if "io" in how else UNIT[recipe], settings={"tests": "io"} if "io" in how else {}
        ),
    )
