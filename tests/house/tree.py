"""Draw the package as the tree that ARCHITECTURE.md shows.

One line per file, in the words of the file's own first sentence, so the page cannot tell another story than
the code. `make tree` writes it into the page; `test_architecture_page.py` compares.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.package import PACKAGE, REPOSITORY, SourceFile

PAGE = REPOSITORY / "ARCHITECTURE.md"
INDENT = "  "
COLUMN = 26
COMMENT = {".sql": "--", ".toml": "#", ".rs": "//!", ".js": "//", ".css": "/*"}  # how a first sentence begins
NOT_SHOWN = {"__pycache__", "py.typed", "start", "texts"}  # the last two hold what users get to see
FENCED_TREE = re.compile(r"(?<=```text\n)src/steelyard/\n.*?(?=```\n)", re.DOTALL)


def drawn_tree() -> str:
    """Return the tree of the package as it is now."""
    return "\n".join(["src/steelyard/", *_lines(PACKAGE, INDENT)]) + "\n"


def written_tree() -> str:
    """Return the tree that the page shows."""
    found = FENCED_TREE.search(PAGE.read_text(encoding="utf-8"))
    if found is None:
        raise LookupError("ARCHITECTURE.md holds no ```text block that begins with src/steelyard/")
    return found[0]


def write_tree() -> None:
    """Put the tree of the package into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(FENCED_TREE.sub(lambda _: drawn_tree(), page, count=1), encoding="utf-8")


def _lines(folder: Path, indent: str) -> Iterator[str]:
    for path in sorted(folder.iterdir(), key=lambda path: (path.is_dir(), path.name)):
        if path.name in NOT_SHOWN or (path.name == "__init__.py" and folder != PACKAGE):
            continue
        name = f"{path.name}/" if path.is_dir() else path.name
        yield f"{indent + name:<{COLUMN}} {_first_sentence(path)}".rstrip()
        if path.is_dir():
            yield from _lines(path, indent + INDENT)


def _first_sentence(path: Path) -> str:
    """Return what a file says about itself; a package speaks through its __init__.py."""
    if path.is_dir():
        spokesman = path / "__init__.py"
        return _first_sentence(spokesman) if spokesman.exists() else ""
    if path.suffix == ".py":
        return SourceFile(path).docstring.partition("\n")[0].rstrip(".")
    if path.suffix in COMMENT:
        first = path.read_text(encoding="utf-8").partition("\n")[0].removesuffix("*/")
        mark = COMMENT[path.suffix]
        return first.removeprefix(mark).strip().rstrip(".") if first.startswith(mark) else ""
    return ""


if __name__ == "__main__":
    write_tree()
