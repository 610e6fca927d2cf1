"""Write into the pages what their commands print now: `python -m tests.docs.refresh [PAGE…]`.

Read the difference before committing it; this script cannot tell a better output from a broken one.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.execution import Shown, run_page
from tests.docs.option_tables import with_option_tables
from tests.docs.pages import Page, all_pages


def refreshed(page: Page, shown: Sequence[Shown]) -> str:
    """Return the text of a page with the outputs it ought to show."""
    lines = list(page.lines)
    indents = {
        place: block.indent
        for block in page.blocks
        for place in range(block.first, block.first + len(block.lines) + 1)
    }
    for found in sorted(shown, key=lambda found: found.first, reverse=True):
        indent = indents[found.first]
        lines[found.first : found.first + len(found.expected)] = [
            f"{indent}{line}".rstrip() for line in found.got
        ]
    return "\n".join(lines) + "\n"


def _refuse_crashes(page: Page, shown: Sequence[Shown]) -> None:
    for found in shown:
        if "Traceback (most recent call last):" in found.got and found.expected[:1] != found.got[:1]:
            raise SystemExit("\n".join([f"{page.name}: $ {found.command}", *found.got]))


def main(names: Sequence[str]) -> None:
    """Refresh the named pages, or all of them."""
    for page in all_pages():
        if names and page.name not in names:
            continue
        with TemporaryDirectory() as folder:
            shown = run_page(page, Path(folder))
        _refuse_crashes(page, shown)
        text = with_option_tables(refreshed(page, shown))
        if text != page.text:
            page.path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"refreshed {page.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
