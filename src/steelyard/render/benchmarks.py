"""Render benchmarks as text: the list, one in detail, and the result of a verification."""

from collections.abc import Iterator, Sequence

from steelyard.model.benchmark import Benchmark, Verification

SHOWN_FILES = 8
LANGUAGES = 4  # names in the list
LONGEST = 300


def benchmark_table(benchmarks: Sequence[Benchmark]) -> str:
    """Return a table with a row for each benchmark."""
    head = ("name", "version", "tasks", "languages", "licence", "needs")
    rows = [
        (
            benchmark.name,
            benchmark.version,
            str(benchmark.tasks),
            _languages(benchmark),
            benchmark.licence,
            benchmark.needs or "-",
        )
        for benchmark in benchmarks
    ]
    widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def benchmark_page(benchmark: Benchmark) -> str:
    """Return all details of one benchmark."""
    return "".join(f"{line}\n" for line in _page(benchmark))


def _page(benchmark: Benchmark) -> Iterator[str]:
    protocol = benchmark.protocol
    languages = ", ".join(benchmark.languages)
    yield f"{benchmark.name} {benchmark.version}: {benchmark.tasks} tasks ({languages}); {benchmark.licence}"
    yield f"data: {benchmark.address.format(revision=benchmark.revision)}, revision {benchmark.revision}"
    for file in benchmark.files[:SHOWN_FILES]:
        yield f"  {file.path}  sha256 {file.sha256 or 'as first fetched'}"
    if len(benchmark.files) > SHOWN_FILES:
        yield f"  and {len(benchmark.files) - SHOWN_FILES} more files"
    if benchmark.parts:
        yield f"parts: {', '.join(f'{benchmark.name}/{part}' for part in benchmark.parts)}"
    if benchmark.needs:
        yield f"needs: {benchmark.needs}"
    yield f"protocol: {protocol.name}"
    for key in ("prompt", "extraction", "tests", "limits", "comparison", "passes"):
        yield f"  {key}: {getattr(protocol, key)}"
    yield f"  strict: {protocol.strict or 'the same'}"
    if benchmark.failing_references:
        yield "references that fail:"
        yield from (f"  {case}: {reason}" for case, reason in benchmark.failing_references.items())


def verification_text(verification: Verification) -> str:
    """Return how many references pass, and which fail."""
    return "".join(f"{line}\n" for line in _verification_lines(verification))


def _verification_lines(verification: Verification) -> Iterator[str]:
    run = verification.run
    part = f"{run.tasks} of {run.of_tasks} tasks"
    yield f"{run.name} {run.version}, {run.protocol} protocol, {run.kind}: {part}"
    yield f"references: {verification.passing} of {verification.references} pass, {verification.seconds} s"
    if verification.without_reference:
        yield f"without a reference: {verification.without_reference} tasks"
    for reference in verification.failing:
        text = (
            f"explained: {reference.reason}"
            if reference.reason
            else " ".join(reference.detail.split())[:LONGEST]
        )
        yield f"  {reference.case}: {reference.kind}; {text}"
    if verification.empty:
        failing = verification.empty - len(verification.passing_empty)
        yield f"empty answers: {failing} of {verification.empty} fail"
    if verification.passing_empty:
        yield f"  passed: {', '.join(verification.passing_empty)}"


def _languages(benchmark: Benchmark) -> str:
    more = len(benchmark.languages) - LANGUAGES
    names = ", ".join(benchmark.languages[:LANGUAGES])
    return f"{names} and {more} more" if more > 0 else names
