"""Read `*_eval_all.json` of LiveCodeBench: problems with answers and verdicts."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, excerpt, model_name
from steelyard.logs.files import document, parse, whole
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.outcome import Classification

# Error codes of the grader; others are plain failures.
KINDS = {-1: Classification.BUILD_ERROR, -3: Classification.TIMEOUT, -4: Classification.CRASH}


class LiveCodeBenchReader:
    """Reads evaluations of LiveCodeBench."""

    def recognise(self, path: Path) -> bool:
        """Whether a file is a list of problems with graded answers."""
        contents = whole(path)
        first = contents[0] if isinstance(contents, list) and contents else None
        return isinstance(first, dict) and {"question_id", "graded_list"} <= first.keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read evaluations."""
        collector = Collector()
        for path in paths:
            record = Record({"problems": document(path)}, str(path))
            for problem in record.records("problems"):
                collector.rows.extend(_rows(problem, model_name(options, _named(path)), options))
        return collector.log("LiveCodeBench")


def _named(path: Path) -> Path:
    """Return the path that is named after the model: the folder, if the tool named the file."""
    return path.absolute().parent if path.name.startswith("Scenario.") else path


def _rows(problem: Record, model: str, options: LogOptions) -> list[LogRow]:
    graded = problem.items("graded_list")
    if not all(isinstance(verdict, bool) for verdict in graded):
        problem.refuse("graded_list", "a list of true and false")
    codes = problem.items("code_list" if problem.get("code_list") else "output_list")
    details = problem.items("metadata")
    if (codes and len(codes) != len(graded)) or (details and len(details) != len(graded)):
        raise InputError(f"{problem.where}: {len(graded)} verdicts, but {len(codes)} answers")
    return [
        _row(
            problem,
            (model, attempt, bool(passed)),
            codes[attempt] if codes else None,
            _detail(details[attempt], problem.where) if details else Record({}, problem.where),
            options,
        )
        for attempt, passed in enumerate(graded)
    ]


def _row(
    problem: Record, index: tuple[str, int, bool], code: object, detail: Record, options: LogOptions
) -> LogRow:
    model, attempt, passed = index
    code_number = detail.get("error_code")
    kind = KINDS.get(code_number) if isinstance(code_number, int) and not passed else None
    return LogRow(
        model=model,
        tier=options.tier,
        suite=options.suite or "livecodebench",
        case=problem.name("question_id"),
        attempt=attempt,
        passed=passed,
        classification=kind,
        prompt=problem.text("question_content"),
        answer=clean(code) if isinstance(code, str) else None,
        output=excerpt([_text(detail.get("error_message")), _text(detail.get("error"))]),
    )


def _detail(value: object, where: str) -> Record:
    """Return the grader's metadata of an answer: an object, or JSON text."""
    if isinstance(value, str):
        value = parse(value.encode("utf-8", "replace"), f"{where}: metadata")
    return Record(value if isinstance(value, dict) else {}, where)


def _text(value: object) -> str | None:
    return clean(value) if isinstance(value, str) else None
