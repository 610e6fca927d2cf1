"""Pages of marks: labels and notes on samples, stored beside the run."""

from steelyard.app.view.rating import QUEUE
from steelyard.app.view.run_view import LABELS, RunView
from steelyard.model.viewing import Mark, SampleView
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.words import counted
from steelyard.web.pages.blind import agreement
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.run import place_of

MARKS_SHOWN = 500


def mark_form(run: RunView, sample: SampleView) -> Markup:
    """Return the marks of a sample, and the form that adds one."""
    options = (tag("option", label, value=label) for label in LABELS)
    form = tag(
        "form",
        tag("label", "Mark ", tag("select", options, name="label")),
        tag("label", "Note ", tag("input", name="note", id="mark-note", maxlength=2_000, autocomplete="off")),
        tag("button", "mark"),
        method="post",
        action=f"/r/{run.id}/c/{sample.row.key}/{sample.attempt}/marks",
        class_="controls",
    )
    shown = [_mark(mark) for mark in run.marks(sample.row.key, sample.attempt)]
    title = f"Marks ({len(shown)})" if shown else "Mark this sample"
    return tag("details", tag("summary", title), shown, form, open=bool(shown), class_="marks-box")


def marks_page(run: RunView) -> str:
    """Return all marks of a run, newest first."""
    marks = run.marks()
    shown = marks[:MARKS_SHOWN]
    items = [
        tag(
            "li",
            tag(
                "a",
                named(mark.case),
                f", attempt {mark.attempt}",
                href=f"/r/{run.id}/c/{mark.key}/{mark.attempt}",
                data_row=True,
            ),
            " ",
            tag("span", named(mark.model), class_="quiet"),
            _mark(mark),
        )
        for mark in shown
    ]
    part = f"The newest {len(shown)} marks; the download has all." if len(shown) < len(marks) else None
    return page(
        "Marks",
        place_of(run, "Marks"),
        heading("Marks", over=counted(len(marks), "mark")),
        tag("p", tag("a", "download as JSON lines", href=f"/r/{run.id}/marks.jsonl", download=True))
        if marks
        else tag("p", "No samples are marked. Open one and press m.", class_="quiet"),
        tag(
            "p",
            tag("a", f"rate {QUEUE} random samples, blind to the model", href=f"/r/{run.id}/blind"),
        ),
        agreement(run),
        tag("p", part, class_="quiet") if part else None,
        tag("ol", items, class_="answers-list"),
    )


def _mark(mark: Mark) -> Markup:
    return tag(
        "div",
        joined(
            tag("b", mark.label),
            " (blind) " if mark.is_blind else " ",
            mark.note,
            tag("div", f"{mark.author}, {mark.at}", class_="quiet"),
        ),
        class_="mark",
    )
