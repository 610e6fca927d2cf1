"""Read results of MultiPL-E: one `*.results.json[.gz]` per problem, or a folder of them."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, excerpt, model_name
from steelyard.logs.files import document, top
from steelyard.logs.record import Record
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

KINDS = {
    "OK": Classification.PASS,
    "Timeout": Classification.TIMEOUT,
    "SyntaxError": Classification.BUILD_ERROR,
    "Exception": Classification.FAIL,
}
PATTERN = "*.results.json*"
KEYS = {"name", "language", "prompt", "results"}


class MultiplEReader:
    """Reads results of MultiPL-E."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has the results of a problem, or a folder has such files."""
        if path.is_dir():
            first = next(iter(sorted(path.glob(PATTERN))), None)
            return first is not None and self.recognise(first)
        return top(path).keys() >= KEYS

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read results; the folder names the model."""
        collector = Collector()
        for given in paths:
            files = sorted(given.glob(PATTERN)) if given.is_dir() else [given]
            folder = given if given.is_dir() else given.absolute().parent
            for path in files:
                problem = Record(document(path), str(path))
                for attempt, result in enumerate(problem.records("results")):
                    index = model_name(options, folder), attempt
                    collector.rows.append(_row(problem, result, index, options))
        if not collector.rows:
            raise InputError(f"{paths[0]}: contains no results")
        return collector.log("MultiPL-E")


def _row(problem: Record, result: Record, index: tuple[str, int], options: LogOptions) -> LogRow:
    status = result.text("status")
    kind = KINDS.get(status or "")
    if kind is None:
        result.refuse("status", "OK, Timeout, SyntaxError or Exception")
    return LogRow(
        model=index[0],
        tier=options.tier,
        suite=f"multipl-e-{problem.name('language')}",
        case=problem.name("name"),
        attempt=index[1],
        passed=kind is Classification.PASS,
        classification=kind,
        prompt=problem.text("prompt"),
        answer=result.text("program"),
        output=excerpt([result.text("stdout"), result.text("stderr")]),
    )
