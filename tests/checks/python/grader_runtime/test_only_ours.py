"""The grader refuses to run code that the answer may have written; `attacks/loaded.toml` has the attacks."""

import ast
import sys
import sysconfig
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.checks.python.grader_runtime.handles import REFUSED, NeedsShared
from steelyard.checks.python.grader_runtime.only_ours import Hook, guard

JOB = {"tests": "assert f() == 1", "files": {"helper.py": ""}}
LIBRARY = sysconfig.get_path("stdlib")


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hook:
    monkeypatch.chdir(tmp_path)
    REFUSED.clear()
    return guard(JOB)


def within(file: str, act: Callable[..., None], *given: object) -> None:
    """Call a function of ours from code that says it is of some file."""
    namespace: dict[str, Any] = {"act": act, "given": given}
    exec(compile("def run(): act(*given)", file, "exec"), namespace)  # noqa: S102  # as a library would
    namespace["run"]()


def code(file: str) -> types.CodeType:
    return compile("1", file, "exec")


def test_a_refusal_is_kept_and_names_the_remedy(hook: Hook) -> None:
    with pytest.raises(NeedsShared, match=r'would run code that the answer .* needs isolation = "shared"'):
        hook("exec", (code("<string>"),))

    assert [type(error) for error in REFUSED] == [NeedsShared]


@pytest.mark.parametrize(
    ("event", "details"),
    [
        pytest.param("import", ("m", "/box/work/m.so", None), id="an extension"),
        pytest.param("import", ("m", f"{LIBRARY}/../../../../box/m.so", None), id="an extension by a detour"),
        pytest.param("import", ("m", "m.so", None), id="an extension without a folder"),
        pytest.param("ctypes.dlopen", ("/box/tmp/libm.so",), id="a library in C"),
        pytest.param("ctypes.dlopen", ("./libm.so",), id="a library in C of this folder"),
        pytest.param("pickle.find_class", ("posix", "system"), id="a pickle"),
        pytest.param("function.__new__", (code("<string>"),), id="a function from a text"),
        pytest.param("exec", (code(ast.__file__),), id="code that names another file"),
    ],
)
def test_what_the_answer_may_have_written_is_refused(
    event: str, details: tuple[object, ...], hook: Hook
) -> None:
    with pytest.raises(NeedsShared):
        hook(event, details)


@pytest.mark.parametrize(
    ("event", "details"),
    [
        pytest.param("import", ("json", None, None), id="an import"),
        pytest.param("import", ("m", f"{LIBRARY}/lib-dynload/m.so", None), id="an extension of the library"),
        pytest.param("ctypes.dlopen", (None,), id="this program"),
        pytest.param("ctypes.dlopen", ("libm.so.6",), id="a library in C by its name"),
        pytest.param("ctypes.dlopen", ("/usr/lib/libm.so",), id="a library in C of the system"),
        pytest.param("function.__new__", (code("<graded tests>"),), id="a function of the tests"),
        pytest.param("function.__new__", (code("helper.py"),), id="a function of a helper"),
        pytest.param("function.__new__", (code(ast.__file__),), id="a function of the library"),
        pytest.param("open", ("/box/work/data.txt", "r", 0), id="a file"),
        pytest.param("compile", (b"1", "<string>"), id="a text that is only compiled"),
    ],
)
def test_all_else_goes_on(event: str, details: tuple[object, ...], hook: Hook) -> None:
    hook(event, details)

    assert not REFUSED


@pytest.mark.parametrize("reader", ["importlib._bootstrap_external", "zipimport"])
def test_the_import_system_reads_nothing_but_the_library_and_packages(reader: str, hook: Hook) -> None:
    within(f"<frozen {reader}>", hook, "open", (ast.__file__, "rb", 0))

    for path in ("/box/work/m.py", "m.py", f"{LIBRARY}/../../../../box/m.py"):
        with pytest.raises(NeedsShared, match=f"loading {path}"):
            within(f"<frozen {reader}>", hook, "open", (path, "rb", 0))


def test_a_module_may_run_text_while_it_is_imported(hook: Hook) -> None:
    text = ("exec", (code("<string>"),))

    within("<frozen importlib._bootstrap>", within, f"{LIBRARY}/turtle.py", hook, *text)


def test_a_folder_that_holds_the_workspace_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(sys, "path", [str(tmp_path), "", LIBRARY])

    with pytest.raises(NeedsShared):
        guard(JOB)("import", ("m", str(tmp_path / "m.so"), None))
