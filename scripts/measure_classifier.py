"""Measure the classifier on the labelled answers, and write what came of it into the page about it.

The page asks for some with `<!-- figures of the held-out part -->`; the rest up to
`<!-- end of figures -->` is ours. Run: python -m scripts.measure_classifier
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from steelyard.checks.classification.classifier import classified
from steelyard.checks.extraction.extract import extract
from steelyard.checks.forms.text.checker import TextChecker
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.sources.evalset.read import read_eval_set

ROOT = Path(__file__).parents[1]
LABELLED = ROOT / "tests" / "checks" / "classification" / "labelled"
PAGE = ROOT / "docs" / "explanation" / "classifier.md"
PARTS = {
    "the tuned part": "tuned",
    "the held-out part": "held_out",
    "the answers made to trick": "tricks",
}
MARKED = re.compile(
    r"(?<=<!-- figures of )(?P<name>[\w -]+?)(?P<open> -->\n\n).*?(?=<!-- end of figures -->)", re.DOTALL
)

Confusion = Mapping[tuple[Classification, Classification], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """An answer, what a person calls it, and what it is known to be taken for instead."""

    case: Case
    text: str
    kind: Classification
    saw: Classification = Classification.FAIL  # by the check of a program, if there is one
    finish: str | None = None
    escapes: Classification | None = None

    def found(self) -> Classification:
        """Return what the classifier calls it."""
        facts = classified(self.case, self._seen(), self.text, self.finish).facts
        return facts.classification or Classification.ERROR

    def _seen(self) -> Outcome:
        if self.case.language == "text":
            return TextChecker().check(self.case, self.text)
        # Programs are checked elsewhere; what their checks would see is part of the label.
        is_program = extract(self.text, self.case.language).is_code
        return Outcome(facts=Facts(classification=self.saw if is_program else Classification.WRONG_FORMAT))


def labelled(part: str) -> list[Labelled]:
    """Read one part of the labelled answers."""
    cases = {case.id: case for case in read_eval_set(LABELLED / "cases.toml").cases}
    tables = tomllib.loads((LABELLED / f"{part}.toml").read_text("utf-8"))["answers"]
    return [
        Labelled(
            case=cases[table["case"]],
            text=table["text"],
            kind=Classification(table["kind"]),
            saw=Classification(table.get("saw", "fail")),
            finish=table.get("finish"),
            escapes=Classification(table["escapes"]) if "escapes" in table else None,
        )
        for table in tables
    ]


def confusion(answers: list[Labelled]) -> Confusion:
    """Count answers by what they are called by a person and by the classifier."""
    return Counter((answer.kind, answer.found()) for answer in answers)


def f1(counts: Confusion) -> dict[Classification, float]:
    """Return the F1 of every kind that occurs: 2 * hits / (2 * hits + false alarms + misses)."""
    kinds = [kind for kind in Classification if any(kind in pair for pair in counts)]
    missed = {
        kind: sum(n for pair, n in counts.items() if (kind in pair) and pair != (kind, kind))
        for kind in kinds
    }
    return {
        kind: 2 * counts.get((kind, kind), 0) / (2 * counts.get((kind, kind), 0) + missed[kind])
        for kind in kinds
    }


def macro_f1(counts: Confusion) -> float:
    """Return the mean F1 of the kinds."""
    by_kind = f1(counts)
    return sum(by_kind.values()) / len(by_kind)


def table(counts: Confusion) -> str:
    """Return a confusion matrix as Markdown: what a person says down, what the classifier says across."""
    by_kind = f1(counts)
    lines = [
        f"| a person says ↓, the classifier → | {' | '.join(f'`{kind}`' for kind in by_kind)} | F1 |",
        f"|---|{'---:|' * (len(by_kind) + 1)}",
    ]
    for said, score in by_kind.items():
        cells = " | ".join(str(counts.get((said, found), 0) or "·") for found in by_kind)
        lines.append(f"| `{said}` | {cells} | {score:.3f} |")
    right, every = sum(n for (said, found), n in counts.items() if said is found), sum(counts.values())
    return "\n".join([*lines, "", f"{right} of {every} alike; macro-F1 **{macro_f1(counts):.3f}**."])


def with_figures(text: str) -> str:
    """Return the page with fresh figures."""

    def written(found: re.Match[str]) -> str:
        return f"{found['name']}{found['open']}{table(confusion(labelled(PARTS[found['name']])))}\n\n"

    return MARKED.sub(written, text)


def main() -> int:
    """Write the page again, and tell which answers are taken for something else."""
    PAGE.write_text(with_figures(PAGE.read_text("utf-8")), encoding="utf-8")
    for name, part in PARTS.items():
        for answer in labelled(part):
            if answer.found() is not answer.kind:
                print(f"{name}: {answer.kind} taken for {answer.found()}: {answer.text[:100]!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
