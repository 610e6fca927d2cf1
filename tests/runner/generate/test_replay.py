"""The provider `replay` by name: what its settings must say."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from steelyard.errors import InputError, UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import Command, ExecResult
from steelyard.model.request import Request
from steelyard.model.sample import SampleKey
from steelyard.plugins import load
from steelyard.ports import Provider, ProviderMaker
from steelyard.runner.generate.provider_pool import PROVIDERS


class NoSandbox:
    """Nothing is run to replay an answer."""

    def run(self, command: Command) -> ExecResult:
        raise AssertionError(command)


def made(options: Mapping[str, str]) -> Provider:
    make = cast("ProviderMaker", load(PROVIDERS, "replay", group="providers"))
    return make(ProviderSettings(name="mine", kind="replay", options=options), sandbox=NoSandbox())


def test_the_answers_of_the_file_are_given(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"case": "add", "text": "x"}', encoding="utf-8")
    request = Request(key=SampleKey("mine/any", "T0", "s", "add", "d", 0), prompt="")

    assert asyncio.run(made({"path": str(path)}).generate(request)).text == "x"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"'mine'.*'path'"),
        ({"path": "x", "file": "y"}, r"'mine'.*'file'"),
        ({"path": "/"}, r"answers.*steelyard"),
    ],
)
def test_wrong_settings_are_refused(options: Mapping[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        made(options)


def test_a_file_that_is_not_there_is_refused_before_anything_is_generated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        made({"path": str(tmp_path / "none.jsonl")})
