"""Reading the settings of a folder evaluation."""

import json
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.sources.evaluation_config import DataType, EvaluationConfig, read_evaluation_config
from tests.commands import written


def read(folder: Path, settings: dict[str, object]) -> EvaluationConfig:
    """Write settings and read them again."""
    return read_evaluation_config(written(folder, json.dumps(settings), "evaluation_config.json"))


def test_settings_left_out_have_their_defaults(tmp_path: Path) -> None:
    assert read(tmp_path, {}) == EvaluationConfig(
        fixes_dir="llms_fixes_results",
        output_dir="evaluation/data",
        clones_dir="../TFReproducer/clones",
        k_values=(1, 5, 10),
        models=(),
        generate_synthetic_data=False,
        data_type=DataType.ALL,
        problems_csv=None,
    )


def test_every_setting_is_read(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "fixes_dir": "f",
            "output_dir": "o",
            "clones_dir": "c",
            "k_values": [3],
            "models": ["m"],
            "generate_synthetic_data": True,
            "data_type": "real",
            "problems_csv": "p.csv",
        },
    )

    assert (found.fixes_dir, found.output_dir, found.clones_dir) == ("f", "o", "c")
    assert (found.k_values, found.models, found.problems_csv) == ((3,), ("m",), "p.csv")
    assert (found.generate_synthetic_data, found.data_type) == (True, DataType.REAL)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": []}, "model: unknown key"),
        ({"k_values": [1, 0]}, r"k_values.*1.*1"),
        ({"k_values": []}, r"k_values.*1"),
        ({"data_type": "both"}, r"'all'.*'synthetic'"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, settings)
