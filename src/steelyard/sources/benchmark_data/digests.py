"""Know a file of a benchmark again: by its bytes, or an archive by the files in it.

A service that packs an archive on demand may pack it otherwise tomorrow; the files in it stay the same.
"""

import tarfile
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

BLOCK = 1 << 20


def digest_of(path: Path, members: str = "") -> str:
    """Return the SHA-256 of a file; with a pattern, that of the members of an archive which match it."""
    if members:
        try:
            return _digest_of_members(path, members)
        except (tarfile.TarError, EOFError, OSError):
            pass  # no archive, or a damaged one: what reads it will say so
    with path.open("rb") as file:
        whole = sha256()
        while block := file.read(BLOCK):
            whole.update(block)
    return whole.hexdigest()


def _digest_of_members(path: Path, pattern: str) -> str:
    result = {}
    with tarfile.open(path) as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            file = archive.extractfile(member) if member.isfile() and fnmatchcase(name, pattern) else None
            if file is not None:
                result[name] = sha256(file.read()).hexdigest()
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(result.items()))
    return sha256(lines.encode()).hexdigest()
