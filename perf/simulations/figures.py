"""Draw the figures and tables of the explanations: `python -m perf.simulations.figures [RESULTS.json…]`.

Without arguments everything comes from the data kept among the pages; a file of results refreshes them.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from perf.simulations.figure_data import GATES, METHODS, Content, condense, read
from perf.simulations.figure_tables import with_tables
from perf.simulations.study import percent
from perf.simulations.svg import Canvas, circle, square, triangle

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = DOCS / "explanation" / "figures"

MARKS: Sequence[tuple[str, Callable[[float, float, float], str]]] = (
    ("U-shaped", circle),
    ("mostly deterministic", square),
    ("99 % reliable", triangle),
)
PANELS = {
    "no change": "false alarms",
    "-5 points": "sees \N{MINUS SIGN}5 points",
    "1 broken": "sees 1 broken case",
}
SAMPLES = 5  # of each case, in the figure of the gates
DESIGNS = {
    "SPRT, any time": "any time",
}
SCENARIOS = {
    "no change": "nothing changed",
    "-5 points": "5 points worse",
    "-10 points": "10 points worse",
    "+3 points": "3 points better",
}


def coverage_figure(data: Content) -> str:
    """Show, for every method, how often its interval caught the truth in each setting."""
    left, right, top, row, strip = 262, 632, 78, 58, 16
    canvas = Canvas(
        width=720,
        height=top + row * len(METHODS) + 40,
        title="How often 95 % intervals catch the truth",
        description="One tick for each simulated setting. Only t with two pseudo-cases stays at 94 % or more "
        "everywhere; every other method falls far below 95 % in some settings.",
    )

    def across(share: float) -> float:
        return left + (right - left) * share

    bottom = top + row * len(METHODS) - 14
    canvas.words(16, 24, "Share of runs whose 95 % interval holds the truth", look="strong")
    canvas.words(16, 42, "one tick for each simulated setting: a population, cases, samples", look="quiet")
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        canvas.words(across(share), bottom + 20, f"{100 * share:.0f} %", look="quiet", anchor="middle")
    canvas.lines(f"M{left} {bottom}H{right}", look="quiet")
    canvas.lines(f"M{across(0.95):g} {top - 4}V{bottom}", look="quiet", dash="4 3")
    canvas.words(across(0.95), top - 9, "95 %", look="strong", anchor="middle")
    canvas.words(right + 14, top - 9, "lowest", look="quiet")
    for place, (method, name) in enumerate(METHODS.items()):
        look = "ours" if method.endswith("(ours)") else "others"
        y = top + row * place
        mine = [found for found in data["methods"] if found["method"] == method]
        canvas.words(16, y + 12 + 10 * (len(mine) - 1), name, look="strong" if look == "ours" else "")
        for found in mine:
            line = y + (0 if found["k"] == 1 else strip + 4)
            ticks = "".join(f"M{across(share):.1f} {line}v{strip}" for share in found["coverage"])
            canvas.words(left - 10, line + 12, f"k = {found['k']}", look="quiet", anchor="end")
            canvas.lines(ticks, look=f"{look} faint", width=1.4)
            canvas.lines(f"M{across(found['coverage'][0]):.1f} {line}v{strip}", look=look, width=3)
            lowest = f"{percent(found['coverage'][0])} %"
            canvas.words(right + 14, line + 12, lowest, look=f"{look} strong" if look == "ours" else look)
    return canvas.render()


def gates_figure(data: Content) -> str:
    """Show false alarms and power of every gate at five samples of each case."""
    left, panel, gap, top, row = 180, 146, 32, 74, 32
    bottom = top + row * len(GATES) - 8
    canvas = Canvas(
        width=720,
        height=bottom + 62,
        title="False alarms and power of gates on 164 cases with 5 samples each",
        description="The threshold rule raises a false alarm nearly always. The t test, McNemar, evalsig and "
        "NeMo Evaluator hardly see one broken case. The gate keeps to 5 % and sees both; with a confirming "
        "stage it sees nearly every broken case.",
    )
    canvas.words(
        16, 24, f"Share of comparisons that raise an alarm; {SAMPLES} samples of each case", look="strong"
    )
    for place, (name, mark) in enumerate(MARKS):
        x = left + (panel + gap) * place
        canvas.path(mark(x, bottom + 48, 4.5), look="quiet")
        canvas.words(x + 10, bottom + 52, name, look="quiet")
    for place, (scenario, told) in enumerate(PANELS.items()):
        start = left + (panel + gap) * place
        at = data["scenarios"].index(scenario)
        canvas.words(start, 56, told, look="strong")
        canvas.lines(f"M{start} {bottom}h{panel}M{start} {bottom}v4M{start + panel} {bottom}v4", look="quiet")
        canvas.words(start + panel, bottom + 20, "100 %", look="quiet", anchor="middle")
        if scenario == "no change":
            five = start + panel * 0.05
            canvas.lines(f"M{five:g} {top - 8}V{bottom}", look="quiet", dash="4 3")
            canvas.words(five, bottom + 20, "5 %", look="strong", anchor="middle")
        else:
            canvas.words(start, bottom + 20, "0", look="quiet", anchor="middle")
        for line, rule in enumerate(GATES):
            y = top + row * line + 8
            look = "ours" if rule.startswith("ours") else "others"
            found = [gate for gate in data["gates"] if gate["n"] == SAMPLES and gate["rule"] == rule]
            canvas.lines(f"M{start} {y}h{panel}", look="faint", width=0.7)
            for (_, mark), gate in zip(MARKS, found, strict=True):
                canvas.path(mark(start + panel * gate["alarms"][at], y, 4.5), look=look)
    for line, (rule, name) in enumerate(GATES.items()):
        look = "strong" if rule.startswith("ours") else ""
        canvas.words(16, top + row * line + 13, name, look=look)
    return canvas.render()


def sequential_figure(data: Content) -> str:
    """Show how many pairs of samples the sequential designs draw, against a fixed number."""
    left, right, top, bar = 170, 620, 78, 17
    block = bar * len(DESIGNS) + 22
    fixed = float(data["designs"][0]["pairs"][0])
    bottom = top + block * len(SCENARIOS) - 10
    canvas = Canvas(
        width=720,
        height=bottom + 34,
        title="Pairs of samples drawn before a sequential gate decides",
        description=f"A fixed design draws {fixed:g} pairs. The sequential test draws "
        "fewer in every scenario shown, a quarter of them when the drop is large.",
    )

    def length(pairs: float) -> float:
        return (right - left) * pairs / fixed

    canvas.words(16, 24, "Pairs of samples drawn on average before the gate decides", look="strong")
    canvas.words(16, 42, "164 cases; one pair is a sample of a case in each of the two runs", look="quiet")
    canvas.lines(f"M{right} {top - 8}V{bottom}", look="quiet", dash="4 3")
    canvas.words(right, bottom + 20, f"fixed: {fixed:g}", look="strong", anchor="middle")
    canvas.words(left, bottom + 20, "0", look="quiet", anchor="middle")
    canvas.lines(f"M{left} {top - 8}V{bottom}", look="quiet")
    found = {design["design"]: design for design in data["designs"]}
    for place, (scenario, told) in enumerate(SCENARIOS.items()):
        y = top + block * place
        at = data["scenarios"].index(scenario)
        canvas.words(16, y + bar + 2, told)
        for line, (design, name) in enumerate(DESIGNS.items()):
            pairs = found[design]["pairs"][at]
            look = "ours" if line == 0 else "others"
            canvas.bar(left, y + line * (bar + 2), length(pairs), bar, look=look)
            words = f"{pairs:.0f} ({name})" if place == 0 else f"{pairs:.0f}"
            canvas.words(left + length(pairs) + 7, y + line * (bar + 2) + 13, words, look=look)
    return canvas.render()


def figures() -> dict[str, str]:
    """Return every figure by the name of its file."""
    return {
        "coverage.svg": coverage_figure(read("coverage")),
        "gates.svg": gates_figure(read("gates")),
        "sequential.svg": sequential_figure(read("sequential")),
    }


def main(results: Sequence[str]) -> None:
    """Refresh the kept data from results, if there are any; then write figures and tables."""
    for name in results:
        condense(Path(name))
    wanted = {FIGURES / name: text for name, text in figures().items()}
    wanted |= {page: with_tables(page.read_text(encoding="utf-8")) for page in sorted(DOCS.rglob("*.md"))}
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
