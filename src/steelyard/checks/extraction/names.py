"""Find the file name of a block: after the fence, in its first line, or in the line above.

Paths outside the workspace are ignored.
"""

import re
from pathlib import PurePosixPath

from steelyard.checks.extraction.fences import FencedBlock
from steelyard.checks.extraction.paths import stays_inside

_PATH = re.compile(r"[\w.@-][\w./@+-]*\.[A-Za-z]\w{0,11}|(?:[\w.-]+/)?(?:Makefile|Dockerfile)")
_KEY = re.compile(r"(?:title|file|filename|path|name)=[\"']?", re.IGNORECASE)
_COMMENT_MARKS = ("///", "//!", "//", "#", "--", "/*", "<!--")
_COMMENT_ENDS = ("*/", "-->")
_WORDS_BEFORE = {"file", "filename", "path", "in", "create", "update", "new"}
_MARKUP = " \t#>*_`\"':"
_LONGEST = 200  # characters of a line with a file name


def named(block: FencedBlock) -> tuple[str | None, str]:
    r"""Return the file name of a block, if any, and its text without a comment that contains only the name.

    >>> named(FencedBlock(info="rust src/lib.rs", text="fn f() {}"))
    ('src/lib.rs', 'fn f() {}')
    >>> named(FencedBlock(info="rust", text="// file: src/lib.rs\nfn f() {}"))
    ('src/lib.rs', 'fn f() {}')
    >>> named(FencedBlock(info="rust", above="### `src/lib.rs`", text="fn f() {}"))
    ('src/lib.rs', 'fn f() {}')
    """
    if inside := _in_info(block.info):
        return inside, block.text
    first, _, rest = block.text.partition("\n")
    if (commented := _in_comment(first)) and rest.strip():
        return commented, rest
    return _only_path(block.above), block.text


def _in_info(info: str) -> str | None:
    """Return the path after a fence, such as `rust title="src/lib.rs"`."""
    words = (_KEY.sub("", word).strip("\"'") for word in re.split(r"[\s,:{}]+", info[:_LONGEST]))
    return next((path for word in words if (path := _path(word))), None)


def _in_comment(line: str) -> str | None:
    """Return the path in a comment that contains nothing else."""
    text = line[:_LONGEST].strip()
    mark = next((mark for mark in _COMMENT_MARKS if text.startswith(mark)), None)
    if mark is None:
        return None
    for end in _COMMENT_ENDS:
        text = text.removesuffix(end)
    return _only_path(text.removeprefix(mark))


def _only_path(line: str) -> str | None:
    """Return the path in a line that contains nothing else but markup, `File` and a remark in brackets.

    >>> _only_path("**File: `src/lib.rs`** (new)"), _only_path("see src/lib.rs for more")
    ('src/lib.rs', None)
    """
    if len(line) > _LONGEST:
        return None
    text = line.partition("(")[0].strip(_MARKUP)
    words = [word.strip(_MARKUP) for word in text.replace(":", " ").split()]
    while len(words) > 1 and words[0].lower() in _WORDS_BEFORE:
        words.pop(0)
    return _path(words[0]) if len(words) == 1 else None


def _path(word: str) -> str | None:
    """Return a normalised path inside the workspace, or None."""
    if not _PATH.fullmatch(word):
        return None
    plain = str(PurePosixPath(word))
    return plain if stays_inside(plain) else None
