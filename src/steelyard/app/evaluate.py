"""Evaluate a whole folder of fixes: outcome files, pass@k for each model, and a summary.

Files that already say which fixes are plausible are taken as they are; the others are validated in a sandbox.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import cast

from steelyard.app.score import score_files
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.options import ColumnMapping, ReportOptions
from steelyard.model.report import Report
from steelyard.plugins import SANDBOXES, VALIDATORS, load
from steelyard.ports import Fix, Sandbox, Validator, ValidatorMaker
from steelyard.render.passk_table import pass_at_k_csv
from steelyard.sources.evaluation_config import DataType, EvaluationConfig
from steelyard.sources.fixes_file import fix_rows, outcome_table
from steelyard.sources.synthetic import PROBLEMS_FILE, SyntheticPlan, write_synthetic
from steelyard.store.files import input_files, models_of_files
from steelyard.store.headers import header

SUMMARY_FILE = "summary_pass_at_k.csv"
NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Result of a folder evaluation: one report per model, and written files."""

    reports: tuple[Report, ...]
    problems: Path | None
    written: tuple[Path, ...]

    @property
    def rows(self) -> list[tuple[str, list[float | None]]]:
        """The table: model, then pass@k for each k."""
        return _rows(self.reports)


def evaluate_directory(config: EvaluationConfig, *, validator: Validator | None = None) -> Evaluation:
    """Evaluate every chosen file of `fixes_dir` and write the results to `output_dir`."""
    fixes_dir, output_dir = Path(config.fixes_dir), Path(config.output_dir)
    if config.generate_synthetic_data:
        write_synthetic(fixes_dir, SyntheticPlan())
    chosen = _chosen_files(fixes_dir, config)
    problems = _problems_file(config)
    _make_folder(output_dir)
    reports, written = [], []
    for path, model in models_of_files(chosen, any_name=True).items():
        outcomes = _outcomes_file(path, output_dir / f"{model}_fixes.csv", config, validator)
        # Errors in given outcomes must be fixed in the files that were given.
        report = score_files(
            [path if _has_outcomes(path) else outcomes],
            problems=problems,
            naming=ColumnMapping(model=model),
            options=ReportOptions(pass_k=tuple(sorted(set(config.k_values)))),
        )
        table = output_dir / f"{model}_pass_at_k.csv"
        _write(table, pass_at_k_csv(_rows([report]), report.settings.pass_k))
        reports.append(report)
        written += [outcomes, table]
    summary = output_dir / SUMMARY_FILE
    _write(summary, pass_at_k_csv(_rows(reports), reports[0].settings.pass_k))
    return Evaluation(reports=tuple(reports), problems=problems, written=(*written, summary))


def _chosen_files(folder: Path, config: EvaluationConfig) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; fixes_dir must hold the CSV files to evaluate")
    paths = [path for path in sorted(folder.glob("*.csv")) if _is_fixes_file(path)]
    chosen = [path for path in paths if _is_chosen(path.name, config)]
    if not chosen:
        names = ", ".join(path.name for path in paths[:NAMES_SHOWN]) or "no CSV file"
        more = f" and {len(paths) - NAMES_SHOWN} more" if len(paths) > NAMES_SHOWN else ""
        raise InputError(
            f"{folder}: no file fits models={list(config.models)} and data_type={config.data_type}; "
            f"there is {names}{more}"
        )
    return [file.path for file in input_files(chosen)]


def _is_fixes_file(path: Path) -> bool:
    # The results of an earlier evaluation may lie in the same folder.
    return path.name != PROBLEMS_FILE and not path.stem.endswith("_pass_at_k")


def _is_chosen(name: str, config: EvaluationConfig) -> bool:
    is_synthetic = "synthetic" in name
    if config.data_type is DataType.SYNTHETIC and not is_synthetic:
        return False
    if config.data_type is DataType.REAL and is_synthetic:
        return False
    return not config.models or any(model in name for model in config.models)


def _problems_file(config: EvaluationConfig) -> Path | None:
    if config.problems_csv is not None:
        return Path(config.problems_csv)
    candidates = (Path(folder) / PROBLEMS_FILE for folder in (config.fixes_dir, config.output_dir))
    return next((path for path in candidates if path.is_file()), None)


def _has_outcomes(path: Path) -> bool:
    return "plausible_fix" in {name.lower() for name in header(path, delimiter=",").columns}


def _outcomes_file(path: Path, outcomes: Path, config: EvaluationConfig, validator: Validator | None) -> Path:
    """Return the file with a model's outcomes, made or copied unless it lies there already."""
    is_same_folder = path.parent.resolve() == outcomes.parent.resolve()
    if _has_outcomes(path):
        if is_same_folder:
            return path  # the next evaluation would count a copy as another model
        _copy(path, outcomes)
        return outcomes
    if is_same_folder:
        raise InputError(
            f"{path}: lies in the output_dir, where its outcomes would take its place; "
            f"choose another output_dir"
        )
    _write(outcomes, _validated(path, config, validator))
    return outcomes


def _validated(path: Path, config: EvaluationConfig, validator: Validator | None) -> str:
    rows = fix_rows(path)
    checker = validator if validator is not None else _validator(config)
    fixes = [
        Fix(case=row["oid"], attempt=row["iteration_id"], filename=row["filename"], text=row["fixed_file"])
        for row in rows
    ]
    result = checker.validate(fixes, clones_dir=config.clones_dir)
    if len(result) != len(fixes):
        raise InfrastructureError(f"{path}: the validator gave {len(result)} answers to {len(fixes)} fixes")
    return outcome_table(rows, result)


def _validator(config: EvaluationConfig) -> Validator:
    make = cast("ValidatorMaker", load(VALIDATORS, config.validator, group="validators"))
    sandbox = cast("Callable[[], Sandbox]", load(SANDBOXES, "bubblewrap", group="sandboxes"))
    return make(sandbox(), providers=config.providers_dir)


def _rows(reports: Sequence[Report]) -> list[tuple[str, list[float | None]]]:
    return [
        (subject.model, [at_k.estimate.value for at_k in subject.pass_at_k])
        for report in reports
        for subject in report.subjects
    ]


def _make_folder(folder: Path) -> None:
    with _mapped_errors(folder, "made"):
        folder.mkdir(parents=True, exist_ok=True)


def _copy(source: Path, target: Path) -> None:
    with _mapped_errors(target, "written"):
        copyfile(source, target)


def _write(path: Path, text: str) -> None:
    with _mapped_errors(path, "written"):
        path.write_text(text, encoding="utf-8", newline="")


@contextmanager
def _mapped_errors(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise InputError(f"{path}: cannot be {what} ({getattr(error, 'strerror', None) or error})") from None
