"""The page of a sample: prompt, answer, check output, cost and times."""

from collections.abc import Iterator
from fractions import Fraction

from steelyard.app.view.run_view import RunView
from steelyard.model.judgement import judgement_of
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.model.viewing import SampleView
from steelyard.render.charts.attempts import linked_strip, outcome_text
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.document.trust import integrity_words
from steelyard.render.html.code import code_block, with_line_links
from steelyard.render.html.differences import difference
from steelyard.render.numbers import UNDEFINED, seconds, share, usd
from steelyard.web.links import ListRequest
from steelyard.web.pages.case import sample_link
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.long_texts import cut, cut_block
from steelyard.web.pages.run import place_of, subject_label

MEBIBYTE = 2**20


def sample_page(  # noqa: PLR0913  # options of the page
    run: RunView,
    sample: SampleView,
    shown: ListRequest,
    *,
    whole: bool,
    other: SampleView | None,
    marks: Content = None,
) -> str:
    """Return the page of a sample.

    Args:
        run: The opened run.
        sample: The sample.
        shown: The list that links return to.
        whole: Whether to show long texts in full.
        other: Another attempt to compare with.
        marks: The form for marks.
    """
    row = sample.row
    case_link = f"/r/{run.id}/c/{row.key}{shown.query()}"
    return page(
        f"{row.case}, attempt {sample.attempt}",
        place_of(run, "", (row.case, case_link), (f"attempt {sample.attempt}", "")),
        heading(
            joined(
                named(row.case),
                f", attempt {sample.attempt} ",
                tag(
                    "span",
                    outcome_text(sample.classification),
                    class_=f"chip k-{sample.classification or 'pending'}",
                ),
            ),
            over=joined(subject_label(run, row.model, row.tier), " · suite ", tag("bdi", row.suite)),
        ),
        linked_strip(
            row.strip, lambda attempt: sample_link(run, row, attempt, shown), current=sample.attempt
        ),
        _steps(run, sample, shown),
        _facts(sample),
        marks,
        _check(sample, whole=whole),
        _answer(run, sample, whole=whole),
        joined(tag("h2", "Expected"), cut_block(sample.expected, label="expected", whole=whole))
        if sample.expected
        else None,
        _judges(sample),
        _differences(sample, other),
        _prompt(sample, whole=whole),
        _tests(sample, whole=whole),
    )


def _steps(run: RunView, sample: SampleView, shown: ListRequest) -> Markup:
    def link(attempt: int, title: str, rel: str) -> Markup:
        return tag("a", title, href=sample_link(run, sample.row, attempt, shown), rel=rel)

    earlier, later = sample.previous_failure, sample.following_failure
    return tag(
        "p",
        link(sample.previous, "previous attempt", "prev") if sample.previous is not None else None,
        link(sample.following, "next attempt", "next") if sample.following is not None else None,
        tag("a", "previous failure", href=sample_link(run, sample.row, earlier, shown), id="previous-failure")
        if earlier is not None
        else None,
        tag("a", "next failure", href=sample_link(run, sample.row, later, shown), id="next-failure")
        if later is not None
        else None,
        tag("a", "all attempts", href=f"/r/{run.id}/c/{sample.row.key}{shown.query()}", id="up"),
        class_="pager",
        data_failures=True,  # the links to failures know all attempts
    )


def _facts(sample: SampleView) -> Markup:
    pairs = ((name, value) for name, value in _pairs(sample) if value is not None)
    equal = None
    if sample.equal:
        listed = ", ".join(map(str, sample.equal[:20]))
        equal = tag(
            "p",
            f"The same answer as in {'attempt' if len(sample.equal) == 1 else 'attempts'} {listed}.",
            class_="quiet",
        )
    return joined(
        tag("dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="facts"),
        equal,
    )


def _pairs(sample: SampleView) -> Iterator[tuple[str, Content]]:
    yield "score", None if sample.score_micro is None else share(sample.score_micro / MICRO_POINTS)
    yield "tests", _tests_passed(sample)
    yield "no tests ran", sample.no_tests
    yield "builds", None if sample.built is None else "yes" if sample.built else "no"
    yield "lint warnings", None if sample.lint_warnings is None else str(sample.lint_warnings)
    yield "errors found", None if sample.diagnostic_errors is None else str(sample.diagnostic_errors)
    yield "cost", None if sample.cost_nano_usd is None else usd(sample.cost_nano_usd / NANO_USD)
    yield "latency", _time(sample.latency_us)
    yield "first byte", _time(sample.first_byte_us)
    yield "tokens in", _tokens(sample.tokens_in, sample.tokens_cached, "cached")
    yield "tokens out", _tokens(sample.tokens_out, sample.tokens_reasoning, "reasoning")
    yield "finish reason", sample.finish_reason
    yield "check took", _time(sample.check_us)
    yield (
        "peak memory",
        None if sample.peak_memory_bytes is None else f"{sample.peak_memory_bytes / MEBIBYTE:,.0f} MiB",
    )
    yield "integrity", integrity_words(sample)
    yield "checked", "together with an equal answer" if sample.is_shared else None
    yield "request", sample.request_id


def _tests_passed(sample: SampleView) -> str | None:
    if sample.tests_passed is None and sample.tests_failed is None:
        return None
    passed, failed = sample.tests_passed or 0, sample.tests_failed or 0
    ignored = f", {sample.tests_ignored} ignored" if sample.tests_ignored else ""
    return f"{passed} of {passed + failed} passed{ignored}"


def _time(microseconds: int | None) -> str | None:
    return None if microseconds is None else f"{seconds(microseconds / MICROSECONDS)} s"


def _tokens(number: int | None, part: int | None, word: str) -> str | None:
    if number is None:
        return None
    return f"{number:,}" + (f" ({part:,} {word})" if part else "")


def _check(sample: SampleView, *, whole: bool) -> Markup | None:
    parts: list[Content] = []
    if sample.error:
        parts += [tag("h2", "Infrastructure error"), cut_block(sample.error, label="error", whole=whole)]
    if sample.detail:
        lines = [len((part or "").splitlines()) for part in (sample.code or sample.text, sample.tests)]
        text, more = cut(sample.detail, whole=whole)
        linked = with_line_links(text, answer=lines[0], tests=lines[1])
        parts += [
            tag("h2", "Check output"),
            tag("pre", linked, tabindex="0", role="group", aria_label="output of the check"),
            more,
        ]
    if sample.egress:
        requests = cut_block(sample.egress, label="requests", whole=whole)
        parts += [tag("h2", "Network requests of the agent"), requests]
    return joined(*parts) if parts else None


def _answer(run: RunView, sample: SampleView, *, whole: bool) -> Markup:
    if sample.text is None:
        return tag(
            "p",
            "This run has no text of the answer: it was imported, or is not generated yet.",
            class_="quiet",
        )
    link = tag(
        "a", "download", href=f"/r/{run.id}/c/{sample.row.key}/{sample.attempt}/answer.txt", download=True
    )
    raw, more = cut(sample.text, whole=whole)
    if sample.code is None or sample.code.strip() == sample.text.strip():
        # Without a case the language is unknown; fenced blocks name theirs.
        language = sample.language if sample.code is not None else "markdown" if "```" in raw else ""
        return joined(tag("h2", "Answer"), code_block(raw, language, label="answer"), more, tag("p", link))
    code, more_code = cut(sample.code, whole=whole)
    return joined(
        tag("h2", "Answer, as extracted"),
        code_block(code, sample.language, label="extracted code"),
        more_code,
        tag(
            "details",
            tag("summary", "The raw answer"),
            code_block(raw, "markdown", label="raw answer", anchor="R"),
            more,
            tag("p", link),
        ),
    )


def _judges(sample: SampleView) -> Markup | None:
    if not sample.judgement:
        return None
    judgement = judgement_of(sample.judgement)
    readings = [
        tag(
            "li",
            named(reading.judge),
            f": {'unusable' if reading.problem else _score(reading.score)} ",
            tag("span", reading.problem, class_="quiet"),
            tag("ul", (tag("li", reason) for reason in reading.reasons)) if reading.reasons else None,
        )
        for reading in judgement.readings
    ]
    categories = ", ".join(f"{category.id} {_score(category.score)}" for category in judgement.categories)
    return joined(
        tag("h2", "Judges"), tag("p", f"Score {_score(judgement.score)}. {categories}"), tag("ul", readings)
    )


def _score(score: Fraction | None) -> str:
    return UNDEFINED if score is None else share(float(score))


def _differences(sample: SampleView, other: SampleView | None) -> Markup | None:
    mine = sample.code or sample.text or ""
    parts: list[Content] = []
    if other is not None:
        theirs = other.code or other.text or ""
        names = (f"attempt {sample.attempt}", f"attempt {other.attempt}")
        parts += [tag("h2", f"Difference to attempt {other.attempt}"), difference(mine, theirs, names=names)]
    if sample.reference:
        shown_reference = difference(mine, sample.reference, names=("answer", "reference"))
        parts.append(tag("details", tag("summary", "Difference to the reference"), shown_reference))
    others = [attempt for attempt in sample.row.strip if attempt.number != sample.attempt]
    if others and sample.text is not None:
        options = (
            tag(
                "option",
                f"attempt {attempt.number} ({outcome_text(attempt.kind)})",
                value=str(attempt.number),
                selected=other is not None and attempt.number == other.attempt,
            )
            for attempt in others
        )
        form = tag(
            "form",
            tag("label", "Compare with ", tag("select", options, name="with")),
            tag("button", "show"),
            class_="controls",
        )
        parts.append(form)
    return joined(*parts) if parts else None


def _prompt(sample: SampleView, *, whole: bool) -> Markup | None:
    if not sample.messages:
        return None
    shown = [
        joined(
            tag("h3", message.role, " ", tag("bdi", message.title)),
            cut_block(message.text, label=message.role, whole=whole),
        )
        for message in sample.messages
    ]
    return joined(tag("h2", "Prompt"), *shown)


def _tests(sample: SampleView, *, whole: bool) -> Markup | None:
    if not sample.tests:
        return None
    text, more = cut(sample.tests, whole=whole)
    return tag(
        "details",
        tag("summary", "Tests"),
        code_block(text, sample.language, label="tests", anchor="T"),
        more,
        open=bool(sample.tests_failed),  # the output of the check links to their lines
    )
