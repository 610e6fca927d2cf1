"""Say for each subject how far samples of the same case agree."""

from collections.abc import Iterator

from steelyard.model.report import Flakiness, Report
from steelyard.render.document.blocks import Section, TextLine, line
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import in_percent

UNSEEN = "flakiness: needs at least 2 samples of every case"
STOPPED = "flakiness: needs a fixed number of samples, and here a stop rule decided"


def flakiness_section(report: Report) -> Section:
    """Return a line for each subject whose samples can disagree."""
    labels = Labels.of(report)
    lines: list[TextLine] = []
    for subject in report.subjects:
        text = "; ".join(_parts(subject.flakiness))
        if text:
            lines.append(line("flakiness", *labels.if_several(subject, report), f": {text}"))
    has_samples = any(subject.samples for subject in report.subjects)
    unseen = line(UNSEEN if report.settings.stop_rule is None else STOPPED)
    return Section(lines=tuple(lines) or ((unseen,) if has_samples else ()))


def _parts(flakiness: Flakiness) -> Iterator[str]:
    if flakiness.flip_rate == 0:
        yield "none seen, all samples of a case agree"
        return
    if flakiness.flip_rate is not None:
        yield f"two samples of the same case disagree {in_percent(flakiness.flip_rate)} of the time"
    if flakiness.flaky_fraction:
        yield f"{in_percent(flakiness.flaky_fraction)} of the cases both passed and failed"
        if flakiness.icc is not None:
            yield f"ICC {flakiness.icc:.2f}"
