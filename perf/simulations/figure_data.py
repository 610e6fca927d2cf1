"""Condense what the simulations found to what the pages show, and keep it in small files.

The files stand among the pages; figures and tables are made from them, never from a fresh simulation.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perf.simulations.detection import TITLE as CHANCES
from perf.simulations.forms import TITLE as PROMISES
from perf.simulations.study import Row, number
from scripts.measured_at import DATA, stamp

NEW_CASES = "Coverage of 95 % intervals for new cases"
RELATIVES = {
    "the same cases drawn again": "Coverage of 95 % intervals for drawing the same cases again",
    "difference of two runs": "Coverage of 95 % intervals of a difference",
    "mean of suite means": "Coverage of 95 % intervals of a mean of suite means",
}
ALARMS = "Gates: alarms in % of comparisons"
SEQUENTIAL = "Sequential gates: alarms (mean pairs used)"
COST = "Coverage of 95 % intervals of the cost of pass"
UPLIFT = "Coverage of 95 % intervals of an uplift"
STOPPING = "Bias and coverage under a stop rule"
DIGITS = 5

# What a rule is called in the figures and tables, in the order in which they show it.
GATES = {
    "any case down > .05": "threshold rule",
    "McNemar, first sample": "McNemar, first sample",
    "paired t": "paired t test",
    "evalsig": "evalsig",
    "NeMo Evaluator": "NeMo Evaluator",
    "ours, one-shot": "gate, one-shot",
    "ours, confirm": "gate, confirm",
}
METHODS = {
    "uniform prior per case": "uniform prior for each case",
    "Wilson on cases x samples": "Wilson on all samples",
    "normal over cases (CLT)": "normal over cases (CLT)",
    "bootstrap BCa over cases": "bootstrap BCa over cases",
    "t with 2 pseudo-cases (ours)": "t with two pseudo-cases",
}

Content = dict[str, Any]


def read(name: str) -> Content:
    """Return what is kept under a name: coverage, gates, sequential, ratios, stopping, forms or detection."""
    found: Content = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def condense(results: Path, folder: Path = DATA) -> None:
    """Keep what the pages show of the rows that `python -m perf.simulations NAME --out NAME.md` wrote."""
    content = json.loads(results.read_text(encoding="utf-8"))
    studies: dict[str, list[Row]] = content["studies"]
    for name, titles, digest in (
        ("coverage", (NEW_CASES, *RELATIVES.values()), _coverage),
        ("gates", (ALARMS,), _gates),
        ("sequential", (SEQUENTIAL,), _sequential),
        ("ratios", (COST, UPLIFT), _ratios),
        ("stopping", (STOPPING,), _stopping),
        ("forms", (PROMISES,), _forms),
        ("detection", (CHANCES,), _detection),
    ):
        if all(title in studies for title in titles):
            seed = content["settings"]["seed"]
            made_by = f"python -m perf.simulations {name}"
            kept = {"made_by": made_by, **stamp(), "seed": seed, **digest(studies)}
            (folder / f"{name}.json").write_text(_text(kept), encoding="utf-8")


def _coverage(studies: dict[str, list[Row]]) -> Content:
    rows = studies[NEW_CASES]
    groups = dict.fromkeys((row["method"], row["k"]) for row in rows)
    return {
        "methods": [
            _method([row for row in rows if (row["method"], row["k"]) == group], *group) for group in groups
        ],
        "relatives": [
            {"interval": name, **_ends(_shares(studies[title], "coverage"))}
            for name, title in RELATIVES.items()
        ],
    }


def _method(rows: Sequence[Row], method: object, k: object) -> Content:
    found = _shares(rows, "coverage")
    worst = rows[int(np.argmin(found))]
    return {
        "method": method,
        "k": k,
        "width": _mean_width(rows),
        "width_by_cases": {
            str(cases): _mean_width([row for row in rows if row["cases"] == cases])
            for cases in dict.fromkeys(row["cases"] for row in rows)
        },
        "lowest_at": f"{worst['population']}, {worst['cases']} cases, n = {worst['n']}",
        "coverage": sorted(found),
    }


def _mean_width(rows: Sequence[Row]) -> float:
    return round(float(np.mean(_shares(rows, "width"))), DIGITS)


def _ends(shares: Sequence[float]) -> Content:
    mean = round(float(np.mean(shares)), DIGITS)
    return {"settings": len(shares), "lowest": min(shares), "mean": mean}


def _gates(studies: dict[str, list[Row]]) -> Content:
    rows = studies[ALARMS]
    scenarios = list(dict.fromkeys(str(row["scenario"]) for row in rows))
    groups = dict.fromkeys((row["population"], row["n"], row["rule"]) for row in rows)
    found = []
    for group in groups:
        mine = [row for row in rows if (row["population"], row["n"], row["rule"]) == group]
        population, n, rule = group
        quiet = mine[0]
        found.append(
            {
                "population": population,
                "n": n,
                "rule": rule,
                "alarms": _shares(mine, "alarms"),
                "extra": round(number(quiet, "extra"), 1),
                "passes": round(number(quiet, "passes"), DIGITS) if "passes" in quiet else None,
            }
        )
    return {"scenarios": scenarios, "gates": found}


def _sequential(studies: dict[str, list[Row]]) -> Content:
    rows = studies[SEQUENTIAL]
    designs = dict.fromkeys(row["design"] for row in rows)
    found = []
    for design in designs:
        mine = [row for row in rows if row["design"] == design]
        pairs = [round(number(row, "pairs"), 1) for row in mine]
        found.append({"design": design, "alarms": _shares(mine, "alarms"), "pairs": pairs})
    return {"scenarios": list(dict.fromkeys(row["scenario"] for row in rows)), "designs": found}


def _ratios(studies: dict[str, list[Row]]) -> Content:
    return {
        name: [
            {
                "setting": setting,
                "method": method,
                "coverage": _shares(mine, "coverage"),
                "unbounded": _shares(mine, "unbounded"),
            }
            for setting, method in dict.fromkeys((row["setting"], row["method"]) for row in studies[title])
            if (
                mine := [
                    row for row in studies[title] if (row["setting"], row["method"]) == (setting, method)
                ]
            )
        ]
        for name, title in (("cost of pass", COST), ("uplift", UPLIFT))
    }


def _stopping(studies: dict[str, list[Row]]) -> Content:
    names = ("truth", "median_bias", "coverage")
    return {
        "reports": [
            {**row, **{name: round(number(row, name), DIGITS) for name in ("bias", *names)}}
            for row in studies[STOPPING]
        ]
    }


def _forms(studies: dict[str, list[Row]]) -> Content:
    rows = studies[PROMISES]
    return {"forms": [_form(form, rows) for form in dict.fromkeys(row["form"] for row in rows)]}


def _form(form: object, rows: Sequence[Row]) -> Content:
    mine = [row for row in rows if row["form"] == form]
    promises = {name: _shares(mine, name) for name in ("alarms", "passes")}
    return {"form": form, "runs": mine[0]["runs"], **promises}


def _detection(studies: dict[str, list[Row]]) -> Content:
    shares = ("true", "stated", "spread")
    return {
        "chances": [
            {**row, **{name: round(number(row, name), DIGITS) for name in shares}} for row in studies[CHANCES]
        ]
    }


def _shares(rows: Sequence[Row], name: str) -> list[float]:
    return [round(number(row, name), DIGITS) for row in rows]


def _text(content: Content) -> str:
    """Return JSON with one line for each record of a list."""
    fields = [f" {json.dumps(name)}: {_value(value)}" for name, value in content.items()]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _value(value: object) -> str:
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        return "[\n" + ",\n".join(f"  {json.dumps(entry, allow_nan=False)}" for entry in value) + "\n ]"
    return json.dumps(value, allow_nan=False)
