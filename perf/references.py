"""Load the cases of public benchmarks for scripts that check references and mutants.

STEELYARD_BENCHMARKS names the folder of the data; none of their text is part of this project. To check the
references themselves: `steelyard benchmarks verify NAME --benchmark-data FOLDER`.
"""

import os
from pathlib import Path

import steelyard
from steelyard.checks.extraction.extract import extract
from steelyard.model.benchmark import ProtocolKind
from steelyard.model.case import Case
from steelyard.sources.benchmark_data.places import local_files
from steelyard.sources.benchmark_data.records import read_records

FOLDER_ENV = "STEELYARD_BENCHMARKS"


def cases_of(name: str, folder: Path) -> list[Case]:
    """Return all cases of a benchmark by the strict protocol."""
    benchmark, part = steelyard.find_benchmark(name), name.partition("/")[2]
    files = local_files(benchmark, part, folder)
    records = [record for file in files for record in read_records(file.path)]
    return list(benchmark.cases(records, ProtocolKind.STRICT))


def reference_code(case: Case) -> str:
    """Return the code of a case's reference."""
    return extract(case.reference or "", case.language).code


def benchmarks_folder() -> Path:
    """Return the folder of the benchmarks; exits without one."""
    folder = os.environ.get(FOLDER_ENV)
    if not folder:
        raise SystemExit(f"{FOLDER_ENV} is not set: no benchmarks to check")
    return Path(folder)
