"""The page of a run: result, subjects by pass rate, list of cases."""

from collections.abc import Iterator, Sequence

from steelyard.app.eval_texts import OUTPUT_KEPT
from steelyard.app.view.run_view import RunView
from steelyard.model.outcome import Classification
from steelyard.model.state import SubjectKey
from steelyard.model.units import MICROSECONDS, NANO_USD
from steelyard.model.viewing import CaseFilter, CaseOrder, CasePage, CaseRow, CaseStatus, PartRate
from steelyard.render.charts.attempts import outcome_text, strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.charts.part_rates import part_rates
from steelyard.render.charts.ranking import rate
from steelyard.render.numbers import UNDEFINED, known_cost, seconds
from steelyard.render.words import counted
from steelyard.web.links import LONGEST_TEST, ListRequest, plain_amount, subject_word
from steelyard.web.pages.layout import Place, figures, heading, page

HERE = Markup("<!--run-->")  # splits the page for streaming
SQUARES = 40
STATUS_WORDS = {
    CaseStatus.UNSOLVED: "never passed",
    CaseStatus.SOLVED: "always passed",
    CaseStatus.MIXED: "sometimes passed",
    CaseStatus.ERRORS: "with infrastructure errors",
    CaseStatus.WAITING: "not all checked yet",
}
LEAST_WORDS = {
    "cost": "Cost of the case (USD)",
    "latency": "Mean latency (s)",
    "tokens": "Mean tokens out",
}
FAILED_NOTE = (
    "Search by the full name of a test, as it precedes a colon in the check output. "
    f"Only the first {OUTPUT_KEPT:,} characters of an output are stored and searched."
)
ORDER_WORDS = {
    CaseOrder.NAME: "name",
    CaseOrder.RATE: "lowest pass rate",
    CaseOrder.COST: "highest cost",
    CaseOrder.TIME: "longest latency",
}


def tabs(run: RunView) -> tuple[tuple[str, str], ...]:
    """Return the tabs of a run."""
    names = ("Cases", "Matrix", "Report", "Compare", "Search", "SQL", "Marks")
    return tuple(
        (name, f"/r/{run.id}" if name == "Cases" else f"/r/{run.id}/{name.lower()}") for name in names
    )


def place_of(run: RunView, tab: str = "", *above: tuple[str, str]) -> Place:
    """Return the position of a page of a run."""
    return Place(above=((run.name, f"/r/{run.id}"), *above), tabs=tabs(run), tab=tab)


def subject_label(run: RunView, model: str, tier: str) -> Markup:
    """Return the model, with its tier only if the run has several."""
    has_tiers = len({subject.tier for subject in run.manifest.subjects}) > 1
    return joined(named(model), tag("span", " ", tag("bdi", tier), class_="tier") if has_tiers else None)


def run_page(run: RunView, shown: ListRequest) -> str:
    """Return the page of a run."""
    return "".join(run_page_pieces(run, shown))


def run_page_pieces(run: RunView, shown: ListRequest) -> Iterator[str]:
    """Yield the page of a run in pieces; a filter by failed test shows its progress.

    Closing the generator, as a browser's stop button does, cancels the search.
    """
    frame = page(run.name, place_of(run, "Cases"), HERE, live=f"/r/{run.id}/events")
    head, _, foot = frame.partition(HERE)
    yield head
    if shown.chosen.failed:
        for progress in run.look_for_failed(shown.chosen.failed):
            text = f"searched the output of {progress.searched:,} of {progress.total:,} checks"
            yield tag("p", text, class_="progress quiet", role="status")
    case_rows = run.case_page(shown.chosen, shown.page)
    yield summary(run, shown)
    yield filters(run, shown)
    yield case_list(run, case_rows, shown)
    yield foot


def summary(run: RunView, shown: ListRequest) -> Markup:
    """Return headline, totals and pass rates; updated while the run is live."""
    kinds = {kind: number for kind, number in run.kinds(shown.chosen).items() if number}
    rates = run.rates(shown.chosen)
    figure = part_rates(rates, lambda key: subject_label(run, *key), picked=shown.chosen.is_set)
    return tag(
        "section",
        heading(_headline(run, rates, is_filtered=shown.chosen.is_set), over=_over(run)),
        figures(_numbers(run, shown.chosen, rates)),
        _honeypots(run, shown.chosen),
        _endings(kinds, shown),
        figure,
        tag(
            "p",
            "A stop rule determines the samples of each case; the report corrects the rates for it.",
            class_="quiet",
        )
        if run.manifest.stop_rule
        else None,
        id="summary",
    )


def _numbers(run: RunView, chosen: CaseFilter, rates: Sequence[PartRate]) -> Iterator[tuple[str, Content]]:
    """Yield the totals of the selected cases."""
    manifest, sums = run.manifest, run.whole_rate(chosen).sums
    yield "subjects", f"{len(rates) if chosen.is_set else len(manifest.subjects):,}"
    yield "selected cases" if chosen.is_set else "cases", f"{sums.tasks:,}"
    yield "checked", done(sums.n + sums.errors, sums.planned if manifest.has_fixed_plan else None)
    generated, checked = (0, 0) if chosen.is_set else run.generated_and_checked()
    if generated > checked:
        yield "waiting for a check", f"{generated - checked:,}"
    spent = sums.cost_nano_usd / NANO_USD if sums.priced else None
    yield "cost of checked samples", known_cost(spent, unpriced=sums.unpriced)


def _honeypots(run: RunView, chosen: CaseFilter) -> Markup | None:
    """Return the number of honeypots, which the totals exclude."""
    if not run.manifest.honeypots():
        return None
    sums = run.honeypots(chosen)
    checked = counted(sums.n + sums.errors, "checked sample")
    text = f"Not included: {counted(sums.tasks, 'honeypot')} with {checked}."
    return tag("p", text, class_="quiet") if sums.tasks else None


def done(checked: int, planned: int | None) -> str:
    """Return the number of checked samples, and the planned number if some are missing.

    >>> done(1_000, 1_000), done(1_000, None), done(3, 1_000)
    ('1,000', '1,000', '3 of 1,000')
    """
    return f"{checked:,}" if planned is None or planned <= checked else f"{checked:,} of {planned:,}"


def _over(run: RunView) -> Content:
    manifest = run.manifest
    eval_set = joined("set ", named(manifest.eval_set), " · ") if manifest.eval_set else None
    return joined(eval_set, "run ", named(manifest.id), " · ", manifest.created_at[:16].replace("T", " "))


def _headline(run: RunView, rates: Sequence[PartRate], *, is_filtered: bool) -> Content:
    """Return the headline: the pass rates, without a ranking."""
    known = [part for part in rates if part.rate is not None]
    if not known:
        if any(part.sums.errors for part in rates):
            return "No result: every check ended in an infrastructure error."
        return (
            "The selected cases have no checked samples."
            if is_filtered
            else "No sample has been checked yet."
        )
    selection = " of the selected cases" if is_filtered else ""
    if len(known) == 1:
        return joined(_subject(run, known[0]), f" passes {rate(known[0].rate or 0.0)}{selection}.")
    # No ranking: only the report tests whether differences are significant.
    low, *_, high = sorted(part.rate or 0.0 for part in known)
    span = rate(low) if low == high else f"{rate(low)} to {rate(high)}"
    return f"{len(known)} subjects pass {span}{selection}."


def _subject(run: RunView, part: PartRate) -> Markup:
    key = part.subject or SubjectKey("", "")
    return subject_label(run, key.model, key.tier)


def _endings(kinds: dict[str, int], shown: ListRequest) -> Markup | None:
    """Return the number of samples by outcome, each linked to its cases."""
    links = (
        tag(
            "a",
            tag("span", outcome_text(kind), class_=f"chip k-{kind}"),
            f" {number:,} ",
            href=shown.query(kind=kind),
        )
        for kind, number in kinds.items()
    )
    return tag("p", links, class_="endings") if kinds else None


def filters(run: RunView, shown: ListRequest, *, is_sorted: bool = True) -> Markup:
    """Return the form that filters cases and, for lists, sorts them."""
    suites, tags = run.choices()
    chosen = shown.chosen
    subjects = [subject_word(SubjectKey(subject.model, subject.tier)) for subject in run.manifest.subjects]
    form = tag(
        "form",
        tag("label", "Case ", tag("input", type="search", name="name", value=chosen.name, id="query")),
        _choice("Subject", "subject", subjects, chosen.subject and subject_word(chosen.subject)),
        _choice("Suite", "suite", suites, chosen.suite) if len(suites) > 1 else None,
        _choice("Tag", "tag", tags, chosen.tag) if tags else None,
        _choice("Has", "kind", {str(kind): outcome_text(kind) for kind in Classification}, chosen.kind),
        _choice("Status", "status", STATUS_WORDS, chosen.status),
        _failed_test(chosen),
        _choice("Order", "order", ORDER_WORDS, shown.page.order, everything=None) if is_sorted else None,
        _least(chosen),
        tag("button", "apply"),
        tag("a", "clear", href="?") if chosen.is_set else None,
        class_="controls",
        role="search",
    )
    return joined(form, tag("p", FAILED_NOTE, class_="quiet") if chosen.failed else None)


def _failed_test(chosen: CaseFilter) -> Markup:
    field = tag("input", type="search", name="failed", value=chosen.failed or None, maxlength=LONGEST_TEST)
    return tag("label", "Failed test ", field)


def _least(chosen: CaseFilter) -> Markup:
    """Return the fields for minimum amounts, folded while empty."""
    amounts = {name: getattr(chosen, name) for name in LEAST_WORDS}
    fields = (
        tag(
            "label",
            f"{words} ",
            tag("input", type="number", name=name, min=0, step="any", value=plain_amount(amounts[name])),
        )
        for name, words in LEAST_WORDS.items()
    )
    is_open = any(value is not None for value in amounts.values())
    return tag("details", tag("summary", "At least"), tag("div", fields, class_="least"), open=is_open)


def _choice(
    title: str,
    name: str,
    values: Sequence[str] | dict[str, str] | dict[CaseStatus, str] | dict[CaseOrder, str],
    chosen: str | None,
    *,
    everything: str | None = "all",
) -> Markup:
    words = values.items() if isinstance(values, dict) else ((value, value) for value in values)
    options = [tag("option", text, value=str(value), selected=value == chosen) for value, text in words]
    if everything:
        options.insert(0, tag("option", everything, value=""))
    return tag("label", f"{title} ", tag("select", options, name=name))


def case_list(run: RunView, case_rows: CasePage, shown: ListRequest) -> Markup:
    """Return the list of cases with its pager."""
    if not case_rows.rows:
        empty = "No case matches this filter." if shown.chosen.is_set else "This run has no cases."
        return tag("p", empty, class_="quiet", id="cases")
    titles = (
        "case",
        "subject" if len(run.manifest.subjects) > 1 else "suite",
        "passed",
        "attempts",
        "cost",
        "latency (s)",
        "tokens out",
    )
    head = tag("tr", (tag("th", title, scope="col", class_=_class(title)) for title in titles))
    rows = []
    previous: CaseRow | None = None
    for row in case_rows.rows:
        rows.append(_row(run, row, shown, is_first=previous is None or previous.case != row.case))
        previous = row
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain list cases")
    return tag(
        "section",
        _status(case_rows, shown),
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="cases"),
        _pager(case_rows, shown),
        id="cases",
    )


def _row(run: RunView, row: CaseRow, shown: ListRequest, *, is_first: bool) -> Markup:
    link = f"/r/{run.id}/c/{row.key}{shown.query()}"
    honeypot = tag("span", "honeypot", class_="chip") if row.honeypot else None
    several = len(run.manifest.subjects) > 1
    return tag(
        "tr",
        tag(
            "th",
            tag("a", named(row.case), href=link, data_row=True),
            " ",
            honeypot,
            scope="row",
            class_=None if is_first else "again",
        ),
        tag("td", subject_label(run, row.model, row.tier) if several else tag("bdi", row.suite)),
        tag("td", f"{row.c:,} of {row.n:,}" if row.n else UNDEFINED, class_="number"),
        tag("td", strip(row.strip, most=SQUARES, total=row.samples)),
        tag(
            "td",
            known_cost(
                None if row.cost_nano_usd is None else row.cost_nano_usd / NANO_USD, unpriced=row.unpriced
            ),
            class_="number",
        ),
        tag(
            "td",
            seconds(row.latency_us / MICROSECONDS) if row.latency_us is not None else UNDEFINED,
            class_="number",
        ),
        tag("td", f"{row.tokens_out:,.0f}" if row.tokens_out is not None else UNDEFINED, class_="number"),
        data_failed=bool(row.n and row.c < row.n),
    )


def _class(title: str) -> str | None:
    return None if title in {"case", "subject", "suite", "attempts"} else "number"


def _status(case_rows: CasePage, shown: ListRequest) -> Markup:
    """Return the range of rows on this page."""
    first, last = case_rows.start + 1, case_rows.start + len(case_rows.rows)
    of_all = f" (of {case_rows.total:,} in the run)" if shown.chosen.is_set else ""
    hidden = (
        f" {counted(case_rows.hidden, 'row')} of cases that changed later are not listed."
        if case_rows.hidden
        else ""
    )
    return tag(
        "p",
        f"Rows {first:,} to {last:,} of {case_rows.matching:,}{of_all}.{hidden}",
        role="status",
        class_="quiet",
    )


def _pager(case_rows: CasePage, shown: ListRequest) -> Markup | None:
    if case_rows.matching <= len(case_rows.rows):
        return None
    previous = shown.query(before=case_rows.rows[0].key) if case_rows.start else None
    following = shown.query(after=case_rows.rows[-1].key) if case_rows.has_next else None
    return tag(
        "p",
        tag("a", "first", href=f"{shown.query() or '?'}") if previous else None,
        tag("a", "previous", href=previous, rel="prev") if previous else None,
        tag("a", "next", href=following, rel="next") if following else None,
        class_="pager",
    )
