import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

WORD = re.compile(r"\w+")


def count_file(path):
    return Counter(WORD.findall(Path(path).read_text(encoding="utf-8").lower()))


def count_words(paths, workers=2):
    paths = list(paths)
    total = Counter()
    if not paths:
        return total
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for counts in pool.map(count_file, paths):
            total.update(counts)
    return total


def top(counter, n):
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:n]
