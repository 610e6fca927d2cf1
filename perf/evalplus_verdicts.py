"""Ask EvalPlus itself for its verdicts, beside ours: on references, broken references and garbage.

EvalPlus is its own command, from PyPI, in an environment of its own: `python -m venv peers && peers/bin/pip
install evalplus`; P is its Python. `--answers` adds answers of a record, as EvalPlus writes them. A verdict
that differs is asked for once more, with more time: a busy machine may have stopped either side. The exit
code is 1 if a difference is left that has no reason here. With `--references`, both commands are timed on
the references alone, from start to end; what is expected is known to both. STEELYARD_BENCHMARKS names their
folder.
Run: STEELYARD_BENCHMARKS=… python -m perf.evalplus_verdicts --peers P [--name mbpp+] [--start 0]
    [--tasks 20] [--mutants 5] [--answers FILE] [--references]
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import steelyard
from perf.evalplus_peer import Answer, EvalPlus, read_answers, run_ours
from perf.references import benchmarks_folder, reference_code
from steelyard.auditing.mutations import mutant, places
from steelyard.checks.grading.sharing import SharingChecker
from steelyard.model.case import Case
from steelyard.model.outcome import Classification
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers

SEED = 18
LIMIT_S = 20.0  # ours; EvalPlus gives each input a second or four times what the reference takes
MORE_TIME = 10
FORGED = "an object that equals everything"
GARBAGE = {
    "prose": "I cannot write this function.",
    "no Python": "def broken(:\n",
    "nothing": "",
    "another function": "def another(*given):\n    return given\n",
    "an end of the process": "import os\nos._exit(0)\n",
    "an exit": "raise SystemExit(0)\n",
    "a claim": "def {name}(*given):\n    print('PASS')\n",
    "no end of calls": "def {name}(*given):\n    return {name}(*given)\n",
    "the argument": "def {name}(*given):\n    return given[0]\n",
    FORGED: "class Same:\n    __eq__ = lambda *_: True\ndef {name}(*given):\n    return Same()\n",
}
REASONS = {
    FORGED: "EvalPlus lets the answer's own `==` decide; here, results are plain data or wrong",
    "reference": "EvalPlus fails its own reference: a task has a minute at most, and this machine is busy",
    # The mutant returns the pair twice, as a pair of pairs.
    "Mbpp/252": "EvalPlus compares floats by numpy.allclose, which stretches a pair to a pair of pairs",
}


def made_answers(cases: Sequence[Case], mutants: int) -> list[Answer]:
    """Return for each case its reference, some mutants of it, and one answer that is none."""
    generator = random.Random(SEED)  # the same each time
    found = []
    for number, case in enumerate(cases):
        source = reference_code(case)
        found.append(Answer(case.id, "reference", source))
        choices = places(source)
        for place in generator.sample(choices, min(mutants, len(choices))):
            made = mutant(source, *place)
            found.append(Answer(case.id, made.change, made.source))
        kind, text = list(GARBAGE.items())[number % len(GARBAGE)]
        found.append(Answer(case.id, kind, text.replace("{name}", case.expectations.function)))
    return found


def recorded_answers(path: Path | None, cases: Sequence[Case]) -> list[Answer]:
    """Return the answers of a record to these cases; those that are the reference are called so."""
    known = {case.id: reference_code(case).split() for case in cases}
    found = read_answers(path, cases)
    return [one._replace(kind="reference") if one.text.split() == known[one.task] else one for one in found]


def our_verdicts(
    cases: Sequence[Case], answers: Sequence[Answer], *, limit_s: float, workers: int
) -> list[str]:
    """Return how our checker classifies each answer."""
    checkers = Checkers(sandboxes.make_sandbox(sandboxes.DEFAULT), around=SharingChecker)
    known = {case.id: replace(case, timeout_s=limit_s) for case in cases}

    def verdict(answer: Answer) -> str:
        case = known[answer.task]
        outcome = checkers.of(case).check(case, answer.text)
        return f"{outcome.facts.classification} {' '.join(outcome.detail.split())[:300]}"

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(verdict, answers))


def is_pass(verdict: str) -> bool:
    """Whether a verdict says that an answer is right.

    >>> is_pass("pass 3 of 3"), is_pass("fail"), is_pass("timeout")
    (True, False, False)
    """
    return verdict.split(maxsplit=1)[0] == Classification.PASS


def reason(answer: Answer) -> str | None:
    """Return why EvalPlus and we are known to differ on an answer of its kind, or on this task."""
    return REASONS.get(answer.kind) or REASONS.get(answer.task)


def differing(cases: Sequence[Case], answers: Sequence[Answer], peer: EvalPlus, workers: int) -> int:
    """Print how the verdicts compare; return how many differ, also with more time and without a reason."""
    theirs = peer.verdicts(answers)
    ours = our_verdicts(cases, answers, limit_s=LIMIT_S, workers=workers)
    both = list(zip(answers, theirs, ours, strict=True))
    doubtful = [answer for answer, they, we in both if is_pass(they) is not is_pass(we)]
    counts = Counter(they for _, they, we in both if is_pass(they) is is_pass(we))
    differ = list[Answer]()
    if doubtful:
        theirs = peer.verdicts(doubtful, least_s=MORE_TIME)
        ours = our_verdicts(cases, doubtful, limit_s=MORE_TIME * LIMIT_S, workers=1)
        for answer, they, we in zip(doubtful, theirs, ours, strict=True):
            if is_pass(they) is is_pass(we):
                counts[f"{they}, at the second try"] += 1
            else:
                differ.append(answer)
                print(f"{answer.task}, {answer.kind}: EvalPlus {they}, ours {we}; {reason(answer)}")
    explained = sum(reason(answer) is not None for answer in differ)
    print(f"{len(answers)} answers: {dict(counts)} by both; {len(differ)} differ, {explained} with a reason")
    return len(differ) - explained


def timed(name: str, answers: Sequence[Answer], peer: EvalPlus) -> None:
    """Print how long both commands take for the references."""
    verdicts = peer.verdicts(answers)
    with tempfile.TemporaryDirectory() as place:
        began = time.monotonic()
        passed = run_ours(name, benchmarks_folder(), answers, Path(place), peer.workers)
        seconds = time.monotonic() - began
    print(
        f"{name}, {len(answers)} references, {peer.workers} at a time: EvalPlus {peer.seconds:.0f} s and "
        f"{sum(map(is_pass, verdicts))} pass, `steelyard run` {seconds:.0f} s and {passed} pass"
    )


def main() -> int:
    """Compare, or time; tell by the exit code whether a verdict differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--peers", required=True, help="a Python that has EvalPlus")
    parser.add_argument("--name", default="humaneval+", choices=("humaneval+", "humaneval+mini", "mbpp+"))
    parser.add_argument("--start", type=int, default=0, help="the first task")
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--mutants", type=int, default=5, help="of each reference")
    parser.add_argument("--answers", type=Path, help="more answers: samples.jsonl, packed or not")
    parser.add_argument("--references", action="store_true", help="time both on the references alone")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    options = steelyard.BenchmarkOptions(data=benchmarks_folder())
    cases = steelyard.load_benchmark(given.name, options, notify=print).cases
    cases = cases[given.start : given.start + given.tasks]
    with tempfile.TemporaryDirectory() as place:
        peer = EvalPlus(given.peers, given.name, benchmarks_folder(), Path(place), given.workers)
        if given.references:
            timed(given.name, [one for one in made_answers(cases, 0) if one.kind == "reference"], peer)
            return 0
        answers = [*made_answers(cases, given.mutants), *recorded_answers(given.answers, cases)]
        return int(differing(cases, answers, peer, given.workers) > 0)


if __name__ == "__main__":
    sys.exit(main())
