"""Rate random samples without seeing the model or the result of the check."""

from collections.abc import Iterator

from steelyard.app.view.rating import RATINGS, HumanAgreement, blind_queue, human_agreement
from steelyard.app.view.run_view import RunView
from steelyard.model.viewing import SampleView
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.html.code import code_block
from steelyard.render.numbers import in_percent, significant
from steelyard.render.words import counted
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.long_texts import cut, cut_block
from steelyard.web.pages.run import place_of

LABELS = (*RATINGS, "unclear")


def blind_page(run: RunView, *, whole: bool) -> str:
    """Return the next sample to rate, or the agreement; `whole` disables truncation."""
    queue = blind_queue(run)
    over = f"{queue.done} of {queue.total} rated"
    if queue.following is not None:
        question = _question(run, queue.following, queue.total, whole=whole)
        return page("Rate", place_of(run, "Marks"), heading("Is this answer right?", over=over), *question)
    if not queue.total:
        nothing = "This run has no checked answers to rate."
        return page("Rate", place_of(run, "Marks"), heading("Rate answers"), tag("p", nothing))
    return page("Rate", place_of(run, "Marks"), heading("All samples are rated", over=over), agreement(run))


def agreement(run: RunView) -> Markup | None:
    """Return the agreement of blind human ratings with checks and judges."""
    lines = [_agreement(human) for human in human_agreement(run)]
    return joined(tag("h2", "Ratings and verdicts"), tag("ul", lines)) if lines else None


def _question(run: RunView, sample: SampleView, total: int, *, whole: bool) -> Iterator[Markup | None]:
    yield tag(
        "p",
        f"{counted(total, 'random sample')} of this run. Model, tests and check result are hidden. "
        "Ratings are stored as marks.",
        class_="quiet",
    )
    yield _form(run, sample)
    for message in sample.messages:
        yield tag("h2", message.role, " ", tag("bdi", message.title))
        yield cut_block(message.text, label=message.role, whole=whole)
    yield tag("h2", "Answer")
    code, more = cut(sample.code or sample.text or "", whole=whole)
    yield code_block(code, sample.language, label="answer")
    yield more
    if sample.code is not None and sample.text is not None and sample.code.strip() != sample.text.strip():
        text, more = cut(sample.text, whole=whole)
        raw = code_block(text, "markdown", label="raw answer", anchor="R")
        yield tag("details", tag("summary", "The raw answer"), raw, more)


def _form(run: RunView, sample: SampleView) -> Markup:
    buttons = (tag("button", label, name="label", value=label) for label in LABELS)
    return tag(
        "form",
        tag("input", type="hidden", name="key", value=str(sample.row.key)),
        tag("input", type="hidden", name="attempt", value=str(sample.attempt)),
        tag("label", "Note ", tag("input", name="note", id="mark-note", maxlength=2_000, autocomplete="off")),
        *buttons,
        method="post",
        action=f"/r/{run.id}/blind",
        class_="controls",
    )


def _agreement(human: HumanAgreement) -> Markup:
    measured = human.found
    kappa = "not defined" if measured.kappa is None else significant(measured.kappa)
    low, high = measured.interval.low, measured.interval.high
    around = f" ({significant(low)} to {significant(high)})" if low is not None and high is not None else ""
    passed = f"{in_percent(measured.shares.first[1])} and {in_percent(measured.shares.second[1])}"
    return tag(
        "li",
        named(human.author),
        f" and {human.verdict_of} agree on {in_percent(measured.shares.agreement)} of "
        f"{counted(measured.answers, 'answer')}: kappa {kappa}{around}; they pass {passed}.",
    )
