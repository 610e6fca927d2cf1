"""On a package index README.md has no repository around it, so its links are absolute."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts.package_readme import with_absolute_links
from scripts.release_notes import package_version
from tests.repo.package import REPOSITORY

ATTRIBUTE = re.compile(r'\b(?:href|src|srcset)="([^"]+)"')
REPO = "https://github.com/OWNER/steelyard"


def with_children(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from with_children(token.children or [])


def addresses(markdown: str) -> list[str]:
    """Return the targets of all links and pictures, as a CommonMark reader finds them."""
    found = []
    for token in with_children(MarkdownIt().parse(markdown)):
        found += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
        if token.type.startswith("html"):
            found += [
                part.split()[0] for value in ATTRIBUTE.findall(token.content) for part in value.split(",")
            ]
    return found


@pytest.fixture(scope="module")
def metadata() -> ProjectMetadata[PluginManager]:
    return ProjectMetadata(str(REPOSITORY), PluginManager())


def test_the_description_of_the_package_has_no_relative_link(
    metadata: ProjectMetadata[PluginManager],
) -> None:
    description, source = metadata.core.readme, metadata.core.urls["Source"]

    relative = [
        url for url in addresses((REPOSITORY / "README.md").read_text(encoding="utf-8")) if ":" not in url
    ]
    assert len([url for url in addresses(description) if url.startswith(f"{source}/")]) >= len(relative) > 0
    assert [url for url in addresses(description) if not re.match(r"https?:|mailto:|#", url)] == []
    assert metadata.core.readme_content_type == "text/markdown"


def test_links_of_the_description_name_the_tag_and_a_file(metadata: ProjectMetadata[PluginManager]) -> None:
    start = re.compile(
        rf"{metadata.core.urls['Source']}/(?:blob|raw)/v{re.escape(package_version())}/([^#]+)"
    )

    paths = [match[1] for url in addresses(metadata.core.readme) if (match := start.match(url))]

    assert paths
    assert [path for path in paths if not (REPOSITORY / path).exists()] == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a](docs/a.md#b)", f"[a]({REPO}/blob/v1/docs/a.md#b)"),
        ("[a\nb](./LICENSE)", f"[a\nb]({REPO}/blob/v1/LICENSE)"),
        ("![a](docs/a.svg)", f"![a]({REPO}/raw/v1/docs/a.svg)"),
        ("[a]: docs/a.md", f"[a]: {REPO}/blob/v1/docs/a.md"),
        ('<img src="docs/a.png" width="8">', f'<img src="{REPO}/raw/v1/docs/a.png" width="8">'),
        ("[a](https://b.example/c) [d](#e) [f](mailto:g@h.example)", None),
        ("```python\ntable[name](value)\n```", None),
    ],
)
def test_only_relative_links_outside_of_code_are_changed(written: str, expected: str | None) -> None:
    assert with_absolute_links(written, repository=REPO, tag="v1") == (expected or written)


def test_the_hook_is_a_part_of_the_source_archive(metadata: ProjectMetadata[PluginManager]) -> None:
    hook = Path(metadata.hatch.metadata.hook_config["custom"]["path"])

    assert f"/{hook.parts[0]}" in metadata.hatch.build_targets["sdist"]["include"]
