"""Every shipped checker with a case, a right answer and a wrong one, for the conformance suite."""

from collections.abc import Callable
from typing import NamedTuple, cast

from steelyard import plugins
from steelyard.model.case import Case, Expectations
from steelyard.ports import Checker, Sandbox
from tests.checks.forms.tests.cases import case as command_case
from tests.checks.toolchains.terraform.cases import BROKEN, REPAIR, RIGHT

RUST_TESTS = """\
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
"""
PYTHON_TESTS = "def test_adds():\n    assert add(1, 2) == 3\n"


class Shipped(NamedTuple):
    """A checker by its name in the table, and what to try it with."""

    name: str
    case: Case
    right: str
    wrong: str
    runs_nothing: bool = False

    def made(self, sandbox: Sandbox) -> Checker:
        """Make the checker as an engine does."""
        maker = cast(
            "Callable[[Sandbox], Checker]", plugins.load(plugins.CHECKERS, self.name, group="checkers")
        )
        return maker(sandbox)


def _case(language: str, expectations: Expectations) -> Case:
    return Case(id="add", language=language, timeout_s=60.0, expectations=expectations)


SHIPPED = (
    Shipped(
        "rust",
        _case("rust", Expectations(tests=RUST_TESTS)),
        "```rust\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n```",
        "```rust\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n```",
    ),
    Shipped(
        "python",
        _case("python", Expectations(tests=PYTHON_TESTS)),
        "```python\ndef add(a, b):\n    return a + b\n```",
        "```python\ndef add(a, b):\n    return a - b\n```",
    ),
    Shipped("terraform", REPAIR, f"```hcl\n{RIGHT}```", f"```hcl\n{BROKEN}```"),
    Shipped(
        "command",
        command_case("c"),
        "```c\nint add(int a, int b) { return a + b; }\n```",
        "```c\nint add(int a, int b) { return a - b; }\n```",
    ),
    Shipped("text", _case("text", Expectations(settings={"regex": "^f"})), "fine", "no", runs_nothing=True),
)
