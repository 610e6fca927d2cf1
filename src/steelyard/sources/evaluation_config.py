"""Read `evaluation_config.json`, which drives the evaluation of a whole folder of fixes.

Unknown keys are refused: a misspelt one would silently evaluate something else.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from steelyard.errors import InputError
from steelyard.languages.interpreted import TERRAFORM
from steelyard.sources.record_file import read_record


class DataType(StrEnum):
    """Which files of a folder to evaluate."""

    ALL = "all"
    SYNTHETIC = "synthetic"
    REAL = "real"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """The settings of a folder evaluation; paths are relative to the working folder."""

    fixes_dir: str = "llms_fixes_results"
    output_dir: str = "evaluation/data"
    clones_dir: str = "../TFReproducer/clones"
    k_values: tuple[int, ...] = (1, 5, 10)
    models: tuple[str, ...] = ()
    generate_synthetic_data: bool = False
    data_type: DataType = DataType.ALL
    problems_csv: str | None = None
    validator: str = TERRAFORM.name
    providers_dir: str | None = None  # a filesystem mirror of the providers that the projects need


def read_evaluation_config(path: str | Path) -> EvaluationConfig:
    """Read the settings, or say which key is wrong."""
    config = read_record(Path(path), EvaluationConfig)
    if not config.k_values or min(config.k_values) < 1:
        raise InputError(f"{path}: k_values: every k must be at least 1, got {list(config.k_values)}")
    return config
