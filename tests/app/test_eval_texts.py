"""What is shown beside an answer."""

from types import SimpleNamespace

from steelyard.app.eval_texts import EvalTexts
from steelyard.model.case import Case

FENCED = "Here:\n```python\nx = 1\n```\n"


def reference(language: str) -> object:
    """Return the reference that a case in a language is shown with."""
    case = Case(id="c", suite="s", prompt="p", language=language, reference=FENCED)
    row = SimpleNamespace(suite="s", case="c", tier="T0")
    return EvalTexts({("s", "c"): case}).of(row, "", FENCED, 0)["reference"]  # type: ignore[arg-type]


def test_a_reference_is_shown_as_the_code_that_answers_are_compared_by() -> None:
    assert reference("python") == "x = 1\n"
    assert reference("text") == FENCED
