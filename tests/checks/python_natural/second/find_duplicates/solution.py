import hashlib
import os
from collections import defaultdict
from pathlib import Path


def _digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


def find_duplicates(root):
    by_size = defaultdict(list)
    for path in Path(root).rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size > 0:
            by_size[path.stat().st_size].append(path)
    groups = []
    for same_size in by_size.values():
        if len(same_size) < 2:
            continue
        by_digest = defaultdict(list)
        for path in same_size:
            by_digest[_digest(path)].append(path)
        groups.extend(sorted(paths) for paths in by_digest.values() if len(paths) > 1)
    return sorted(groups)


def replace_with_links(group):
    first, *others = group
    saved = 0
    for path in others:
        saved += path.stat().st_size
        path.unlink()
        os.link(first, path)
    return saved
