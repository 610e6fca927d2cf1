import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def count_file(path):
    return Counter(re.findall(r"[a-z]+", Path(path).read_text(encoding="utf-8").lower()))


def count_words(paths, workers=2):
    total = Counter()
    with ProcessPoolExecutor(max_workers=workers) as pool:
        for counts in pool.map(count_file, paths):
            total |= counts
    return total


def top(counter, n):
    return counter.most_common(n)
