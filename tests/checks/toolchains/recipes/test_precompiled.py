"""The driver of C++ is compiled once for all answers; checks give the same verdict without it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.toolchains.drivers.driver import driver_of
from steelyard.checks.toolchains.recipes.precompiled import precompiled_header
from steelyard.model.execution import Bind, Command
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

DRIVER = driver_of("cpp").recipe
FILES = {name: text.encode() for name, text in DRIVER.files.items()} | {
    "driver.cpp": DRIVER.files["driver.cpp"].replace("STEELYARD_FUNCTION", "add").encode(),
    "answer/answer.cpp": b"int add(int a, int b) { return a + b; }",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[BubblewrapSandbox]:
    box = BubblewrapSandbox()
    yield box
    box.close()


@pytest.fixture
def header(sandbox: BubblewrapSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bind:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (bind,) = precompiled_header(DRIVER, sandbox)
    return bind


def test_the_compiler_accepts_the_precompiled_header(sandbox: BubblewrapSandbox, header: Bind) -> None:
    script = DRIVER.build[2].replace("-w", "-Winvalid-pch -H")
    built = sandbox.run(Command(argv=("/bin/sh", "-c", script), files=FILES, binds=(header,)))

    assert built.succeeded, built.stderr.decoded()
    assert "! driver.h.gch" in built.stderr.decoded()


def test_it_is_compiled_once(sandbox: BubblewrapSandbox, header: Bind) -> None:
    before = Path(header.source).stat().st_mtime_ns

    assert precompiled_header(DRIVER, sandbox) == (header,)
    assert Path(header.source).stat().st_mtime_ns == before


def test_a_header_that_does_not_compile_is_left_out(
    sandbox: BubblewrapSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = replace(DRIVER, files={**DRIVER.files, DRIVER.header: "no C++"})

    assert precompiled_header(broken, sandbox) == ()
    assert not list(tmp_path.rglob("*.gch"))
