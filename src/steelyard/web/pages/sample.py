"""A sample: prompt, answer raw and as extracted, what the check said, and what it took."""

from collections.abc import Iterator
from fractions import Fraction

from steelyard.app.view.run_view import RunView
from steelyard.model.judgement import judgement_of
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.model.viewing import SampleView
from steelyard.render.charts.attempts import ending, linked_strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.html.code import code_block, with_line_links
from steelyard.render.html.differences import difference
from steelyard.render.integrity import integrity_words
from steelyard.render.numbers import UNDEFINED, seconds, share, usd
from steelyard.web.links import ListRequest
from steelyard.web.pages.case import sample_link
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.long_texts import cut, cut_block
from steelyard.web.pages.run import place_of, subject_label

MEBIBYTE = 2**20


def sample_page(  # noqa: PLR0913  # a sample, and how it is shown
    run: RunView,
    found: SampleView,
    shown: ListRequest,
    *,
    whole: bool,
    other: SampleView | None,
    marks: Content = None,
) -> str:
    """Return the page of a sample, beside another attempt if there is one; `whole` cuts no text."""
    row = found.row
    case_link = f"/r/{run.id}/c/{row.key}{shown.query()}"
    return page(
        f"{row.case}, attempt {found.attempt}",
        place_of(run, "", (row.case, case_link), (f"attempt {found.attempt}", "")),
        heading(
            joined(
                named(row.case),
                f", attempt {found.attempt} ",
                tag(
                    "span", ending(found.classification), class_=f"chip k-{found.classification or 'pending'}"
                ),
            ),
            over=joined(subject_label(run, row.model, row.tier), " · suite ", tag("bdi", row.suite)),
        ),
        linked_strip(row.strip, lambda attempt: sample_link(run, row, attempt, shown), current=found.attempt),
        _steps(run, found, shown),
        _facts(found),
        marks,
        _check(found, whole=whole),
        _answer(run, found, whole=whole),
        joined(tag("h2", "Expected"), cut_block(found.expected, label="expected", whole=whole))
        if found.expected
        else None,
        _judges(found),
        _differences(found, other),
        _prompt(found, whole=whole),
        _tests(found, whole=whole),
    )


def _steps(run: RunView, found: SampleView, shown: ListRequest) -> Markup:
    def link(attempt: int, title: str, rel: str) -> Markup:
        return tag("a", title, href=sample_link(run, found.row, attempt, shown), rel=rel)

    earlier, later = found.previous_failure, found.following_failure
    return tag(
        "p",
        link(found.previous, "previous attempt", "prev") if found.previous is not None else None,
        link(found.following, "next attempt", "next") if found.following is not None else None,
        tag("a", "previous failure", href=sample_link(run, found.row, earlier, shown), id="previous-failure")
        if earlier is not None
        else None,
        tag("a", "next failure", href=sample_link(run, found.row, later, shown), id="next-failure")
        if later is not None
        else None,
        tag("a", "all attempts", href=f"/r/{run.id}/c/{found.row.key}{shown.query()}", id="up"),
        class_="pager",
        data_failures=True,  # the links to failures know all attempts
    )


def _facts(found: SampleView) -> Markup:
    pairs = ((name, value) for name, value in _pairs(found) if value is not None)
    equal = None
    if found.equal:
        listed = ", ".join(map(str, found.equal[:20]))
        equal = tag(
            "p",
            f"The same answer as in {'attempt' if len(found.equal) == 1 else 'attempts'} {listed}.",
            class_="quiet",
        )
    return joined(
        tag("dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="facts"),
        equal,
    )


def _pairs(found: SampleView) -> Iterator[tuple[str, Content]]:
    yield "score", None if found.score_micro is None else share(found.score_micro / MICRO_POINTS)
    yield "tests", _tests_passed(found)
    yield "no tests ran", found.no_tests
    yield "builds", None if found.built is None else "yes" if found.built else "no"
    yield "lint warnings", None if found.lint_warnings is None else str(found.lint_warnings)
    yield "errors found", None if found.diagnostic_errors is None else str(found.diagnostic_errors)
    yield "cost", None if found.cost_nano_usd is None else usd(found.cost_nano_usd / NANO_USD)
    yield "latency", _time(found.latency_us)
    yield "first byte", _time(found.first_byte_us)
    yield "tokens in", _tokens(found.tokens_in, found.tokens_cached, "cached")
    yield "tokens out", _tokens(found.tokens_out, found.tokens_reasoning, "reasoning")
    yield "finish reason", found.finish_reason
    yield "check took", _time(found.check_us)
    yield (
        "peak memory",
        None if found.peak_memory_bytes is None else f"{found.peak_memory_bytes / MEBIBYTE:,.0f} MiB",
    )
    yield "integrity", integrity_words(found)
    yield "checked", "once, with an equal answer" if found.is_shared else None
    yield "request", found.request_id


def _tests_passed(found: SampleView) -> str | None:
    if found.tests_passed is None and found.tests_failed is None:
        return None
    passed, failed = found.tests_passed or 0, found.tests_failed or 0
    ignored = f", {found.tests_ignored} ignored" if found.tests_ignored else ""
    return f"{passed} of {passed + failed} passed{ignored}"


def _time(microseconds: int | None) -> str | None:
    return None if microseconds is None else f"{seconds(microseconds / MICROSECONDS)} s"


def _tokens(number: int | None, part: int | None, word: str) -> str | None:
    if number is None:
        return None
    return f"{number:,}" + (f" ({part:,} {word})" if part else "")


def _check(found: SampleView, *, whole: bool) -> Markup | None:
    parts: list[Content] = []
    if found.error:
        parts += [tag("h2", "Infrastructure error"), cut_block(found.error, label="error", whole=whole)]
    if found.detail:
        lines = [len((one or "").splitlines()) for one in (found.code or found.text, found.tests)]
        text, more = cut(found.detail, whole=whole)
        said = with_line_links(text, answer=lines[0], tests=lines[1])
        parts += [
            tag("h2", "What the check said"),
            tag("pre", said, tabindex="0", role="group", aria_label="output of the check"),
            more,
        ]
    if found.egress:
        asked = cut_block(found.egress, label="requests", whole=whole)
        parts += [tag("h2", "What the agent asked of the network"), asked]
    return joined(*parts) if parts else None


def _answer(run: RunView, found: SampleView, *, whole: bool) -> Markup:
    if found.text is None:
        return tag(
            "p",
            "The answer itself is not in this run: it was imported, or not generated yet.",
            class_="quiet",
        )
    link = tag(
        "a", "download", href=f"/r/{run.id}/c/{found.row.key}/{found.attempt}/answer.txt", download=True
    )
    raw, more = cut(found.text, whole=whole)
    if found.code is None or found.code.strip() == found.text.strip():
        # Without a case the language is unknown; blocks between fences name their own.
        language = found.language if found.code is not None else "markdown" if "```" in raw else ""
        return joined(tag("h2", "Answer"), code_block(raw, language, label="answer"), more, tag("p", link))
    code, more_code = cut(found.code, whole=whole)
    return joined(
        tag("h2", "Answer, as extracted"),
        code_block(code, found.language, label="extracted code"),
        more_code,
        tag(
            "details",
            tag("summary", "The raw answer"),
            code_block(raw, "markdown", label="raw answer", anchor="R"),
            more,
            tag("p", link),
        ),
    )


def _judges(found: SampleView) -> Markup | None:
    if not found.judgement:
        return None
    judged = judgement_of(found.judgement)
    readings = [
        tag(
            "li",
            named(reading.judge),
            f": {'unusable' if reading.problem else _score(reading.score)} ",
            tag("span", reading.problem, class_="quiet"),
            tag("ul", (tag("li", reason) for reason in reading.reasons)) if reading.reasons else None,
        )
        for reading in judged.readings
    ]
    categories = ", ".join(f"{one.id} {_score(one.score)}" for one in judged.categories)
    return joined(
        tag("h2", "Judges"), tag("p", f"Score {_score(judged.score)}. {categories}"), tag("ul", readings)
    )


def _score(score: Fraction | None) -> str:
    return UNDEFINED if score is None else share(float(score))


def _differences(found: SampleView, other: SampleView | None) -> Markup | None:
    mine = found.code or found.text or ""
    parts: list[Content] = []
    if other is not None:
        theirs = other.code or other.text or ""
        names = (f"attempt {found.attempt}", f"attempt {other.attempt}")
        parts += [tag("h2", f"Difference to attempt {other.attempt}"), difference(mine, theirs, names=names)]
    if found.reference:
        shown_reference = difference(mine, found.reference, names=("answer", "reference"))
        parts.append(tag("details", tag("summary", "Difference to the reference"), shown_reference))
    choice = [one for one in found.row.strip if one.number != found.attempt]
    if choice and found.text is not None:
        options = (
            tag(
                "option",
                f"attempt {one.number} ({ending(one.kind)})",
                value=str(one.number),
                selected=other is not None and one.number == other.attempt,
            )
            for one in choice
        )
        form = tag(
            "form",
            tag("label", "Compare with ", tag("select", options, name="with")),
            tag("button", "show"),
            class_="controls",
        )
        parts.append(form)
    return joined(*parts) if parts else None


def _prompt(found: SampleView, *, whole: bool) -> Markup | None:
    if not found.messages:
        return None
    shown = [
        joined(
            tag("h3", message.role, " ", tag("bdi", message.title)),
            cut_block(message.text, label=message.role, whole=whole),
        )
        for message in found.messages
    ]
    return joined(tag("h2", "Prompt"), *shown)


def _tests(found: SampleView, *, whole: bool) -> Markup | None:
    if not found.tests:
        return None
    text, more = cut(found.tests, whole=whole)
    return tag(
        "details",
        tag("summary", "Tests"),
        code_block(text, found.language, label="tests", anchor="T"),
        more,
        open=bool(found.tests_failed),  # the output of the check links to their lines
    )
