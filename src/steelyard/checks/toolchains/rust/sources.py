"""Decide which files of an answer are built, and their paths.

Rust sources and data files that they may include; never configuration of tools.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from steelyard.checks.extraction.extract import Extracted
from steelyard.checks.extraction.paths import fitting
from steelyard.checks.grading.protected import editable_files
from steelyard.checks.toolchains.rust.build import ROOT

_DATA = (".txt", ".csv", ".json", ".md", ".tsv")
_LINT_ATTRIBUTES = re.compile(r"\b(?:deny|forbid|clippy)\b")
_ENDS = ("}", ";")


def sources_of(extracted: Extracted, case_files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files to build, with the crate root at `src/lib.rs`.

    An answer may edit sources of the case in place, but not its tests and data.

    >>> answer = Extracted(code="mod a;", files={"main.rs": "mod a;", "a.rs": "", "build.rs": ""})
    >>> sorted(sources_of(answer, {}))
    ['src/a.rs', 'src/lib.rs']
    """
    given = {name: text for name, text in case_files.items() if not name.startswith("vendor/")}
    editable = editable_files(case_files, (".rs",))
    main = next((name for name, text in extracted.files.items() if text == extracted.code), ROOT)
    is_edit = main != ROOT and main in editable and ROOT in case_files
    folder = PurePosixPath("src") if is_edit else PurePosixPath(main).parent
    written = {
        name if name in editable else _path_in_crate(name, folder): text
        for name, text in extracted.files.items()
        if (is_edit or name != main) and (name in editable or (name not in case_files and _is_source(name)))
    }
    root = written.get(ROOT, case_files[ROOT]) if is_edit else extracted.code
    fit = fitting({**given, **written}, [ROOT])
    return {**{name: text.encode() for name, text in fit.items()}, ROOT: root.encode()}


def _is_source(name: str) -> bool:
    return name.endswith(_DATA) or (name.endswith(".rs") and PurePosixPath(name).name != "build.rs")


def _path_in_crate(name: str, folder: PurePosixPath) -> str:
    """Return the path of a file relative to the main one."""
    path = PurePosixPath(name)
    return str(PurePosixPath("src") / path.relative_to(folder)) if path.is_relative_to(folder) else name


def builds_combined(sources: Mapping[str, bytes]) -> bool:
    """Whether one build with lints and tests gives the same diagnostics as separate builds.

    Not if the answer configures lints, or leaves an item open at its end.
    """
    texts = [text.decode("utf-8", "replace") for name, text in sources.items() if name.endswith(".rs")]
    end = sources[ROOT].decode("utf-8", "replace").rstrip()
    closed = end.endswith(_ENDS) and "//" not in end.rpartition("\n")[2]
    return closed and not any(_LINT_ATTRIBUTES.search(text) for text in texts)
