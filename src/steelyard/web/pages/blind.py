"""Rate random samples, without seeing whose answer it is and how its check ended."""

from collections.abc import Iterator

from steelyard.app.view.rating import RATINGS, BlindQueue, HumanAgreement, blind_queue, human_agreement
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
    """Return the next sample to rate, or what the ratings came to; `whole` cuts no text."""
    queue = blind_queue(run)
    over = f"{queue.done} of {queue.total} rated"
    if queue.following is not None:
        asked = _asked(run, queue, whole=whole)
        return page("Rate", place_of(run, "Marks"), heading("Is this answer right?", over=over), *asked)
    if not queue.total:
        nothing = "This run holds no answer that was checked: there is nothing to rate."
        return page("Rate", place_of(run, "Marks"), heading("Rate answers"), tag("p", nothing))
    return page("Rate", place_of(run, "Marks"), heading("All are rated", over=over), agreement(run))


def agreement(run: RunView) -> Markup | None:
    """Return how far people's blind ratings agree with the checks and the judges."""
    lines = [_agreement(one) for one in human_agreement(run)]
    return joined(tag("h2", "Ratings and verdicts"), tag("ul", lines)) if lines else None


def _asked(run: RunView, queue: BlindQueue, *, whole: bool) -> Iterator[Markup | None]:
    found = queue.following
    if found is None:
        return
    yield tag(
        "p",
        f"{counted(queue.total, 'sample')} of this run, sampled at random. You do not see the model, the "
        "tests, nor how the check ended. Your ratings are kept as marks.",
        class_="quiet",
    )
    yield _form(run, found)
    for message in found.messages:
        yield tag("h2", message.role, " ", tag("bdi", message.title))
        yield cut_block(message.text, label=message.role, whole=whole)
    yield tag("h2", "Answer")
    code, more = cut(found.code or found.text or "", whole=whole)
    yield code_block(code, found.language, label="answer")
    yield more
    if found.code is not None and found.text is not None and found.code.strip() != found.text.strip():
        text, more = cut(found.text, whole=whole)
        raw = code_block(text, "markdown", label="raw answer", anchor="R")
        yield tag("details", tag("summary", "The raw answer"), raw, more)


def _form(run: RunView, found: SampleView) -> Markup:
    buttons = (tag("button", label, name="label", value=label) for label in LABELS)
    return tag(
        "form",
        tag("input", type="hidden", name="key", value=str(found.row.key)),
        tag("input", type="hidden", name="attempt", value=str(found.attempt)),
        tag("label", "Note ", tag("input", name="note", id="mark-note", maxlength=2_000, autocomplete="off")),
        *buttons,
        method="post",
        action=f"/r/{run.id}/blind",
        class_="controls",
    )


def _agreement(one: HumanAgreement) -> Markup:
    found = one.found
    kappa = "not defined" if found.kappa is None else significant(found.kappa)
    low, high = found.interval.low, found.interval.high
    around = f" ({significant(low)} to {significant(high)})" if low is not None and high is not None else ""
    passed = f"{in_percent(found.shares.first[1])} and {in_percent(found.shares.second[1])}"
    return tag(
        "li",
        named(one.author),
        f" and {one.verdict_of} say the same of {in_percent(found.shares.agreement)} of "
        f"{counted(found.answers, 'answer')}: kappa {kappa}{around}; they pass {passed}.",
    )
