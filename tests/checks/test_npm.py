"""Packages of npm: which are found, which are shown, and what names them."""

from pathlib import Path

import pytest

from steelyard.checks.grading.digests import check_digest
from steelyard.checks.npm import FOLDER_ENV, node_packages
from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.environment import Environment
from tests.node_modules import use_node_modules, write_package

SCALES = Environment(npm=("scales@1.0.0",))


def digest(environment: Environment | None = SCALES) -> str:
    return check_digest("command", Case(id="a", language="javascript", environment=environment))


def test_a_package_is_shown_with_what_it_needs_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)

    found = node_packages(SCALES)

    shown = {bind.at: bind.source for bind in found.binds}
    assert shown == {
        "node_modules/@lab/units": str(folder / "@lab" / "units"),
        "node_modules/scales": str(folder / "scales"),
    }


def test_a_package_that_lies_within_another_comes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)
    inner = folder / "scales" / "node_modules"
    write_package(inner, "@lab/units", "2.1.0", "exports.KILO = 1024;\n", needs={"stranger": "1"})

    assert [bind.at for bind in node_packages(SCALES).binds] == [
        "node_modules/scales",
        "node_modules/stranger",
    ]


def test_a_package_without_what_it_needs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)
    (folder / "@lab" / "units" / "package.json").unlink()

    with pytest.raises(UserError, match="@lab/units"):
        node_packages(SCALES)


def test_a_package_that_is_a_link_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)
    (folder / "scales").rename(tmp_path / "project")
    (folder / "scales").symlink_to(tmp_path / "project")

    with pytest.raises(UserError, match="scales is a link"):
        node_packages(SCALES)


def test_a_package_cannot_name_what_lies_beside_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)
    write_package(tmp_path, "secret", "1.0.0", "")
    write_package(folder, "scales", "1.0.0", "", needs={"../secret": "1", "/etc": "1"})

    assert [bind.at for bind in node_packages(SCALES).binds] == ["node_modules/scales"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("lodash@4.17.21", r"lodash@4.17.21.*`npm ci --ignore-scripts`"),
        ("scales@1.0.1", r"scales@1.0.1"),
        ("../node_modules@1.0.0", r"are missing: \.\./node_modules@1.0.0"),
    ],
)
def test_a_package_that_is_missing_or_of_another_version_is_named(
    wanted: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_node_modules(tmp_path, monkeypatch)

    with pytest.raises(UserError, match=message):
        node_packages(Environment(npm=("scales@1.0.0", wanted)))


@pytest.mark.parametrize(
    ("named", "message"),
    [("", "STEELYARD_NODE_MODULES"), ("/no/such", r"/no/such.*folder")],
)
def test_a_folder_that_is_not_there_is_the_users_to_name(
    named: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_ENV, named)

    with pytest.raises(UserError, match=message):
        node_packages(SCALES)


def test_the_check_is_another_with_another_version_of_what_a_package_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = list[str]()
    for name, units in (("one", "2.0.0"), ("same", "2.0.0"), ("other", "2.1.0")):
        (tmp_path / name).mkdir()
        use_node_modules(tmp_path / name, monkeypatch, units=units)
        digests.append(digest())

    one, same, other = digests
    assert one == same != other


def test_a_check_without_packages_is_the_same_with_and_without_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_ENV, raising=False)
    before = digest(None)
    use_node_modules(tmp_path, monkeypatch)

    assert digest(None) == before
    assert node_packages(None).binds == node_packages(Environment()).binds == ()


def test_a_link_to_the_folder_is_as_good_as_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_node_modules(tmp_path, monkeypatch)
    link = tmp_path / "current"
    link.symlink_to(folder)
    monkeypatch.setenv(FOLDER_ENV, str(link))

    assert node_packages(SCALES).binds[0].source.startswith(str(folder))
