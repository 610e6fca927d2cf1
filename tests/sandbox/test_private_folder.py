"""A folder for what we act on later belongs to us alone, from the top of the path to its end."""

import os
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.private_folder import private_folder

OTHER = 65534
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")


def test_it_is_made_for_its_owner_only_and_found_again(tmp_path: Path) -> None:
    made = private_folder(tmp_path / "ours")

    assert made.stat().st_mode & 0o777 == 0o700
    assert made.stat().st_uid == os.geteuid()
    assert private_folder(made) == made


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701, 0o1777])
def test_one_that_others_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours").chmod(mode)

    with pytest.raises(SandboxError, match="mode 700"):
        private_folder(tmp_path / "ours")


def test_a_link_is_refused_wherever_it_leads(tmp_path: Path) -> None:
    private_folder(tmp_path / "elsewhere")
    (tmp_path / "ours").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(SandboxError, match="mode 700"):
        private_folder(tmp_path / "ours")
    with pytest.raises(SandboxError, match="is not safe"):
        private_folder(tmp_path / "ours" / "deeper")


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ours").touch(mode=0o700)

    with pytest.raises(SandboxError, match="mode 700"):
        private_folder(tmp_path / "ours")


@AS_ROOT
def test_one_that_another_user_made_is_refused(tmp_path: Path) -> None:
    private_folder(tmp_path / "ours")
    os.chown(tmp_path / "ours", OTHER, OTHER)

    with pytest.raises(SandboxError, match=r"folder.*user"):
        private_folder(tmp_path / "ours")


@AS_ROOT
def test_one_inside_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    above = private_folder(tmp_path / "theirs")
    os.chown(above, OTHER, OTHER)

    with pytest.raises(SandboxError, match="safe"):
        private_folder(above / "ours")
    assert not (above / "ours").exists()


def test_a_shared_folder_holds_one_only_if_others_cannot_rename_it(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(SandboxError, match=r"shared.*safe"):
        private_folder(shared / "ours")

    shared.chmod(0o1777)
    assert private_folder(shared / "ours").is_dir()


def test_what_cannot_be_made_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="cannot be read"):
        private_folder(tmp_path / "missing" / "ours")
    with pytest.raises(SandboxError, match="cannot be created"):
        private_folder(tmp_path / ("long" * 100))
