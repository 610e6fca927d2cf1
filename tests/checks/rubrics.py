"""Small rubrics for tests."""

from dataclasses import replace
from fractions import Fraction

from steelyard.checks.forms.judge.judge import CallModel, Judge, Panel
from steelyard.model.case import Case
from steelyard.model.rubric import Category, ConsensusPlan, Item, RatingScale, Rubric

CASE = Case(id="add", suite="sums", language="python", prompt="Write add(a, b).")
ANSWER = "def add(a, b):\n    return a + b\n"
ONCE = ConsensusPlan(readings=1, extra_readings=0, tries=1)
WORKS = Category(
    id="works",
    weight=Fraction(2),
    items=(
        Item(id="main", description="It adds.", weight=Fraction(3)),
        Item(
            id="edges", description="It adds at the edges.", scale=RatingScale.BINARY, not_applicable="none"
        ),
    ),
)
CLEAR = Category(
    id="clear", items=(Item(id="names", description="Names are good.", not_applicable="there are none"),)
)
RUBRIC = Rubric(id="small", categories=(WORKS, CLEAR), consensus=ONCE)
PLAIN = Rubric(
    id="plain",
    categories=(Category(id="works", items=(Item(id="main", description="It adds."),)),),
    consensus=ONCE,
)


def small_judge(ask: CallModel, rubric: Rubric = PLAIN, *judges: str, **plan: object) -> Judge:
    """Return a judge by a rubric, with another plan if one is given."""
    changed = replace(rubric, consensus=replace(rubric.consensus, **plan))  # type: ignore[arg-type]
    return Judge(changed, Panel(judges=judges or ("acme/judge",)), ask)
