"""Write llms.txt, the list of pages for assistants, when mkdocs builds the site (a hook of mkdocs.yml)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

SENTENCE = re.compile(r"(?P<sentence>.+?[.?])(?= |$)")
LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
SKIPPED = ("#", "!", "<", "|", "```", "1.", "- ")


def on_post_build(config: Mapping[str, str]) -> None:
    """Write the list into the built site."""
    text = llms_text(Path(config["docs_dir"]))
    (Path(config["site_dir"]) / "llms.txt").write_text(text, encoding="utf-8")


def llms_text(docs: Path) -> str:
    """Return a heading for each folder and a line for each page: title, address, first sentence."""
    lines: list[str] = [
        "# Steelyard",
        "",
        f"> {_first_sentence((docs / 'index.md').read_text(encoding='utf-8'))}",
    ]
    for folder in ("", "tutorial", "how-to", "explanation", "reference", "internals"):
        lines += ["", f"## {folder.capitalize() or 'Start'}", "", *_lines(docs, docs / folder)]
    return "\n".join(lines) + "\n"


def _lines(docs: Path, folder: Path) -> Iterator[str]:
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        title = text.partition("\n")[0].removeprefix("# ").replace("`", "")
        address = page.relative_to(docs).with_suffix(".html").as_posix()
        yield f"- [{title}]({address}): {_first_sentence(text)}"


def _first_sentence(text: str) -> str:
    """Return the first sentence of the prose of a page, without marks of links.

    >>> _first_sentence("A [page](page.md) that explains it. More.")
    'A page that explains it.'
    """
    for paragraph in text.split("\n\n"):
        if not paragraph.startswith(SKIPPED):
            flat = LINK.sub(lambda link: link["text"], " ".join(paragraph.split())).replace("**", "")
            found = SENTENCE.match(flat)
            return found["sentence"] if found else flat.rstrip(":")
    return ""
