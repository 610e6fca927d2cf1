"""Make outcomes of models with known success rates, for trials.

The same seed always gives the same files; nothing here is measured.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random

from steelyard.errors import InputError, UserError

DEFAULT_RATES: Mapping[str, float] = {"gemini": 0.77, "chatgpt4.1": 0.62}
PROBLEMS_FILE = "problems.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticPlan:
    """How much to make, and how good each model is."""

    rates: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_RATES))
    problems: int = 20
    samples: int = 10
    seed: int = 0


def write_synthetic(folder: str | Path, plan: SyntheticPlan) -> tuple[Path, ...]:
    """Write `problems.csv` and one `<model>_synthetic_fixes.csv` for each model; return their paths."""
    _require_usable(plan)
    folder = Path(folder)
    texts = {PROBLEMS_FILE: _problems(plan)}
    for model, rate in plan.rates.items():
        # Each model has its own stream of chance, so that adding a model changes no other file.
        texts[f"{model}_synthetic_fixes.csv"] = _fixes(plan, rate, Random(f"{plan.seed}/{model}"))  # noqa: S311  # chance, not secrecy
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to ({error.strerror})") from None
    return tuple(folder / name for name in texts)


def _require_usable(plan: SyntheticPlan) -> None:
    if plan.problems < 1 or plan.samples < 1:
        raise UserError("a synthetic run needs at least one problem and one sample")
    for model, rate in plan.rates.items():
        if not model.isprintable() or not model.strip() or set(model) & set("/\\") or model.startswith("."):
            raise UserError(f"{model!r} cannot be part of a file name; use letters, digits, dots and dashes")
        if not 0 <= rate <= 1:
            raise UserError(f"the success rate of {model!r} must be from 0 to 1, got {rate}")


def _problems(plan: SyntheticPlan) -> str:
    rows = [{"oid": _oid(index), "filename": f"module_{index:04d}/main.tf"} for index in range(plan.problems)]
    return _table(rows)


def _fixes(plan: SyntheticPlan, rate: float, chance: Random) -> str:
    rows = [
        {"oid": _oid(index), "iteration_id": attempt, "plausible_fix": chance.random() < rate}
        for index in range(plan.problems)
        for attempt in range(1, plan.samples + 1)
    ]
    return _table(rows)


def _oid(index: int) -> str:
    return f"problem-{index:04d}"


def _table(rows: Sequence[Mapping[str, object]]) -> str:
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
