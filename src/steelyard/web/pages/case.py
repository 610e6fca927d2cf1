"""The page of a case: prompt, results of all subjects, distinct answers of one subject."""

from steelyard.app.view.run_view import RunView
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.model.viewing import AnswerGroup, CaseRow, CaseView
from steelyard.render.charts.attempts import linked_strip, outcome_text, strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.html.code import plain
from steelyard.render.numbers import UNDEFINED, known_cost, seconds, share
from steelyard.render.words import counted
from steelyard.web.links import ListRequest
from steelyard.web.pages.failed_tests import failed_tests
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.long_texts import cut_block
from steelyard.web.pages.run import place_of, subject_label

SQUARES = 40
NUMBERS_SHOWN = 8


def case_page(run: RunView, key: int, shown: ListRequest, *, start: int, whole: bool = False) -> str:
    """Return the page of a subject's case.

    Args:
        run: The opened run.
        key: The key of the case.
        shown: The list that links return to.
        start: The first attempt of the list of answers.
        whole: Whether to show long texts in full.
    """
    case = run.case(key, start=start, failed=shown.chosen.failed)
    row = case.row
    before, after = run.neighbours(key, shown.chosen, shown.page.order)
    siblings = run.siblings(row)
    return page(
        row.case,
        place_of(run, "", (row.case, f"/r/{run.id}/c/{key}")),
        heading(
            named(row.case),
            over=joined(subject_label(run, row.model, row.tier), " · suite ", tag("bdi", row.suite)),
        ),
        tag("p", _passed(row), " ", _tags(row)),
        linked_strip(row.strip, lambda attempt: sample_link(run, row, attempt, shown)),
        _more_attempts(row),
        _steps(run, shown, before, after),
        _prompt(run, row, whole=whole, link=shown.query(start=start or None, whole=1)),
        _others(run, row, siblings, shown) if len(siblings) > 1 else None,
        failed_tests(run, row, shown),
        _groups(run, case, shown, start),
    )


def sample_link(run: RunView, row: CaseRow, attempt: int, shown: ListRequest) -> str:
    """Return the address of a sample, including the list that it was opened from."""
    return f"/r/{run.id}/c/{row.key}/{attempt}{shown.query()}"


def _passed(row: CaseRow) -> str:
    errors = f", and {counted(row.errors, 'infrastructure error')}" if row.errors else ""
    return f"{row.c:,} of {counted(row.n, 'sample')} passed{errors}."


def _tags(row: CaseRow) -> Markup:
    return joined(*(tag("span", tag("bdi", name), class_="chip") for name in row.tags))


def _more_attempts(row: CaseRow) -> Markup | None:
    more = row.samples - len(row.strip)
    return (
        tag("p", f"The first {len(row.strip)} attempts; {more:,} more are in the list below.", class_="quiet")
        if more > 0
        else None
    )


def _steps(run: RunView, shown: ListRequest, before: int | None, after: int | None) -> Markup:
    def link(key: int, title: str, rel: str) -> Markup:
        return tag("a", title, href=f"/r/{run.id}/c/{key}{shown.query()}", rel=rel)

    return tag(
        "p",
        link(before, "previous case", "prev") if before is not None else None,
        link(after, "next case", "next") if after is not None else None,
        tag("a", "back to the list", href=f"/r/{run.id}{shown.query()}", id="up"),
        class_="pager",
    )


def _prompt(run: RunView, row: CaseRow, *, whole: bool, link: str) -> Markup | None:
    messages = run.prompt(row)
    if not messages:
        return None
    shown = [
        joined(
            tag("h3", message.role, " ", tag("bdi", message.title)),
            cut_block(message.text, label=message.role, whole=whole, link=link),
        )
        for message in messages
    ]
    return tag("details", tag("summary", "Prompt"), shown, open=whole)


def _others(run: RunView, row: CaseRow, siblings: tuple[CaseRow, ...], shown: ListRequest) -> Markup:
    """Return the results of all subjects for this case."""
    rows = [
        tag(
            "tr",
            tag(
                "th",
                tag(
                    "a",
                    subject_label(run, sibling.model, sibling.tier),
                    href=f"/r/{run.id}/c/{sibling.key}{shown.query()}",
                ),
                scope="row",
            ),
            tag("td", f"{sibling.c:,} of {sibling.n:,}" if sibling.n else UNDEFINED, class_="number"),
            tag("td", strip(sibling.strip, most=SQUARES, total=sibling.samples)),
            aria_current="true" if sibling.key == row.key else None,
        )
        for sibling in siblings
    ]
    head = tag("tr", (tag("th", title, scope="col") for title in ("subject", "passed", "attempts")))
    return tag(
        "details",
        tag("summary", f"All {len(siblings)} subjects on this case"),
        tag(
            "div",
            tag("table", tag("thead", head), tag("tbody", rows), class_="plain"),
            class_="scroll",
            tabindex="0",
            role="group",
            aria_label="subjects",
        ),
        open=len(siblings) <= 8,  # noqa: PLR2004  # a longer list would push the answers off the screen
    )


def _groups(run: RunView, case: CaseView, shown: ListRequest, start: int) -> Markup:
    row = case.row
    if not case.groups:
        none = "There are no more answers." if start else "No answer has been generated yet."
        nothing = "No answer failed this test." if shown.chosen.failed else none
        return tag("p", nothing, class_="quiet")
    items = [_group(run, row, group, shown) for group in case.groups]
    next_page = (
        tag("a", "next answers", href=shown.query(start=case.next_attempt), rel="next")
        if case.next_attempt is not None
        else None
    )
    first = tag("a", "first", href=shown.query() or "?")
    return tag(
        "section",
        tag("h2", "Answers"),
        tag(
            "p",
            f"{counted(case.different, 'different answer')}; equal answers with the same result are grouped.",
            class_="quiet",
        ),
        tag("ol", items, class_="answers-list", start=None),
        tag("p", first if start else None, next_page, class_="pager") if next_page or start else None,
    )


def _group(run: RunView, row: CaseRow, group: AnswerGroup, shown: ListRequest) -> Markup:
    first = group.attempts[0]
    times = tag("b", f" \N{MULTIPLICATION SIGN} {group.count:,}") if group.count > 1 else None
    title = tag("a", f"attempt {first}", href=sample_link(run, row, first, shown), data_row=True)
    chip = tag("span", outcome_text(group.kind), class_=f"chip k-{group.kind or 'pending'}")
    detail = group.error or group.detail
    return tag(
        "li",
        tag("p", title, times, " ", chip, " ", tag("span", " · ".join(_facts(group)), class_="quiet")),
        _numbers(run, row, group, shown),
        tag(
            "pre",
            plain(detail),
            class_="excerpt",
            tabindex="0",
            role="group",
            aria_label="output of the check",
        )
        if detail
        else None,
        data_failed=group.kind not in {None, "pass"},
    )


def _numbers(run: RunView, row: CaseRow, group: AnswerGroup, shown: ListRequest) -> Markup | None:
    if group.count == 1:
        return None
    links: list[Content] = ["the same answer in attempts "]
    for index, attempt in enumerate(group.attempts[:NUMBERS_SHOWN]):
        links += [", " if index else None, tag("a", str(attempt), href=sample_link(run, row, attempt, shown))]
    more = group.count - min(len(group.attempts), NUMBERS_SHOWN)
    return tag("p", links, f" and {more:,} more" if more else None, class_="quiet")


def _facts(group: AnswerGroup) -> list[str]:
    facts = []
    if group.tests_passed is not None or group.tests_failed is not None:
        passed, failed = group.tests_passed or 0, group.tests_failed or 0
        facts.append(f"{passed} of {passed + failed} tests")
    if group.score_micro is not None:
        facts.append(f"score {share(group.score_micro / MICRO_POINTS)}")
    if group.cost_nano_usd is not None:
        cost = known_cost(group.cost_nano_usd / NANO_USD, unpriced=group.count - group.priced)
        facts.append(cost + (" together" if group.count > 1 else ""))
    if group.latency_us is not None:
        facts.append(
            f"{seconds(group.latency_us / MICROSECONDS)} s" + (" on average" if group.count > 1 else "")
        )
    if group.tokens_out is not None:
        facts.append(f"{group.tokens_out:,.0f} tokens")
    return facts
