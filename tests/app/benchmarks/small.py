"""Small benchmarks of our own, as plug-ins would be, and services on loopback that give out their data."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Dependency, Expectations

RULES = Protocol(
    name="Own", prompt="p", extraction="e", tests="t", limits="l", comparison="c", passes="all hold"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallData:
    """A file of records."""

    text: str

    @property
    def sha256(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    def write(self, folder: Path, name: str = "tasks.jsonl") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text(self.text, encoding="utf-8")
        return path


TASKS = SmallData(
    text="".join(
        json.dumps({"id": f"add-{number}", "plus": number, "day": f"2025-0{number}-15"}) + "\n"
        for number in range(1, 5)
    )
)


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    for record in records:
        plus, crates = record["plus"], [record["crate"]] if "crate" in record else []
        needs = [*([record["needs"]] if "needs" in record else []), *(f"crate {name}" for name in crates)]
        yield Case(
            id=record["id"],
            prompt=f"Write add(x), which adds {plus}.",
            language="rust" if crates else "python",
            tags=(f"date:{record['day']}", *(f"needs:{one}" for one in needs)),
            dependencies=tuple(Dependency(name=name, version="1") for name in crates),
            expectations=Expectations(tests=f"assert add(1) == {1 + plus}\n"),
            reference=f"```python\ndef add(x):\n    return x + {plus}\n```\n",
        )


def small_benchmark(address: str = "https://example.org/{revision}", digest: str = TASKS.sha256) -> Benchmark:
    return Benchmark(
        name="small",
        version="v1",
        tasks=4,
        languages=("python",),
        licence="MIT",
        address=address,
        revision="abc",
        files=(BenchmarkFile(path="data/tasks.jsonl", sha256=digest),),
        protocol=RULES,
        cases=cases,
    )
