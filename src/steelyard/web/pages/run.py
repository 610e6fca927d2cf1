"""A run: what it came to, its subjects by pass rate, and the list of its cases."""

from collections.abc import Iterator, Sequence

from steelyard.app.eval_texts import OUTPUT_KEPT
from steelyard.app.view.run_view import RunView
from steelyard.model.outcome import Classification
from steelyard.model.state import SubjectKey
from steelyard.model.units import MICROSECONDS, NANO_USD
from steelyard.model.viewing import CaseFilter, CaseOrder, CasePage, CaseRow, CaseStatus, PartRate
from steelyard.render.charts.attempts import ending, strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.charts.part_rates import part_rates
from steelyard.render.charts.ranking import rate
from steelyard.render.numbers import UNDEFINED, known_cost, seconds
from steelyard.render.words import counted
from steelyard.web.links import LONGEST_TEST, ListRequest, plain_amount, subject_word
from steelyard.web.pages.layout import Place, figures, heading, page

HERE = Markup("<!--run-->")  # where the page is cut in two
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
    "A test is found by its whole name, as the output of the checks shows it before a colon. "
    f"Of an output, {OUTPUT_KEPT:,} characters are kept; a test that is named later in it is not found."
)
ORDER_WORDS = {
    CaseOrder.NAME: "name",
    CaseOrder.RATE: "lowest pass rate",
    CaseOrder.COST: "highest cost",
    CaseOrder.TIME: "longest latency",
}


def tabs(run: RunView) -> tuple[tuple[str, str], ...]:
    """Return the pages of a run, for the bar at the top."""
    names = ("Cases", "Matrix", "Report", "Compare", "Search", "SQL", "Marks")
    return tuple(
        (name, f"/r/{run.id}" if name == "Cases" else f"/r/{run.id}/{name.lower()}") for name in names
    )


def place_of(run: RunView, tab: str = "", *above: tuple[str, str]) -> Place:
    """Return where a page of a run stands."""
    return Place(above=((run.name, f"/r/{run.id}"), *above), tabs=tabs(run), tab=tab)


def subject_label(run: RunView, model: str, tier: str) -> Markup:
    """Return a subject with no more words than it takes."""
    has_tiers = len({subject.tier for subject in run.manifest.subjects}) > 1
    return joined(named(model), tag("span", " ", tag("bdi", tier), class_="tier") if has_tiers else None)


def run_page(run: RunView, shown: ListRequest) -> str:
    """Return the page of a run."""
    return "".join(run_page_pieces(run, shown))


def run_page_pieces(run: RunView, shown: ListRequest) -> Iterator[str]:
    """Give the page of a run in pieces: a filter by a failed test first reads the output of all checks.

    Closing the generator, as a browser's stop button does, ends the reading.
    """
    frame = page(run.name, place_of(run, "Cases"), HERE, live=f"/r/{run.id}/events")
    head, _, foot = frame.partition(HERE)
    yield head
    if shown.chosen.failed:
        for one in run.look_for_failed(shown.chosen.failed):
            said = f"read the output of {one.searched:,} of {one.total:,} checks"
            yield tag("p", said, class_="progress quiet", role="status")
    found = run.case_page(shown.chosen, shown.page)
    yield summary(run, shown)
    yield filters(run, shown)
    yield case_list(run, found, shown)
    yield foot


def summary(run: RunView, shown: ListRequest) -> Markup:
    """Return the figures and the picture at the top; a live run renews them."""
    kinds = {kind: number for kind, number in run.kinds(shown.chosen).items() if number}
    rates = run.rates(shown.chosen)
    picture = part_rates(rates, lambda key: subject_label(run, *key), picked=shown.chosen.is_set)
    return tag(
        "section",
        heading(_answer(run, rates, is_filtered=shown.chosen.is_set), over=_over(run)),
        figures(_numbers(run, shown.chosen, rates)),
        _honeypots(run, shown.chosen),
        _endings(kinds, shown),
        picture,
        tag(
            "p",
            "A stop rule decides how many samples a case gets; the report corrects the rates for it.",
            class_="quiet",
        )
        if run.manifest.stop_rule
        else None,
        id="summary",
    )


def _numbers(run: RunView, chosen: CaseFilter, rates: Sequence[PartRate]) -> Iterator[tuple[str, Content]]:
    """Give the figures of the chosen cases, all from the same sums."""
    manifest, sums = run.manifest, run.whole_rate(chosen).sums
    yield "subjects", f"{len(rates) if chosen.is_set else len(manifest.subjects):,}"
    yield "chosen cases" if chosen.is_set else "cases", f"{sums.tasks:,}"
    yield "checked", done(sums.n + sums.errors, sums.planned if manifest.has_fixed_plan else None)
    generated, checked = (0, 0) if chosen.is_set else run.generated_and_checked()
    if generated > checked:
        yield "waiting for a check", f"{generated - checked:,}"
    spent = sums.cost_nano_usd / NANO_USD if sums.priced else None
    yield "cost of what is checked", known_cost(spent, unpriced=sums.unpriced)


def _honeypots(run: RunView, chosen: CaseFilter) -> Markup | None:
    """Return how many honeypots there are beside the cases of the figures."""
    if not run.manifest.honeypots():
        return None
    sums = run.honeypots(chosen)
    checked = counted(sums.n + sums.errors, "checked sample")
    said = f"Not in these figures: {counted(sums.tasks, 'honeypot')} with {checked}."
    return tag("p", said, class_="quiet") if sums.tasks else None


def done(checked: int, planned: int | None) -> str:
    """Return how many samples were checked, and of how many if some are missing.

    >>> done(1_000, 1_000), done(1_000, None), done(3, 1_000)
    ('1,000', '1,000', '3 of 1,000')
    """
    return f"{checked:,}" if planned is None or planned <= checked else f"{checked:,} of {planned:,}"


def _over(run: RunView) -> Content:
    manifest = run.manifest
    eval_set = joined("set ", named(manifest.eval_set), " · ") if manifest.eval_set else None
    return joined(eval_set, "run ", named(manifest.id), " · ", manifest.created_at[:16].replace("T", " "))


def _answer(run: RunView, rates: Sequence[PartRate], *, is_filtered: bool) -> Content:
    """Return the one sentence that says how the run came out."""
    known = [one for one in rates if one.rate is not None]
    if not known:
        if any(one.sums.errors for one in rates):
            return "No sample counts: every check ended in an infrastructure error."
        return (
            "The chosen cases have no checked sample." if is_filtered else "No sample has been checked yet."
        )
    part = " of the chosen cases" if is_filtered else ""
    if len(known) == 1:
        return joined(_subject(run, known[0]), f" passes {rate(known[0].rate or 0.0)}{part}.")
    # Not who is ahead: whether that is more than noise takes a test, and the report has made it.
    low, *_, high = sorted(one.rate or 0.0 for one in known)
    span = rate(low) if low == high else f"{rate(low)} to {rate(high)}"
    return f"{len(known)} subjects pass {span}{part}."


def _subject(run: RunView, one: PartRate) -> Markup:
    key = one.subject or SubjectKey("", "")
    return subject_label(run, key.model, key.tier)


def _endings(kinds: dict[str, int], shown: ListRequest) -> Markup | None:
    """Return how many samples ended in each way, each a link to the cases with such samples."""
    links = (
        tag(
            "a",
            tag("span", ending(kind), class_=f"chip k-{kind}"),
            f" {number:,} ",
            href=shown.query(kind=kind),
        )
        for kind, number in kinds.items()
    )
    return tag("p", links, class_="endings") if kinds else None


def filters(run: RunView, shown: ListRequest, *, is_sorted: bool = True) -> Markup:
    """Return the form that chooses cases, and sorts them where they are in a list."""
    suites, tags = run.choices()
    chosen = shown.chosen
    subjects = [subject_word(SubjectKey(one.model, one.tier)) for one in run.manifest.subjects]
    form = tag(
        "form",
        tag("label", "Case ", tag("input", type="search", name="name", value=chosen.name, id="query")),
        _choice("Subject", "subject", subjects, chosen.subject and subject_word(chosen.subject)),
        _choice("Suite", "suite", suites, chosen.suite) if len(suites) > 1 else None,
        _choice("Tag", "tag", tags, chosen.tag) if tags else None,
        _choice("Has", "kind", {str(one): ending(one) for one in Classification}, chosen.kind),
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
    """Return the fields for amounts; they are folded while they are empty."""
    given = {name: getattr(chosen, name) for name in LEAST_WORDS}
    fields = (
        tag(
            "label",
            f"{words} ",
            tag("input", type="number", name=name, min=0, step="any", value=plain_amount(given[name])),
        )
        for name, words in LEAST_WORDS.items()
    )
    is_open = any(value is not None for value in given.values())
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


def case_list(run: RunView, found: CasePage, shown: ListRequest) -> Markup:
    """Return the list of cases with its pager."""
    if not found.rows:
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
    for row in found.rows:
        rows.append(_row(run, row, shown, is_first=previous is None or previous.case != row.case))
        previous = row
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain list cases")
    return tag(
        "section",
        _status(found, shown),
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="cases"),
        _pager(found, shown),
        id="cases",
    )


def _row(run: RunView, row: CaseRow, shown: ListRequest, *, is_first: bool) -> Markup:
    link = f"/r/{run.id}/c/{row.key}{shown.query()}"
    pot = tag("span", "honeypot", class_="chip") if row.honeypot else None
    several = len(run.manifest.subjects) > 1
    return tag(
        "tr",
        tag(
            "th",
            tag("a", named(row.case), href=link, data_row=True),
            " ",
            pot,
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


def _status(found: CasePage, shown: ListRequest) -> Markup:
    """Return which rows of how many are shown."""
    first, last = found.start + 1, found.start + len(found.rows)
    of_all = f" (of {found.total:,} in the run)" if shown.chosen.is_set else ""
    hidden = (
        f" {counted(found.hidden, 'row')} of cases that changed since are not listed." if found.hidden else ""
    )
    return tag(
        "p",
        f"Rows {first:,} to {last:,} of {found.matching:,}{of_all}.{hidden}",
        role="status",
        class_="quiet",
    )


def _pager(found: CasePage, shown: ListRequest) -> Markup | None:
    if found.matching <= len(found.rows):
        return None
    back = shown.query(before=found.rows[0].key) if found.start else None
    on = shown.query(after=found.rows[-1].key) if found.has_next else None
    return tag(
        "p",
        tag("a", "first", href=f"{shown.query() or '?'}") if back else None,
        tag("a", "previous", href=back, rel="prev") if back else None,
        tag("a", "next", href=on, rel="next") if on else None,
        class_="pager",
    )
