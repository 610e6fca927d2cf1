import json
from pathlib import Path

import pytest

from perf.simulations.__main__ import main


def test_a_simulation_writes_or_prints_the_same_tables_for_the_same_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sequential", "--quick", "--seed", "5", "--out", str(tmp_path / "one.md")])
    main(["sequential", "--quick", "--seed", "5"])

    text = (tmp_path / "one.md").read_text()
    rows = json.loads((tmp_path / "one.json").read_text())["studies"]
    assert text.startswith("## Sequential gates")
    assert "| SPRT, any time |" in text
    assert len(rows["Sequential gates: alarms (mean pairs used)"]) == 25
    assert capsys.readouterr().out == text + "\n"


def test_an_unknown_simulation_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["everything"])

    assert "invalid choice" in capsys.readouterr().err
