import subprocess
import sys
from pathlib import Path

import pytest

import steelyard.metrics

MODULES = sorted(
    path.stem for path in Path(steelyard.metrics.__path__[0]).glob("*.py") if path.stem != "__init__"
)


def test_no_formula_loads_scipy() -> None:
    imports = "; ".join(f"import steelyard.metrics.{module}" for module in MODULES)

    found = subprocess.run(
        [sys.executable, "-c", f"{imports}; import sys; print('scipy' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.strip() == "False"


@pytest.mark.parametrize("module", ["cmh", "gates", "intervals", "sequential"])
def test_the_statistics_are_among_the_formulas(module: str) -> None:
    assert module in MODULES
