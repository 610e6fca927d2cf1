"""Write the tables of the explanations from the data kept among the pages.

A page asks for one with `<!-- table of coverage -->`; everything up to `<!-- end of table -->` is ours.
"""

import re
from collections.abc import Callable, Sequence

from perf.simulations.figure_data import GATES, METHODS, Content, read
from perf.simulations.study import markdown_table, percent
from scripts.measured_at import caption

MARKED = re.compile(
    r"(?<=<!-- table of )(?P<name>[\w -]+?)(?P<open> -->\n\n).*?(?=<!-- end of table -->)", re.DOTALL
)
MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"
GOAL = 0.93  # what an interval of 95 % must reach to be called honest
SAMPLES = (1, 5)
DESIGNS = {
    "fixed 5 rounds": "fixed number of samples",
    "SPRT, any time": "any time",
    "naive: p < .05 after any round": "plain test after each of ten rounds",
}
FORMS = {
    "one-shot": "one-shot",
    "one-shot, with scores": "one-shot, passes and scores",
    "score alone": "a policy's requirement on scores",
    "confirm": "`--confirm`",
    "anytime": "`--sequence`, after each round",
    "policy": "a policy of three requirements",
    "history": "`--history 3`",
}
RATIOS = {
    "log-delta, pseudo-cases (ours)": "log-delta with pseudo-cases",
    "log-delta": "log-delta",
    "bootstrap percentile": "bootstrap percentile",
}
STOPPED = ("pass rate", "cost of pass")


def with_tables(text: str) -> str:
    """Return a page with fresh tables."""
    return MARKED.sub(
        lambda found: f"{found['name']}{found['open']}{_table_with_caption(found['name'])}\n\n", text
    )


def _table_with_caption(name: str) -> str:
    return f"{TABLES[name]()}\n\n{caption(SOURCES.get(name, name))}"


def coverage_table() -> str:
    """Return how often the intervals for new cases caught the truth."""
    found = {(method["method"], method["k"]): method for method in read("coverage")["methods"]}
    rows = [
        [
            _strong(name, if_ours=method),
            k,
            percent(shares[0]),
            percent(sum(shares) / len(shares)),
            percent(sum(share >= GOAL for share in shares) / len(shares)),
            percent(found[method, k]["width"]),
        ]
        for method, name in reversed(METHODS.items())
        for k in (1, 5)
        if (method, k) in found and (shares := found[method, k]["coverage"])
    ]
    head = ["method", "k", "lowest %", "mean %", "settings at 93 % or more, %", "mean width, points"]
    return markdown_table(head, rows)


def relatives_table() -> str:
    """Return how often the other intervals caught the truth."""
    rows = [
        [found["interval"], found["settings"], percent(found["lowest"]), percent(found["mean"])]
        for found in read("coverage")["relatives"]
    ]
    return markdown_table(["interval", "settings", "lowest %", "mean %"], rows)


def gates_table() -> str:
    """Return alarms of every gate as it is meant to be used, over the populations."""
    data = read("gates")
    rows = [
        [_strong(name, if_ours=rule), n, *_alarms(data, rule, n)]
        for n in SAMPLES
        for rule, name in GATES.items()
    ]
    return markdown_table(["gate", "n", *_scenarios(data)], rows)


def sequential_table() -> str:
    """Return alarms and pairs of the sequential designs, with what they save."""
    data = read("sequential")
    fixed = data["designs"][0]["pairs"][0]
    at = {scenario: place for place, scenario in enumerate(data["scenarios"])}
    shown = ("no change", "-5 points", "-10 points", "+3 points")
    rows = [
        [
            DESIGNS[design["design"]],
            percent(design["alarms"][at["no change"]]),
            percent(design["alarms"][at["-5 points"]]),
            *(_pairs(design["pairs"][at[scenario]], fixed) for scenario in shown),
        ]
        for design in data["designs"]
    ]
    return markdown_table(["design", "false alarms %", f"sees {MINUS}5 points %", *_pairs_heads(shown)], rows)


def ratios_table(name: str) -> str:
    """Return how often intervals of a ratio caught the truth, and how often they had no upper bound."""
    rows = [
        [
            found["setting"].partition(":")[0],
            _strong(RATIOS[found["method"]], if_ours=found["method"]),
            _span(found["coverage"], percent),
            _span(found["unbounded"], percent),
        ]
        for found in read("ratios")[name]
        if found["method"] in RATIOS
    ]
    return markdown_table(["setting", "method", "coverage %", "without an upper bound %"], rows)


def stopping_table() -> str:
    """Return what reports of stopped samples say in the middle, and how often their intervals hold."""
    rows = read("stopping")["reports"]
    found = {(row["quantity"], row["rule"], row["world"], row["report"]): row for row in rows}
    lines = dict.fromkeys(
        (row["quantity"], row["rule"], row["world"]) for row in rows if row["quantity"] in STOPPED
    )
    table = []
    for line in lines:
        declared, undeclared = (found[*line, report] for report in ("declared", "not declared"))
        shown = [declared["truth"], *(row["truth"] + row["median_bias"] for row in (declared, undeclared))]
        held = [percent(row["coverage"]) for row in (declared, undeclared)]
        table.append([*line, *(f"{value:.3f}" for value in shown), *held])
    head = ["number", "rule", "cases", "truth", "declared", "not declared"]
    return markdown_table([*head, "covers, declared %", "covers, not declared %"], table)


def forms_table() -> str:
    """Return how often each form of the gate broke its two promises, over all settings and in the worst."""
    rows = [
        [FORMS[found["form"]], len(found["alarms"]), found["runs"], *_mean_and_worst(found)]
        for found in read("forms")["forms"]
    ]
    head = ["form", "settings", "comparisons in each", "false alarms %", "in the worst setting %"]
    return markdown_table([*head, "passes at the margin %", "in the worst setting %"], rows)


def _mean_and_worst(found: Content) -> list[str]:
    promises = [found[name] for name in ("alarms", "passes")]
    return [percent(share) for shares in promises for share in (sum(shares) / len(shares), max(shares))]


def detection_table() -> str:
    """Return the chances that gates state of seeing a drop, beside how often they see it."""
    chances = read("detection")["chances"]
    rows = []
    for damage, population in dict.fromkeys((row["damage"], row["population"]) for row in chances):
        mine = [row for row in chances if (row["damage"], row["population"]) == (damage, population)]
        spans = [_span([row[name] for row in mine], percent) for name in ("true", "stated")]
        gaps = [100 * (row["stated"] - row["true"]) for row in mine]
        signed = [f"{gap:+.1f}".replace("-", MINUS) for gap in (min(gaps), max(gaps))]
        name = population.partition(":")[0]
        rows.append([damage.replace("-", MINUS), name, len(mine), *spans, " to ".join(signed)])
    head = ["damage", "cases", "settings", "seen %", "stated %", "stated less seen, points"]
    return markdown_table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "coverage": coverage_table,
    "relatives": relatives_table,
    "gates": gates_table,
    "sequential": sequential_table,
    "cost of pass": lambda: ratios_table("cost of pass"),
    "uplift": lambda: ratios_table("uplift"),
    "stopping": stopping_table,
    "forms": forms_table,
    "detection": detection_table,
}


# The file of data behind a table that has another name.
SOURCES = {
    "relatives": "coverage",
    "cost of pass": "ratios",
    "uplift": "ratios",
}


def _scenarios(data: Content) -> list[str]:
    quiet, *rest = data["scenarios"]
    return [f"{quiet} %", *(f"{name} %".replace("-", MINUS) for name in rest)]


def _alarms(data: Content, rule: str, n: int) -> list[str]:
    found = [gate["alarms"] for gate in data["gates"] if (gate["rule"], gate["n"]) == (rule, n)]
    return [_span(shares, percent) for shares in zip(*found, strict=True)]


def _span(values: Sequence[float], shown: Callable[[float], str]) -> str:
    low, high = shown(min(values)), shown(max(values))
    return low if low == high else f"{low}{DASH}{high}"


def _pairs(pairs: float, fixed: float) -> str:
    more = round(100 * (pairs / fixed - 1))
    return f"{pairs:.0f} ({more:+d} %)".replace("-", MINUS) if more else f"{pairs:.0f}"


def _pairs_heads(scenarios: Sequence[str]) -> list[str]:
    return [f"pairs, {scenario}".replace("-", MINUS) for scenario in scenarios]


def _is_ours(rule: str) -> bool:
    return rule.startswith("ours") or rule.endswith("(ours)")


def _strong(name: str, *, if_ours: str) -> str:
    return f"**{name}**" if _is_ours(if_ours) else name
