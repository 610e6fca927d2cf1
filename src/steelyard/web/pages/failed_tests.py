"""The failed tests of a case, each linked to the answers that failed it."""

from steelyard.app.view.run_view import RunView
from steelyard.model.viewing import CaseRow, FailedTest, FailedTests
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.words import counted
from steelyard.web.links import ListRequest
from steelyard.web.pages.run import FAILED_NOTE

TESTS = 20  # names shown


def failed_tests(run: RunView, row: CaseRow, shown: ListRequest) -> Markup | None:
    """Return the failed tests named in the check outputs of a case; None without any."""
    failed, chosen = run.failed_tests(row), shown.chosen.failed
    if not failed.tests and not chosen:
        return None
    items = [_item(test, row, shown) for test in failed.tests[:TESTS]]
    more = len(failed.tests) - len(items)
    return tag(
        "section",
        tag("h2", "Failed tests"),
        _chosen(run, chosen, shown) if chosen else None,
        tag("ul", items, class_="failed-tests") if items else None,
        tag("p", f"and {counted(more, 'more test')}", class_="quiet") if more else None,
        tag("p", FAILED_NOTE, _truncated(failed), class_="quiet"),
        id="failed-tests",
    )


def _item(test: FailedTest, row: CaseRow, shown: ListRequest) -> Markup:
    is_chosen = test.name == shown.chosen.failed
    link = tag(
        "a",
        named(test.name),
        href=shown.query(failed=test.name),
        aria_current="true" if is_chosen else None,
    )
    return tag("li", link, f" failed in {test.samples:,} of {counted(row.n, 'sample')}")


def _chosen(run: RunView, name: str, shown: ListRequest) -> Markup:
    """Return the selected test, with links to other lists."""
    return tag(
        "p",
        "Only answers that failed ",
        tag("b", named(name)),
        " are listed. ",
        tag("a", "All answers", href=shown.query(failed=None) or "?"),
        " · ",
        tag("a", "all cases in which it failed", href=f"/r/{run.id}{shown.query()}"),
    )


def _truncated(failed: FailedTests) -> Markup | None:
    if not failed.cut:
        return None
    return joined(f" {failed.cut:,} of {counted(failed.samples, 'output')} are truncated.")
