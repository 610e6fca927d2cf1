"""Environments: what pins a package, and what changes a digest."""

import pytest

from steelyard.model.case import Case
from steelyard.model.environment import (
    Environment,
    npm_pin,
    pins,
    python_problem,
    requirement_lines,
    unpinned,
)
from steelyard.model.evalset import EvalSet, Suite


@pytest.mark.parametrize(
    "line",
    [
        "numpy==2.1.0",
        "numpy == 2.1.0  # arrays",
        "uvicorn[standard]==0.30.1",
        'tzdata==2024.1 ; sys_platform == "win32"',
        "numpy==2.1.0 --hash=sha256:00ff --hash=sha256:11ee",
        "numpy==2.1.0 \\\n    --hash=sha256:00ff \\\n    --hash=sha256:11ee\n    # via -r in.txt",
        "torch==2.4.0+cpu",
        "",
        "# nothing at all",
    ],
)
def test_a_version_or_nothing_pins(line: str) -> None:
    assert unpinned(line) == []


@pytest.mark.parametrize(
    "line",
    [
        *("numpy", "numpy>=2", "numpy==2.*", "numpy==2.1,!=2.1.1", "-r other.txt", "-e .", "./numpy.whl"),
        *("numpy @ https://example.org/numpy.whl", "--index-url https://example.org", "numpy==2.1 --pre"),
    ],
)
def test_anything_else_does_not(line: str) -> None:
    assert unpinned(f"six==1.17.0\n{line}") == [(2, line)]


def test_a_joined_line_has_the_number_of_its_first() -> None:
    assert list(requirement_lines("a==1\n\nb==2 \\\n  --hash=md5:0\nc==3 \\")) == [
        (1, "a==1"),
        (3, "b==2 --hash=md5:0"),
        (5, "c==3"),
    ]


def test_names_are_spelt_as_indexes_do() -> None:
    assert pins("Flask_Login==0.6.3\nruamel.yaml==0.18.6\nnot pinned") == {
        "flask-login": "0.6.3",
        "ruamel-yaml": "0.18.6",
    }


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("lodash@4.17.21", "lodash"),
        ("@scope/na.me@1.0.0-rc.1", "@scope/na.me"),
        ("JSONStream@1.3.5", "JSONStream"),
    ],
)
def test_a_version_pins_a_package_of_npm(package: str, name: str) -> None:
    assert npm_pin(package) == (name, package.rpartition("@")[2])


@pytest.mark.parametrize(
    "package",
    [
        *("lodash", "lodash@", "lodash@^4.17.21", "lodash@latest", "lodash@4", "lodash@4.17.x", "lodash@*"),
        *("@scope@1.0.0", "a/b@1.0.0", "../a@1.0.0", "@../a@1.0.0", ".bin@1.0.0", "a@1.0.0 ", "a@1.0.0\n"),
        *("a@https://example.org/a.tgz", "a@npm:b@1.0.0", "git+ssh://example.org/a", "a@1.0.0/../b", ""),
    ],
)
def test_nothing_else_pins_one(package: str) -> None:
    assert npm_pin(package) is None


@pytest.mark.parametrize("version", ["3", "2.7", "three", "3.10", "3.12rc1"])
def test_a_python_is_named_by_its_version_and_is_not_too_old(version: str) -> None:
    assert repr(version) in str(python_problem(version))


def digests(environment: Environment | None) -> tuple[str, str]:
    case = Case(id="a", language="python", environment=environment)
    return case.digest, EvalSet(id="s", cases=(case,), suites=(Suite(id="default"),)).digest


@pytest.mark.parametrize(
    "changed",
    [
        None,
        Environment(),
        Environment(requirements="six==1.16.0"),
        Environment(requirements="six==1.17.0", python="3.12"),
        Environment(requirements="six==1.17.0", npm=("lodash@4.17.21",)),
    ],
)
def test_another_environment_changes_the_digests_of_case_and_set(changed: Environment | None) -> None:
    ours = digests(Environment(requirements="six==1.17.0"))

    assert all(one != other for one, other in zip(digests(changed), ours, strict=True))


def test_the_order_of_npm_packages_does_not() -> None:
    assert digests(Environment(npm=("a@1.0.0", "b@1.0.0"))) == digests(
        Environment(npm=("b@1.0.0", "a@1.0.0"))
    )


def test_comments_and_order_do_not() -> None:
    ours = digests(Environment(requirements="six==1.17.0\nabc==1"))

    assert digests(Environment(requirements="# two\nabc==1\n\nsix==1.17.0  # old\n")) == ours
