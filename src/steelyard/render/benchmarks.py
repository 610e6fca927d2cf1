"""Write the list of benchmarks, one of them, and what its verification came to, for the screen."""

from collections.abc import Iterator, Sequence

from steelyard.model.benchmark import Benchmark, Verification

SHOWN_FILES = 8
LANGUAGES = 4  # names in the list
LONGEST = 300


def benchmark_table(found: Sequence[Benchmark]) -> str:
    """Return the list of benchmarks."""
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
        for benchmark in found
    ]
    widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def benchmark_page(about: Benchmark) -> str:
    """Return everything about one benchmark."""
    return "".join(f"{line}\n" for line in _page(about))


def _page(about: Benchmark) -> Iterator[str]:
    protocol = about.protocol
    yield f"{about.name} {about.version}: {about.tasks} tasks ({', '.join(about.languages)}); {about.licence}"
    yield f"data: {about.address.format(revision=about.revision)}, revision {about.revision}"
    for file in about.files[:SHOWN_FILES]:
        yield f"  {file.path}  sha256 {file.sha256 or 'as first fetched'}"
    if len(about.files) > SHOWN_FILES:
        yield f"  and {len(about.files) - SHOWN_FILES} more files"
    if about.parts:
        yield f"parts: {', '.join(f'{about.name}/{part}' for part in about.parts)}"
    if about.needs:
        yield f"needs: {about.needs}"
    yield f"protocol: {protocol.name}"
    for key in ("prompt", "extraction", "tests", "limits", "comparison", "passes"):
        yield f"  {key}: {getattr(protocol, key)}"
    yield f"  strict: {protocol.strict or 'the same'}"
    if about.failing_references:
        yield "references that fail:"
        yield from (f"  {case}: {reason}" for case, reason in about.failing_references.items())


def verification_text(found: Verification) -> str:
    """Return what came of the references, in a few lines."""
    return "".join(f"{line}\n" for line in _verified(found))


def _verified(found: Verification) -> Iterator[str]:
    run = found.run
    part = f"{run.tasks} of {run.of_tasks} tasks"
    yield f"{run.name} {run.version}, {run.protocol} protocol, {run.kind}: {part}"
    yield f"references: {found.passing} of {found.references} pass, {found.seconds} s"
    if found.without_reference:
        yield f"without a reference: {found.without_reference} tasks"
    for reference in found.failing:
        text = (
            f"explained: {reference.reason}"
            if reference.reason
            else " ".join(reference.detail.split())[:LONGEST]
        )
        yield f"  {reference.case}: {reference.kind}; {text}"
    if found.empty:
        yield f"answers that do nothing: {found.empty - len(found.passing_empty)} of {found.empty} fail"
    if found.passing_empty:
        yield f"  passed: {', '.join(found.passing_empty)}"


def _languages(about: Benchmark) -> str:
    more = len(about.languages) - LANGUAGES
    names = ", ".join(about.languages[:LANGUAGES])
    return f"{names} and {more} more" if more > 0 else names
