"""Pages that compare two runs or subjects: verdict, changed cases, answers side by side."""

from steelyard.app.view.comparing import ChangedCase, ComparedRuns
from steelyard.app.view.run_view import RunView
from steelyard.model.state import SubjectKey
from steelyard.model.viewing import CaseRow, RunLine, SampleView
from steelyard.render.charts.attempts import linked_strip, outcome_text, strip
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import headline, named
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
    """Return the form that selects what to compare a run with."""
    others = [line for line in lines if line.id != run.id and not line.problem]
    subjects = [subject_word(SubjectKey(subject.model, subject.tier)) for subject in run.manifest.subjects]
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
        tag("label", "before ", _select("a", [(name, name) for name in subjects], 0)),
        tag("label", "after ", _select("b", [(name, name) for name in subjects], 1)),
        tag("button", "compare"),
        action="/compare",
        class_="controls",
    )
    nothing = tag(
        "p",
        "Nothing to compare: only this run is open, and it has one subject.",
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
    elements = (
        tag("option", text, value=value, selected=index == chosen)
        for index, (value, text) in enumerate(options)
    )
    return tag("select", elements, name=name)


def compare_page(runs: Pair, compared: ComparedRuns, subjects: Subjects) -> str:
    """Return the page of a comparison, changed cases first."""
    before, after = runs
    document = comparison_document(compared.comparison)
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
        tag("h1", headline(first.pieces), class_=f"verdict tone-{first.tone}"),
        tag("ul", (sentence(line, kind="li") for line in others)) if others else None,
        large_numbers(totals),
        sections([threshold]),
        _changes(runs, compared),
        *parts,
    )


def _names(runs: Pair, subjects: Subjects) -> tuple[Content, Content]:
    if subjects is None:
        return named(runs[0].name), named(runs[1].name)
    left, right = (subject_label(run, *key) for run, key in zip(runs, subjects, strict=True))
    return left, right


def _changes(runs: Pair, compared: ComparedRuns) -> Markup:
    comparison = compared.comparison
    total = len(comparison.regressions) + len(comparison.improvements)
    if not total:
        return tag(
            "p",
            "No case changed by more than the threshold.",
            class_="quiet",
        )
    head = tag(
        "tr",
        (tag("th", title, scope="col") for title in ("case", "subject", "before", "after", "score (points)")),
    )
    rows = [_row(runs, changed) for changed in compared.changes]
    return tag(
        "section",
        tag("h2", "Cases that changed"),
        tag(
            "p",
            f"{len(compared.changes)} of {total:,}: regressions first, largest first; "
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


def _row(runs: Pair, changed: ChangedCase) -> Markup:
    change = changed.change
    name: Content = named(change.case)
    if changed.before and changed.after:
        sides = query(before=f"{runs[0].id}-{changed.before.key}", after=f"{runs[1].id}-{changed.after.key}")
        name = tag("a", name, href=f"/sides{sides}", data_row=True)
    tone = "tone-bad" if change.delta < 0 else "tone-good"
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", subject_label(runs[1], change.model, change.tier)),
        tag("td", _results(changed.before)),
        tag("td", _results(changed.after)),
        tag("td", points(change.delta), class_=f"number {tone}"),
        data_failed=change.delta < 0,
    )


def _results(row: CaseRow | None) -> Content:
    return (
        UNDEFINED
        if row is None
        else joined(f"{row.c} of {row.n} ", strip(row.strip, most=SQUARES, total=row.samples))
    )


def sides_page(runs: Pair, samples: tuple[SampleView, SampleView]) -> str:
    """Return two samples of one case side by side, and the difference of their code."""
    left = samples[0]
    codes = tuple((sample.code or sample.text or "") for sample in samples)
    return page(
        f"{left.row.case}, side by side",
        Place(above=((runs[0].name, f"/r/{runs[0].id}"), (runs[1].name, f"/r/{runs[1].id}"))),
        heading(named(left.row.case), over="side by side"),
        tag("div", *(_side(runs, samples, index) for index in (0, 1)), class_="sides"),
        tag("h2", "Difference"),
        difference(codes[0], codes[1], names=("before", "after")),
    )


def first_failure(row: CaseRow) -> int:
    """Return the first failed attempt, else the first."""
    failed = (attempt.number for attempt in row.strip if attempt.kind != "pass")
    return next(failed, row.strip[0].number if row.strip else 0)


def _side(runs: Pair, samples: tuple[SampleView, SampleView], index: int) -> Markup:
    run, sample = runs[index], samples[index]

    def link(attempt: int) -> str:
        chosen = [samples[0].attempt, samples[1].attempt]
        chosen[index] = attempt
        return "/sides" + query(
            before=f"{runs[0].id}-{samples[0].row.key}",
            after=f"{runs[1].id}-{samples[1].row.key}",
            a=chosen[0],
            b=chosen[1],
        )

    code = sample.code or sample.text
    return tag(
        "section",
        tag("h2", ("before: ", "after: ")[index], named(run.name)),
        tag(
            "p",
            subject_label(run, sample.row.model, sample.row.tier),
            f", {sample.row.c} of {sample.row.n} passed",
        ),
        linked_strip(sample.row.strip, link, current=sample.attempt),
        tag(
            "p",
            tag("a", f"attempt {sample.attempt}", href=f"/r/{run.id}/c/{sample.row.key}/{sample.attempt}"),
            " ",
            tag(
                "span",
                outcome_text(sample.classification),
                class_=f"chip k-{sample.classification or 'pending'}",
            ),
        ),
        code_block(sample.detail, "", label="output of the check", anchor=f"O{index}-")
        if sample.detail
        else None,
        code_block(code[:SHOWN], sample.language, label="answer", anchor=f"S{index}-")
        if code
        else tag("p", "This run has no text of the answer.", class_="quiet"),
        tag(
            "p",
            f"The first {SHOWN:,} of {len(code):,} characters; the page of the attempt has all.",
            class_="quiet",
        )
        if code and len(code) > SHOWN
        else None,
    )
