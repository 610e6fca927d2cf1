import hashlib
import os
from collections import defaultdict
from pathlib import Path


def find_duplicates(root):
    groups = defaultdict(list)
    for path in Path(root).glob("*"):
        if path.is_file():
            groups[hashlib.md5(path.read_bytes()).hexdigest()].append(path)
    return [sorted(group) for group in groups.values() if len(group) > 1]


def replace_with_links(group):
    saved = 0
    for path in group[1:]:
        saved += path.stat().st_size
        path.unlink()
        os.symlink(group[0], path)
    return saved
