"""Write the pages and files of a CI job; replace those of an earlier one."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.app.eval_texts import sample_excerpts
from steelyard.app.files import write_file, write_result
from steelyard.app.views import html_renderer
from steelyard.errors import InputError
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.sample import SampleExcerpt
from steelyard.render.charts.names import NO_LINKS, PageLinks
from steelyard.store.run.run_store import is_run

REPORT, COMPARISON, GATE = "report.html", "comparison.html", "gate.html"
FILES = (REPORT, COMPARISON, GATE, "report.json", "gate.json", "gate.xml", "comment.md")


def remove_earlier_files(folder: Path, *, spared: str | Path) -> None:
    """Remove the files of an earlier job, except `spared`, which is read later."""
    for path in (folder / name for name in FILES):
        if path.resolve() == Path(spared).resolve():
            continue
        try:
            path.unlink(missing_ok=True)  # removes a link itself, not its target
        except OSError as error:
            raise InputError(f"{path}: cannot be removed ({error.strerror}); choose another folder") from None


def write_report_page(report: Report, address: str, folder: Path, *, is_compared: bool) -> None:
    """Write the page of a report, with samples if its source is a run."""
    links = PageLinks(comparison=COMPARISON, gate=GATE) if is_compared else NO_LINKS
    samples = sample_excerpts(address) if is_run(address) else ()
    write_file(folder / REPORT, html_renderer(links).render(report, samples=samples))


def write_compared_files(
    comparison: Comparison, gate: GateReport, folder: Path, samples: Sequence[SampleExcerpt]
) -> None:
    """Write a comparison and a verdict, with links between their pages."""
    compared = html_renderer(PageLinks(report=REPORT, gate=GATE))
    gated = html_renderer(PageLinks(report=REPORT, comparison=COMPARISON))
    write_file(folder / COMPARISON, compared.render(comparison, samples=samples))
    write_file(folder / GATE, gated.render(gate))
    for name in ("gate.json", "gate.xml"):
        write_result(gate, folder / name)
