"""Write a report as a LaTeX table for papers, with the package booktabs: one row for each subject."""

from collections.abc import Sequence

from steelyard.model.estimate import Estimate, Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.sample import SampleExcerpt
from steelyard.ports import Renderable
from steelyard.render.document.labels import Labels
from steelyard.render.kinds import require_report
from steelyard.render.names import visible
from steelyard.render.numbers import bounded_interval, estimate_at

SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
MISSING = "--"


class LatexRenderer:
    """A report as a LaTeX table."""

    kinds = (Report,)
    is_text = True
    shows_samples = False

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        del samples  # a row is a subject
        report = require_report(result, "latex")
        header, *rows = table(report)
        level = f"{100 * report.settings.level:g}"
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}",
                rf"% intervals: {level} %, for new cases of the same kind",
                rf"\begin{{tabular}}{{{_alignment(report, header)}}}",
                r"\toprule",
                f"{header} \\\\",
                r"\midrule",
                *(f"{row} \\\\" for row in rows),
                r"\bottomrule",
                r"\end{tabular}",
                "",
            ]
        )


def table(report: Report) -> list[str]:
    """Return the header and one row for each subject, cells joined by `&`."""
    has_tiers, has_suites = Labels.of(report).has_tiers, Labels.of(report).has_suites
    ks = report.settings.pass_k
    header = ["Model", *(["Tier"] if has_tiers else []), *(f"pass@{k} (\\%)" for k in ks)]
    header += [*(["Overall (\\%)"] if has_suites else []), "Samples"]
    rows = [_row(subject, ks, has_tiers=has_tiers, has_suites=has_suites) for subject in report.subjects]
    return [" & ".join(cells) for cells in (header, *rows)]


def escaped(text: str) -> str:
    r"""Return a text in which no character is a command.

    >>> print(escaped("gpt_4 & 5%"))
    gpt\_4 \& 5\%
    """
    return "".join(SPECIAL.get(character, character) for character in visible(text))


def _row(subject: SubjectSummary, ks: Sequence[int], *, has_tiers: bool, has_suites: bool) -> list[str]:
    return [
        escaped(subject.model),
        *([escaped(subject.tier)] if has_tiers else []),
        *(_cell(estimate_at(subject.pass_at_k, k)) for k in ks),
        *([_cell(subject.overall.macro)] if has_suites else []),
        f"{subject.samples}",
    ]


def _cell(estimate: Estimate) -> str:
    """Write a rate in per cent with its interval."""
    if estimate.value is None:
        return MISSING
    interval = bounded_interval(Target.NEW_CASES, estimate)
    rate = f"{100 * estimate.value:.1f}"
    if interval is None or interval.low is None or interval.high is None:
        return rate
    return f"{rate} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _alignment(report: Report, header: str) -> str:
    words = 1 + Labels.of(report).has_tiers
    return "l" * words + "r" * (header.count("&") + 1 - words)
