"""Repaired files are validated in copies of their projects, and evaluated end to end."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from steelyard.checks.toolchains.terraform.validator import (
    FixLocation,
    TerraformValidator,
    location_of,
    repaired,
)
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.outcome import Classification
from steelyard.ports import Fix
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.toolchains.terraform.cases import BROKEN, CALLER, MODULE, RIGHT
from tests.commands import typed, written

PASS, FAIL, BUILD = Classification.PASS, Classification.FAIL, Classification.BUILD_ERROR
FORMAT, ERROR = Classification.WRONG_FORMAT, Classification.ERROR


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    written(tmp_path, BROKEN, "clones/shop/main.tf")
    written(tmp_path, CALLER, "clones/net/live/main.tf")
    written(tmp_path, MODULE, "clones/net/live/modules/it/main.tf")
    written(tmp_path, "\0\xff", "clones/net/logo.png")
    written(tmp_path, "x" * 100, "clones/shop/.git/objects/pack")
    return tmp_path / "clones"


def validate(clones: Path, *fixes: tuple[str, str]) -> list[Classification]:
    validator = TerraformValidator(BubblewrapSandbox())
    made = [Fix(case="p", attempt=str(n), filename=name, text=text) for n, (name, text) in enumerate(fixes)]
    return list(validator.validate(made, clones_dir=str(clones)))


def test_each_fix_is_judged_in_its_own_project(clones: Path) -> None:
    found = validate(
        clones,
        ("clones/shop/main.tf", RIGHT),
        ("clones/shop/main.tf", BROKEN),
        ("clones/shop/main.tf", f"```hcl\n{RIGHT}```"),
        ("clones/shop/main.tf", f"<![CDATA[{RIGHT}]]>"),
        ("clones/shop/main.tf", "# nothing"),
        ("clones/shop/main.tf", "I cannot mend this."),
        ("clones/shop/main.tf", ""),
        ("shop/main.tf", RIGHT),
        ("clones/net/live/main.tf", CALLER.replace("nam ", "name")),
        ("clones/gone/main.tf", RIGHT),
    )

    assert found == [PASS, BUILD, PASS, PASS, FAIL, FORMAT, FORMAT, PASS, PASS, ERROR]


def test_the_clones_are_only_read(clones: Path) -> None:
    before = {path: path.read_bytes() for path in clones.rglob("*") if path.is_file()}

    validate(clones, ("clones/shop/main.tf", RIGHT))

    assert {path: path.read_bytes() for path in clones.rglob("*") if path.is_file()} == before


def test_clones_that_hold_nothing_of_the_fixes_are_a_mistake(clones: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"files.*'clones/x/y.tf'"):
        validate(clones, ("clones/x/y.tf", RIGHT))
    with pytest.raises(InputError, match="clones_dir"):
        validate(tmp_path / "nowhere", ("clones/x/y.tf", RIGHT))


def test_fixes_of_which_none_could_be_validated_stop_with_the_reason(clones: Path) -> None:
    code = 'resource "aws_instance" "web" {\n}\n'
    (clones / "shop/main.tf").write_text(code, encoding="utf-8")

    with pytest.raises(InfrastructureError, match="validated") as error:
        validate(clones, ("clones/shop/main.tf", code))

    assert "hashicorp/aws" in str(error.value)


def test_providers_come_from_a_folder_that_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="Terraform"):
        TerraformValidator(BubblewrapSandbox(), providers=str(tmp_path / "mirror"))


@pytest.mark.parametrize(
    "name", ["clones/shop/../../etc/x.tf", "main.tf", "clones/shop/logo.png", "", "/etc/x.tf"]
)
def test_a_file_that_leads_elsewhere_has_no_place(name: str, clones: Path) -> None:
    assert location_of(name, clones) is None


def test_a_file_is_found_below_its_project(clones: Path) -> None:
    place = FixLocation(project=clones / "net", path="live/main.tf")

    assert location_of("clones/net/live/main.tf", clones) == location_of(r"net\live\main.tf", clones) == place


def test_a_file_with_fences_inside_is_taken_whole() -> None:
    code = "locals {\n  doc = <<-EOT\n    ```hcl\n    x = 1\n    ```\n  EOT\n}\n"

    assert repaired(code) == code


@pytest.mark.parametrize("prose", ["The `{` was missing.", "Use ${var.size} {\n", 'Keep output "web" {...}:'])
def test_braces_in_prose_do_not_make_a_reply_code(prose: str) -> None:
    assert repaired(f"{prose}\n\n```hcl\n{RIGHT}```\nDone.\n") == RIGHT


def test_a_fix_that_asks_for_a_version_that_is_not_installed_is_to_blame(
    clones: Path, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    provider = "registry.terraform.io/hashicorp/fake/1.0.0/linux_amd64/terraform-provider-fake_v1.0.0"
    mirror = written(tmp_path, "#!/bin/sh\nexit 1\n", f"mirror/{provider}")
    mirror.chmod(0o755)
    code = 'resource "fake_thing" "x" {\n}\n'
    (clones / "shop/main.tf").write_text(code, encoding="utf-8")
    asked = 'terraform {\n  required_providers {\n    fake = {\n      version = "9.9.9"\n    }\n  }\n}\n'
    newer = 'terraform {\n  required_version = ">= 99"\n}\n'
    validator = TerraformValidator(BubblewrapSandbox(), providers=str(tmp_path / "mirror"))
    fixes = [
        Fix(case="p", attempt=str(at), filename="clones/shop/main.tf", text=text)
        for at, text in enumerate([code, code + asked, code + newer])
    ]

    assert list(validator.validate(fixes, clones_dir=str(clones))) == [ERROR, BUILD, BUILD]


def test_a_whole_folder_is_evaluated_for_real(
    clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = [RIGHT, BROKEN, f"```hcl\n{RIGHT}```", "/*\n" + RIGHT + "*/\nlocals {}\n"]
    rows = [("p1", n, "gemini", "clones/shop/main.tf", text) for n, text in enumerate(answers, start=1)]
    rows += [("p2", n, "gemini", "clones/net/live/main.tf", CALLER) for n in range(1, 5)]
    text = StringIO()
    csv.writer(text).writerows([("oid", "iteration_id", "llm_name", "filename", "fixed_file"), *rows])
    written(tmp_path, text.getvalue(), "fixes/llm_fullfile_repair_results_gemini.csv")
    settings = {"fixes_dir": "fixes", "output_dir": "out", "clones_dir": "clones", "k_values": [1, 2]}
    written(tmp_path, json.dumps(settings), "evaluation_config.json")

    shown = typed(capsys, "pass-at-k", "--config", "evaluation_config.json")

    assert shown.code == 0, shown.err
    outcomes = (tmp_path / "out/gemini_fixes.csv").read_text(encoding="utf-8")
    assert [line.rpartition(",")[2] for line in outcomes.splitlines()[1:]] == [
        *("True", "False", "True", "False"),
        *("False",) * 4,
    ]
    # p1: 2 of 4 pass, pass@2 = 1 - 1/6; p2: none does.
    summary = (tmp_path / "out/summary_pass_at_k.csv").read_text(encoding="utf-8")
    assert summary == "LLM,pass@1,pass@2\ngemini,0.25,0.4166666666666667\n"
