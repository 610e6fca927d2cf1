"""Pairs of files with a known truth: no verdict is unearned, and every output has the same sentence."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

import steelyard
from steelyard.errors import InputError
from steelyard.render.junit import JunitRenderer
from steelyard.render.markdown.renderer import MarkdownRenderer
from steelyard.render.text import TextRenderer

Rates = NDArray[np.float64]
Row = tuple[object, ...]
Rows = Sequence[Row]
Pair = tuple[Rows, Rows]
PLAIN = ("model", "case", "attempt", "passed")
PASS, FAIL, OPEN, REFUSED = "pass", "fail", "inconclusive", "refused"
QUICK = {
    "one of 164 broke",
    "half of the cases missing",
    "all failures became errors",
    "copies in clusters of 5",
}
FALSE_ALARMS = {
    "no change, 80 %": "a false alarm (p = 0.014): 38 of 1,000 such pairs fail, alpha allows 50",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A pair of files, and the verdicts that the truth allows."""

    make: Callable[[np.random.Generator], Pair]
    accepted: set[str]
    columns: Sequence[str] = PLAIN


def sampled(rng: np.random.Generator, p: Iterable[float], n: int = 5, *, model: str = "m") -> Rows:
    return [
        (model, f"c{case:05}", sample, bool(rng.random() < q))
        for case, q in enumerate(p)
        for sample in range(n)
    ]


def exact(passes: Sequence[int], n: int = 5) -> Rows:
    return [("m", f"c{case:05}", sample, sample < c) for case, c in enumerate(passes) for sample in range(n)]


def two(
    before: Callable[..., Iterable[float]], after: Callable[..., Iterable[float]], n: int = 5, m: int = 0
) -> Callable[[np.random.Generator], Pair]:
    """Sample two runs by rates; `after` sees those of the first."""

    def make(rng: np.random.Generator) -> Pair:
        p = np.asarray(before(rng))
        return sampled(rng, p, n), sampled(rng, after(p), m or n)

    return make


def same(p: Rates) -> Rates:
    return p


def constant(rate: float, cases: int) -> Callable[[np.random.Generator], Rates]:
    return lambda rng: np.full(cases, rate)


def u_shaped(rng: np.random.Generator) -> Rates:
    return rng.beta(0.5, 0.25, 164)


def fixed(before: Rows, after: Rows) -> Callable[[np.random.Generator], Pair]:
    return lambda rng: (before, after)


def broken(p: Rates, cases: int = 1) -> Rates:
    q = p.copy()
    q[7 : 7 + cases] = 0
    return q


def errors(rows: Rows, is_error: Callable[[int, Row], bool]) -> Rows:
    return [(*row[:3], "") if is_error(place, row) else row for place, row in enumerate(rows)]


def agreeing(rng: np.random.Generator, share: float, *, digests: bool, change: float = 0.0) -> Pair:
    """In a share of the cases all samples of a run are one answer."""
    p = rng.beta(8, 1.2, 164)

    def run(p: Rates) -> Rows:
        rows: list[Row] = []
        for case, q in enumerate(p):
            draws = rng.random(5) < q
            draws = np.full(5, draws[0]) if rng.random() < share else draws
            is_one = len(set(draws.tolist())) == 1
            for sample, passed in enumerate(draws.tolist()):
                digest = (f"{case}-{passed}" if is_one else f"{case}-{sample}",) if digests else ()
                rows.append(("m", f"c{case:05}", sample, passed, *digest))
        return rows

    return run(p), run(np.clip(p - change, 0, 1))


def clustered(rng: np.random.Generator, size: int, *, change: float = 0.0, broke: int = 0) -> Pair:
    """Copies of a task pass and fail together."""
    tasks = 160 // size
    p = rng.beta(4, 1.2, tasks)

    def run(p: Rates) -> list[Row]:
        thrown = rng.random((tasks, 5))
        return [
            ("m", f"t{task:03}-{copy}", sample, bool(thrown[task, sample] < p[task]), f"t{task}")
            for task in range(tasks)
            for copy in range(size)
            for sample in range(5)
        ]

    before, after = run(p), run(np.clip(p - change, 0, 1))
    sure = [f"t{task:03}-0" for task in range(broke)]
    before = [(*row[:3], row[1] in sure or row[3], row[4]) for row in before]
    return before, [(*row[:3], row[1] not in sure and row[3], row[4]) for row in after]


def without(rows: Rows, is_gone: Callable[[Row], bool]) -> Rows:
    return [row for row in rows if not is_gone(row)]


def number(row: Row) -> int:
    return int(str(row[1])[1:])


def missing(rng: np.random.Generator, rate: float, is_gone: Callable[[Row], bool]) -> Pair:
    return (before := sampled(rng, np.full(60, rate))), without(before, is_gone)


def scores(rng: np.random.Generator, after: float) -> Pair:
    def run(mean: float) -> Rows:
        drawn = np.clip(rng.normal(mean, 0.1, (80, 5)), 0, 1).round(3)
        return [
            ("m", f"c{case}", sample, score)
            for case, row in enumerate(drawn.tolist())
            for sample, score in enumerate(row)
        ]

    return run(0.7), run(after)


def of_all(*values: object, cases: int = 60) -> Rows:
    return [("m", f"c{case}", sample, *values) for case in range(cases) for sample in range(5)]


ONES, DIGEST = constant(1.0, 164), (*PLAIN, "digest")
FIFTY = exact([5] * 50)
BUILT = ("model", "case", "attempt", "built", "tests_passed", "tests_failed", "lint_warnings")
ANSWERS, CLUSTERS = (*PLAIN, "answer_digest"), (*PLAIN, "cluster")
SINGLES: Rows = [("m", f"s{case}", 0, True) for case in range(99)]
BIG = [("m", "big", sample, sample < 90) for sample in range(100)]

PLANTED = {
    "no change": Planted(make=two(u_shaped, same), accepted={PASS, OPEN}),
    "10 points down everywhere": Planted(
        make=two(u_shaped, lambda p: p * (1 - 0.1 / p.mean())), accepted={FAIL}
    ),
    "10 points up": Planted(
        make=two(lambda rng: u_shaped(rng) * 0.8, lambda p: np.minimum(1, p + 0.1)), accepted={PASS}
    ),
    "one of 164 broke": Planted(make=two(ONES, broken), accepted={FAIL}),
    "one of 164 single samples broke": Planted(make=two(ONES, broken, n=1), accepted={PASS, OPEN}),
    "one of three broke": Planted(make=two(constant(1, 3), lambda p: [0, 1, 1]), accepted={FAIL}),
    "the only case broke": Planted(make=fixed(exact([5]), exact([0])), accepted={FAIL}),
    "one sample against one": Planted(make=fixed(exact([1], 1), exact([0], 1)), accepted={OPEN}),
    "three samples of one case": Planted(make=fixed(exact([3], 3), exact([3], 3)), accepted={OPEN}),
    "twenty samples of two cases": Planted(
        make=fixed(exact([10] * 2, 10), exact([10] * 2, 10)), accepted={OPEN, PASS}
    ),
    "as far down as the margin": Planted(
        make=two(constant(0.6, 400), lambda p: p - 0.05, n=10), accepted={FAIL, OPEN}
    ),
    "equal to the last sample": Planted(
        make=fixed(exact([5] * 150 + [0] * 50), exact([5] * 150 + [0] * 50)), accepted={PASS}
    ),
    "half of the cases missing": Planted(
        make=lambda rng: missing(rng, 0.7, lambda row: number(row) >= 30), accepted={OPEN, FAIL}
    ),
    "two samples instead of five": Planted(make=two(constant(0.9, 60), same, m=2), accepted={OPEN, PASS}),
    "half of the samples are errors": Planted(
        make=fixed(exact([5] * 60), errors(exact([5] * 60), lambda place, _: bool(place // 5 % 2))),
        accepted={OPEN},
    ),
    "all failures became errors": Planted(
        make=lambda rng: (
            sampled(rng, np.full(60, 0.7)),
            errors(sampled(rng, np.full(60, 0.7)), lambda _, row: not row[3]),
        ),
        accepted={OPEN, FAIL},
    ),
    "a few errors": Planted(
        make=fixed(exact([5] * 60), errors(exact([5] * 60), lambda place, _: place % 40 == 0)),
        accepted={PASS},
    ),
    "ten samples before and three after": Planted(
        make=two(constant(0.9, 100), same, n=10, m=3), accepted={PASS, OPEN}
    ),
    "three before and ten after, 20 points down": Planted(
        make=two(constant(0.9, 100), lambda p: p - 0.2, n=3, m=10), accepted={FAIL}
    ),
    "a fifth of the cases changed": Planted(
        make=fixed(
            [(*row, "d1") for row in FIFTY], [(*row, "d2" if number(row) < 10 else "d1") for row in FIFTY]
        ),
        accepted={OPEN},
        columns=DIGEST,
    ),
    "every row twice": Planted(make=fixed([*FIFTY, *FIFTY], [*FIFTY, *FIFTY]), accepted={PASS}),
    "contradicting rows": Planted(make=fixed(FIFTY, [*FIFTY, ("m", "c00000", 0, False)]), accepted={REFUSED}),
    "scores 10 points down": Planted(
        make=lambda rng: scores(rng, 0.6),
        accepted={FAIL, REFUSED},
        columns=("model", "case", "attempt", "score"),
    ),
    "half of the tests fail, none ever passed all": Planted(
        make=fixed(of_all(1, 8, 2, 0), of_all(1, 4, 6, 0)), accepted={FAIL}, columns=BUILT
    ),
    "one case in six is refused now": Planted(
        make=fixed(
            of_all("pass"),
            [(*row[:3], "refusal" if number(row) % 6 == 0 else "pass") for row in of_all("pass")],
        ),
        accepted={FAIL},
        columns=("model", "case", "attempt", "classification"),
    ),
    "very flaky, no change": Planted(make=two(lambda rng: rng.beta(2, 2, 100), same), accepted={PASS, OPEN}),
    "half 20 points down, half up": Planted(
        make=two(constant(0.5, 100), lambda p: np.repeat([0.3, 0.7], 50), n=10),
        accepted={FAIL, OPEN, PASS},  # the mean, which a pass is about, is the same
    ),
    "many cases, no change": Planted(
        make=two(lambda rng: rng.beta(8, 0.4, 10_000), same, n=3), accepted={PASS}
    ),
    "many cases, half a point down": Planted(
        make=two(lambda rng: rng.beta(8, 0.4, 10_000), lambda p: p - 0.005 * (p > 0.005), n=3),
        accepted={PASS, FAIL},
    ),
    "another model": Planted(
        make=fixed(exact([5] * 40), [("new", *row[1:]) for row in exact([5] * 40)]),
        accepted={PASS, OPEN, REFUSED},
    ),
    "one large case dropped among 99 single samples": Planted(
        make=fixed(
            [*BIG, *SINGLES], [*(("m", "big", sample, sample < 60) for sample in range(100)), *SINGLES]
        ),
        accepted={FAIL, OPEN},
    ),
    "new cases": Planted(make=fixed(FIFTY, exact([5] * 50 + [0] * 10)), accepted={PASS}),
    "no change, 80 %": Planted(make=two(constant(0.8, 60), same), accepted={PASS, OPEN}),
    "an empty file": Planted(make=fixed(FIFTY, []), accepted={REFUSED, OPEN}),
    # Twenty more: agreeing samples, clusters, missing cases.
    **{
        f"{what} agree, {'answers' if digests else 'counts'}": Planted(
            make=partial(agreeing, share=share, digests=digests),
            accepted={PASS, OPEN},
            columns=ANSWERS if digests else PLAIN,
        )
        for what, share in (("all samples", 1.0), ("half", 0.5), ("a fifth", 0.2))
        for digests in (True, False)
    },
    "all agree and 30 points down, answers": Planted(
        make=partial(agreeing, share=1.0, digests=True, change=0.3), accepted={FAIL}, columns=ANSWERS
    ),
    "all agree and 30 points down, counts": Planted(
        make=partial(agreeing, share=1.0, digests=False, change=0.3), accepted={FAIL, OPEN}
    ),
    **{
        f"copies in clusters of {size}": Planted(
            make=partial(clustered, size=size), accepted={PASS, OPEN}, columns=CLUSTERS
        )
        for size in (2, 5, 10)
    },
    "clusters of 2, 30 points down": Planted(
        make=partial(clustered, size=2, change=0.3), accepted={FAIL}, columns=CLUSTERS
    ),
    "clusters of 5, 40 points down": Planted(
        make=partial(clustered, size=5, change=0.4), accepted={FAIL}, columns=CLUSTERS
    ),
    "clusters of 2, three cases broke": Planted(
        make=partial(clustered, size=2, broke=3), accepted={FAIL, OPEN}, columns=CLUSTERS
    ),
    "one cluster only": Planted(
        make=fixed([(*row, "one") for row in exact([5] * 8)], [(*row, "one") for row in exact([4] * 8)]),
        accepted={OPEN},
        columns=CLUSTERS,
    ),
    "the failing cases missing": Planted(
        make=lambda rng: (exact([5] * 50 + [0] * 10), exact([5] * 50)), accepted={OPEN}
    ),
    "one case missing": Planted(make=fixed(FIFTY, exact([5] * 49)), accepted={OPEN}),
    "cases missing and one broke": Planted(
        make=fixed(exact([5] * 60), exact([0] + [5] * 49)), accepted={FAIL}
    ),
    "all cases replaced": Planted(
        make=fixed(FIFTY, [("m", f"n{number(row)}", *row[2:]) for row in FIFTY]), accepted={OPEN}
    ),
    "missing in the baseline only": Planted(make=fixed(exact([5] * 49), FIFTY), accepted={PASS, OPEN}),
}


def written(path: Path, columns: Sequence[str], rows: Rows) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    return path


def names() -> list[object]:
    return [pytest.param(name, marks=_marks(name)) for name in PLANTED]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    size = [] if name in QUICK else [pytest.mark.check_all]
    known = FALSE_ALARMS.get(name)
    return size if known is None else [*size, pytest.mark.xfail(strict=True, reason=known)]


def test_there_are_34_planted_pairs_and_20_new_ones() -> None:
    assert len(PLANTED) == 54


@pytest.mark.parametrize("name", names())
def test_a_planted_pair_gets_an_earned_verdict_and_one_sentence(name: str, tmp_path: Path) -> None:
    planted = PLANTED[name]
    before, after = planted.make(np.random.default_rng(crc32(name.encode())))
    old, new = (
        written(tmp_path / f"{side}.csv", planted.columns, rows)
        for side, rows in (("before", before), ("after", after))
    )
    try:
        verdict, compared = steelyard.gate(old, new), steelyard.compare(old, new)
    except InputError:
        assert REFUSED in planted.accepted
        return

    assert verdict.verdict.value in planted.accepted
    if len(verdict.subjects) == 1 and compared.subjects:
        first = TextRenderer().render(verdict).splitlines()[0]
        sentence = first.partition(": ")[2].partition("; ")[0].rstrip(".")
        assert sentence
        for text in (
            TextRenderer(details=False).render(compared),
            TextRenderer(details=False).render(verdict),
            MarkdownRenderer().render(compared).replace("`", ""),
            MarkdownRenderer().render(verdict).replace("`", ""),
            # A test that passes has no message.
            *([JunitRenderer().render(verdict)] if verdict.verdict.value != PASS else []),
        ):
            assert sentence in text.replace("\\", "")
