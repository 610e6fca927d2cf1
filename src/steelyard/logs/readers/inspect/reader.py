"""Read logs of Inspect: `.eval` archives or `.json` documents, in version 2 of the format.

Archives are read member by member. If a sample is missing or too large, its summary is used.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.archive import Archive
from steelyard.logs.collect import Collector
from steelyard.logs.files import ZIP, document, head, parse, top
from steelyard.logs.readers.inspect.sample import SampleReader
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions

VERSION = 2
HEADER, START, SUMMARIES = "header.json", "_journal/start.json", "summaries.json"


class InspectReader:
    """Reads logs of Inspect."""

    def recognise(self, path: Path) -> bool:
        """Whether a file is an archive or a document of Inspect."""
        if head(path).startswith(ZIP):
            try:
                with Archive(path) as archive:
                    return not {HEADER, START}.isdisjoint(archive.names())
            except InputError:
                return path.suffix == ".eval"  # damaged: reading it reports the problem
        keys = top(path)
        return {"version", "status", "eval"} <= keys.keys() and isinstance(keys["eval"], dict)

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read logs."""
        collector, version = Collector(), None
        for path in paths:
            if head(path).startswith(ZIP):
                with Archive(path) as archive:
                    version = _read_archive(archive, collector, options)
            else:
                version = _read_document(path, collector, options)
        return collector.log("Inspect", version)


def _read_document(path: Path, collector: Collector, options: LogOptions) -> str | None:
    header = Record(document(path), str(path))
    _require_version(header)
    samples = header.records("samples")
    reader = SampleReader(header, samples, collector, options)
    for sample in samples:
        reader.take(sample)
    reader.count_missing()
    return _version(header)


def _read_archive(archive: Archive, collector: Collector, options: LogOptions) -> str | None:
    header = _member(archive, HEADER) or _member(archive, START)
    if header is None:
        raise InputError(f"{archive.path}: cannot read {HEADER} or {START}")
    _require_version(header)
    summaries = {(record.name("id"), record.count("epoch")): record for record in _summaries(archive)}
    reader = SampleReader(header, list(summaries.values()), collector, options)
    for name in archive.names():
        if name.startswith("samples/") and name.endswith(".json"):
            sample = _member(archive, name)
            if sample is not None:
                # Member names are ambiguous, since ids may contain slashes.
                summaries.pop((sample.name("id"), sample.count("epoch")), None)
                reader.take(sample)
                collector.require_little_text(str(archive.path))
    for summary in summaries.values():
        collector.leave_out("answers", "the log holds only a summary of the sample")
        reader.take(summary)
    reader.count_missing()
    return _version(header)


def _summaries(archive: Archive) -> Iterator[Record]:
    """Yield the summaries of all samples, from the journal if the run is unfinished."""
    names = [SUMMARIES] if SUMMARIES in archive.names() else archive.names()
    for name in names:
        if name == SUMMARIES or (name.startswith("_journal/summaries/") and name.endswith(".json")):
            data = archive.read(name)
            if data is not None:
                where = f"{archive.path}: {name}"
                yield from Record({"samples": parse(data, where)}, where).records("samples")


def _member(archive: Archive, name: str) -> Record | None:
    data = archive.read(name)
    if data is None:
        return None
    where = f"{archive.path}: {name[:200]}"
    return Record(parse(data, where), where)


def _require_version(header: Record) -> None:
    version = header.get("version")
    if version != VERSION:
        raise InputError(
            f"{header.where}: found version {version!r:.20} of Inspect's log format, expected {VERSION}; "
            f"convert it with `inspect log convert`"
        )


def _version(header: Record) -> str | None:
    return header.record("eval").record("packages").text("inspect_ai")
