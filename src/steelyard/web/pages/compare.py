"""Two runs or two subjects side by side: the test, then the cases that changed, then their answers."""

from steelyard.app.view.comparing import ChangedCase, ComparedRuns
from steelyard.app.view.run_view import RunView
from steelyard.model.state import SubjectKey
from steelyard.model.viewing import CaseRow, RunLine, SampleView
from steelyard.render.charts.attempts import ending, linked_strip, strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named, pieces
from steelyard.render.document.comparison import comparison_document
from steelyard.render.html.blocks import large_numbers, sections, sentence
from steelyard.render.html.code import code_block
from steelyard.render.html.differences import difference
from steelyard.render.html.parts import COMPARISON_PARTS, parts_of
from steelyard.render.numbers import UNDEFINED, points
from steelyard.render.words import counted
from steelyard.web.links import query, subject_word
from steelyard.web.pages.layout import Place, heading, page
from steelyard.web.pages.run import place_of, subject_label

SQUARES = 20
SHOWN = 20_000  # characters of each answer
Pair = tuple[RunView, RunView]
Subjects = tuple[SubjectKey, SubjectKey] | None


def choose_page(run: RunView, lines: list[RunLine]) -> str:
    """Return the page that asks what to compare a run with."""
    others = [line for line in lines if line.id != run.id and not line.problem]
    subjects = [subject_word(SubjectKey(one.model, one.tier)) for one in run.manifest.subjects]
    runs = tag(
        "form",
        tag("h2", "With another run"),
        tag("label", "before ", _select("before", [(line.id, line.name) for line in others], 0)),
        tag("input", type="hidden", name="after", value=run.id),
        tag("button", "compare"),
        action="/compare",
        class_="controls",
    )
    pairs = tag(
        "form",
        tag("h2", "Two subjects of this run"),
        tag("input", type="hidden", name="before", value=run.id),
        tag("input", type="hidden", name="after", value=run.id),
        tag("label", "before ", _select("a", [(one, one) for one in subjects], 0)),
        tag("label", "after ", _select("b", [(one, one) for one in subjects], 1)),
        tag("button", "compare"),
        action="/compare",
        class_="controls",
    )
    nothing = tag(
        "p",
        "Only this run was opened, and it has one subject: there is nothing to compare with.",
        class_="quiet",
    )
    return page(
        "Compare",
        place_of(run, "Compare"),
        heading("Compare"),
        runs if others else None,
        pairs if len(subjects) > 1 else None,
        None if others or len(subjects) > 1 else nothing,
    )


def _select(name: str, options: list[tuple[str, str]], chosen: int) -> Markup:
    listed = (
        tag("option", text, value=value, selected=place == chosen)
        for place, (value, text) in enumerate(options)
    )
    return tag("select", listed, name=name)


def compare_page(runs: Pair, found: ComparedRuns, subjects: Subjects) -> str:
    """Return the page of a comparison; the cases that changed come first."""
    before, after = runs
    document = comparison_document(found.comparison)
    answers, totals, threshold = document.pick("answers", "totals", "threshold")
    first, *others = answers.lines
    names = _names(runs, subjects)
    parts = [
        part.markup
        for part in parts_of(document, COMPARISON_PARTS)
        if part.id not in {"regressions", "improvements"}
    ]
    return page(
        "Comparison",
        Place(above=((before.name, f"/r/{before.id}"), (after.name, f"/r/{after.id}"))),
        tag("p", names[0], " → ", names[1], class_="over"),
        tag("h1", pieces(first.pieces), class_=f"verdict tone-{first.tone}"),
        tag("ul", (sentence(line, kind="li") for line in others)) if others else None,
        large_numbers(totals),
        sections([threshold]),
        _changes(runs, found),
        *parts,
    )


def _names(runs: Pair, subjects: Subjects) -> tuple[Content, Content]:
    if subjects is None:
        return named(runs[0].name), named(runs[1].name)
    left, right = (subject_label(run, *key) for run, key in zip(runs, subjects, strict=True))
    return left, right


def _changes(runs: Pair, found: ComparedRuns) -> Markup:
    comparison = found.comparison
    total = len(comparison.regressions) + len(comparison.improvements)
    if not total:
        return tag(
            "p",
            "No case changed by more than the threshold, so there are no answers to show side by side.",
            class_="quiet",
        )
    head = tag(
        "tr",
        (tag("th", title, scope="col") for title in ("case", "subject", "before", "after", "score (points)")),
    )
    rows = [_row(runs, one) for one in found.changes]
    return tag(
        "section",
        tag("h2", "Cases that changed"),
        tag(
            "p",
            f"{len(found.changes)} of {total:,}: regressions first, the largest on top; "
            f"{counted(comparison.unchanged, 'case')} did not change.",
            class_="quiet",
            role="status",
        ),
        tag(
            "div",
            tag("table", tag("thead", head), tag("tbody", rows), class_="plain list changes"),
            class_="scroll",
            tabindex="0",
            role="group",
            aria_label="changes",
        ),
    )


def _row(runs: Pair, one: ChangedCase) -> Markup:
    change = one.change
    name: Content = named(change.case)
    if one.before and one.after:
        sides = query(before=f"{runs[0].id}-{one.before.key}", after=f"{runs[1].id}-{one.after.key}")
        name = tag("a", name, href=f"/sides{sides}", data_row=True)
    tone = "tone-bad" if change.delta < 0 else "tone-good"
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", subject_label(runs[1], change.model, change.tier)),
        tag("td", _short(one.before)),
        tag("td", _short(one.after)),
        tag("td", points(change.delta), class_=f"number {tone}"),
        data_failed=change.delta < 0,
    )


def _short(row: CaseRow | None) -> Content:
    return (
        UNDEFINED
        if row is None
        else joined(f"{row.c} of {row.n} ", strip(row.strip, most=SQUARES, total=row.samples))
    )


def sides_page(runs: Pair, samples: tuple[SampleView, SampleView]) -> str:
    """Return two samples of one case side by side, and how their code differs."""
    left = samples[0]
    codes = tuple((one.code or one.text or "") for one in samples)
    return page(
        f"{left.row.case}, side by side",
        Place(above=((runs[0].name, f"/r/{runs[0].id}"), (runs[1].name, f"/r/{runs[1].id}"))),
        heading(named(left.row.case), over="side by side"),
        tag("div", *(_side(runs, samples, place) for place in (0, 1)), class_="sides"),
        tag("h2", "Difference"),
        difference(codes[0], codes[1], names=("before", "after")),
    )


def first_failure(row: CaseRow) -> int:
    """Return the attempt that a side shows: its first failure, else its first."""
    failed = (one.number for one in row.strip if one.kind != "pass")
    return next(failed, row.strip[0].number if row.strip else 0)


def _side(runs: Pair, samples: tuple[SampleView, SampleView], place: int) -> Markup:
    run, found = runs[place], samples[place]

    def link(attempt: int) -> str:
        chosen = [samples[0].attempt, samples[1].attempt]
        chosen[place] = attempt
        return "/sides" + query(
            before=f"{runs[0].id}-{samples[0].row.key}",
            after=f"{runs[1].id}-{samples[1].row.key}",
            a=chosen[0],
            b=chosen[1],
        )

    code = found.code or found.text
    return tag(
        "section",
        tag("h2", ("before: ", "after: ")[place], named(run.name)),
        tag(
            "p",
            subject_label(run, found.row.model, found.row.tier),
            f", {found.row.c} of {found.row.n} passed",
        ),
        linked_strip(found.row.strip, link, current=found.attempt),
        tag(
            "p",
            tag("a", f"attempt {found.attempt}", href=f"/r/{run.id}/c/{found.row.key}/{found.attempt}"),
            " ",
            tag("span", ending(found.classification), class_=f"chip k-{found.classification or 'pending'}"),
        ),
        code_block(found.detail, "", label="output of the check", anchor=f"O{place}-")
        if found.detail
        else None,
        code_block(code[:SHOWN], found.language, label="answer", anchor=f"S{place}-")
        if code
        else tag("p", "The answer is not in this run.", class_="quiet"),
        tag("p", f"The first {SHOWN:,} of {len(code):,} characters; the attempt has all.", class_="quiet")
        if code and len(code) > SHOWN
        else None,
    )
