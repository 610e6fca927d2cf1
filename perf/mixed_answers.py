"""Check many answers at full concurrency, a tenth of them hostile, and look for what that does to the others.

First the harmless ones alone, or a part of them, then all. No right answer may fail, no hostile one may leave
the score, nothing may be left behind; beyond their own limits, the hostile ones may cost half of what the
others take.
Run: python -m perf.mixed_answers [--sandbox gvisor] [--count 20000] [--alone 4000]
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification
from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from tests.checks.checkers import SHIPPED
from tests.sandbox.traces import left_since, traces

SANDBOXES = {"bubblewrap": 5.0, "oci": 5.0, "gvisor": 20.0}  # with the seconds that an answer gets
HOSTILE_SHARE, COMPILED_SHARE, WRONG_SHARE = 0.1, 0.01, 0.2
RATIO = 1.5
MEMORY_MB = 256
TESTS = "def test_adds():\n    assert add(1, 2) == 3\n\ndef test_more():\n    assert add(-1, 1) == 0\n"
RIGHT, WRONG = "def add(a, b):\n    return a + b\n", "def add(a, b):\n    return a - b\n"
# Waits for ever where its pipe holds less than the usual 64 KiB.
PIPED = (
    "import os\ndef add(a, b):\n    source, sink = os.pipe()\n    os.write(sink, bytes(20_000))\n"
    "    return a + b if len(os.read(source, 20_000)) == 20_000 else None\n"
)
PIPED_EVERY = 10
# Each is the body of the function that the tests call.
HOSTILE = {
    "spins in many processes": "import os\n[os.fork() for _ in range(4)]\nwhile True: pass",
    "spins in many threads": "import threading\ndef spin():\n    while True: pass\n"
    "[threading.Thread(target=spin).start() for _ in range(16)]\nspin()",
    "takes memory": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
    "takes memory in files": "import os\nfor n in range(10**6):\n"
    "    os.write(os.memfd_create(str(n)), bytes(1 << 24))",
    "fills the disk": "for n in range(10**6): open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))",
    "makes folders": "import os\nfor n in range(10**7): os.mkdir(f'/tmp/{n}')",
    "forks without end": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "leaves daemons": "import os, time\nfor _ in range(20):\n    if not os.fork():\n"
    "        os.setsid()\n        time.sleep(999)\nos._exit(0)",
    "prints without end": "import os\nwhile True: os.write(1, b'x' * 65536)",
    "complains without end": "import os\nwhile True: os.write(2, b'x' * 65536)",
    "kills all": "import os\nfor pid in (-1, 1, 0):\n    try: os.kill(pid, 9)\n"
    "    except OSError: pass\nreturn 0",
    "heeds no signal": "import signal, time\nfor number in range(1, 65):\n"
    "    try: signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError): pass\ntime.sleep(999)",
    "stops its group": "import os\nos.kill(0, 19)\nreturn 0",
    "opens sockets": "import socket\nkept = []\nwhile True: kept.append(socket.socketpair())",
    "fills sockets": "import socket\nkept = []\nwhile True:\n    one, other = socket.socketpair()\n"
    "    one.setblocking(False)\n    kept.append((one, other))\n"
    "    try:\n        while True: one.send(bytes(65536))\n    except BlockingIOError: pass",
    "opens pipes": "import os, time\nfor _ in range(14):\n    if not os.fork(): break\nkept = []\ntry:\n"
    "    while True: kept.append(os.pipe())\nexcept OSError: time.sleep(999)",
    "sends descriptors": "import socket, time\nkept = []\ntry:\n    while True:\n"
    "        kept.append(socket.socketpair())\n        socket.send_fds(kept[-1][0], [b'x'], [0] * 99)\n"
    "except OSError: time.sleep(999)",
    "queues signals": "import ctypes, os, signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, {40})\n"
    "while not ctypes.CDLL(None).sigqueue(os.getpid(), 40, None): pass\ntime.sleep(999)",
    "calls abstract names": "import socket\nfor n in range(10**5):\n"
    "    try: socket.socket(socket.AF_UNIX).bind(f'\\0{n}')\n    except OSError: pass\nreturn 0",
    "crashes": "import ctypes\nctypes.string_at(0)",
}


class Answer(NamedTuple):
    """An answer to a case, and what is known about it."""

    kind: str  # right, wrong, or what a hostile one does
    case: Case
    text: str

    @property
    def is_hostile(self) -> bool:
        """Whether it is there to do harm."""
        return self.kind in HOSTILE


class Ending(NamedTuple):
    """What came of an answer, and how long that took."""

    answer: Answer
    classification: Classification | None
    detail: str
    seconds: float

    @property
    def is_due(self) -> bool:
        """Whether it is what the answer deserves."""
        if self.answer.kind == "right":
            return self.classification is Classification.PASS
        return self.classification is not None and self.classification.is_failure


def answers(count: int, seconds: float, chance: random.Random) -> list[Answer]:
    """Return answers of all kinds in a random order, no two of them equal."""
    limits = {"timeout_s": seconds, "memory_mb": MEMORY_MB}
    case = Case(id="adds", language="python", expectations=Expectations(tests=TESTS), **limits)  # type: ignore[arg-type]  # two numbers
    compiled = next(shipped for shipped in SHIPPED if shipped.name == "command")
    made = []
    for number in range(count):
        share = (number + 0.5) / count
        if share < HOSTILE_SHARE:
            kind = list(HOSTILE)[number % len(HOSTILE)]
            body = HOSTILE[kind].replace("\n", "\n    ")
            made.append(Answer(kind, case, _fenced(f"def add(a, b):\n    {body}\n", number)))
        elif share < HOSTILE_SHARE + COMPILED_SHARE:
            # A compiler is slow where the machine is busy, and its time is no part of what is tried.
            patient = replace(compiled.case, timeout_s=10 * seconds)
            made.append(Answer("right", patient, f"{compiled.right}\n<!-- {number} -->\n"))
        elif share < HOSTILE_SHARE + COMPILED_SHARE + WRONG_SHARE:
            made.append(Answer("wrong", case, _fenced(WRONG, number)))
        else:
            right = RIGHT if number % PIPED_EVERY else PIPED
            made.append(Answer("right", case, _fenced(right, number)))
    chance.shuffle(made)
    return made


def _fenced(code: str, number: int) -> str:
    return f"```python\n{code}# {number}\n```"


def run(checking: Checking, listed: Sequence[Answer], workers: int) -> tuple[list[Ending], float]:
    """Check all of them at once, as many as there are workers; return also how long it took."""
    began = time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        endings = list(pool.map(lambda answer: _ending(checking, answer), listed))
    return endings, time.monotonic() - began


def _ending(checking: Checking, answer: Answer) -> Ending:
    sample = Sample(
        model="m", tier="T0", suite="s", case=answer.case.id, digest="d", attempt=0, text=answer.text
    )
    began = time.monotonic()
    outcome = checking.outcome(answer.case, sample)
    return Ending(answer, outcome.facts.classification, outcome.detail or "", time.monotonic() - began)


def tell(endings: Sequence[Ending]) -> int:
    """Print how many ended how; return how many ended otherwise than they must."""
    for kind in sorted({ending.answer.kind for ending in endings}):
        of_kind = [ending for ending in endings if ending.answer.kind == kind]
        found = Counter(str(ending.classification) for ending in of_kind)
        mean_s = sum(ending.seconds for ending in of_kind) / len(of_kind)
        words = ", ".join(f"{count} {name}" for name, count in found.most_common())
        print(f"  {kind}: {words}; {mean_s:.2f} s each")
    wrong = [ending for ending in endings if not ending.is_due]
    for ending in wrong[:20]:
        print(f"NOT DUE: {ending.answer.kind}: {ending.classification}: {ending.detail[:300]}")
    return len(wrong)


def main(words: Sequence[str] | None = None) -> int:
    """Print what was found; 1 when anything is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sandbox", choices=SANDBOXES, default="bubblewrap")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--alone", type=int, help="check so many harmless ones alone, for the ratio (all)")
    parser.add_argument("--workers", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    limit = SANDBOXES[options.sandbox]
    listed = answers(options.count, limit, random.Random(options.seed))
    before = traces(groups=True)
    sandbox = make_sandbox(options.sandbox)
    checking = Checking(sandbox, share=False)
    peaceful = [answer for answer in listed if not answer.is_hostile]
    run(checking, peaceful[: options.workers], options.workers)
    harmless, alone_s = run(checking, peaceful[: options.alone], options.workers)
    endings, mixed_s = run(checking, listed, options.workers)
    del checking
    sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed
    wrong = tell([*harmless, *endings])
    left = left_since(before, lambda: traces(groups=True), patience_s=60.0)
    own = sum(min(ending.seconds, limit) for ending in endings if ending.answer.is_hostile) / options.workers
    ratio = max(mixed_s - own, 0.0) / (alone_s * len(peaceful) / len(harmless))
    print(f"{len(harmless)} harmless answers alone: {alone_s:.1f} s; {len(endings)} mixed: {mixed_s:.1f} s,")
    print(f"of which the hostile ones had {own:.1f} s within their limits: {ratio:.2f} times (goal {RATIO})")
    print(f"not as due: {wrong}; left behind: {left or 'nothing'}")
    return int(bool(wrong or left) or ratio > RATIO)


if __name__ == "__main__":
    sys.exit(main())
