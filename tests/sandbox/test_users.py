"""Who commands are on this machine when we are root: each another user, if there are enough."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from steelyard.model.health import Finding, Part
from steelyard.sandbox import users
from steelyard.sandbox.probe import FREE_PIPES, SHARED_PIPES, with_pipes
from steelyard.sandbox.users import NOBODY, USERS, is_mapped, own_user

FOUND = Finding(part=Part.SANDBOX, name="bubblewrap", works=True, detail="good")


def test_threads_that_run_at_the_same_time_have_different_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "users", lambda: USERS)
    together = threading.Barrier(8)

    def one(_: int) -> int:
        together.wait()
        return own_user()

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(one, range(8)))

    assert len(found) == 8
    assert found <= set(USERS)


def test_there_is_a_user_for_every_number_of_a_thread() -> None:
    most = int(Path("/proc/sys/kernel/pid_max").read_text(encoding="ascii"))

    assert most <= len(USERS)


def test_without_enough_users_every_command_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "users", lambda: range(NOBODY, NOBODY + 1))

    assert own_user() == NOBODY


@pytest.mark.parametrize(
    ("text", "has_them"),
    [
        ("0 0 4294967295\n", True),
        ("0 1000 1\n1 100000 65536\n", False),  # as in a container of an ordinary user
        (f"0 0 {USERS[-1]}\n", False),  # all but the last
        (f"{USERS[1]} 5 {len(USERS)}\n", False),  # all but the first
        (f"0 0 1\n{USERS[0]} 5 {len(USERS)}\n", True),
    ],
)
def test_a_user_namespace_has_the_users_or_not(text: str, has_them: bool) -> None:  # noqa: FBT001  # a table
    assert is_mapped(USERS, text) is has_them


def test_doctor_names_the_setting_by_which_commands_take_pipes_from_each_other(tmp_path: Path) -> None:
    setting = tmp_path / "pages"
    setting.write_text("16384\n", encoding="ascii")

    said = with_pipes(FOUND, limited=True, setting=setting)

    assert said.works
    assert (said.detail, said.fix) == (f"good{SHARED_PIPES}", FREE_PIPES)


def test_doctor_advises_no_pipes_without_limit_where_nothing_limits_their_memory(tmp_path: Path) -> None:
    setting = tmp_path / "pages"
    setting.write_text("16384\n", encoding="ascii")

    said = with_pipes(FOUND, limited=False, setting=setting)

    assert (said.detail, said.fix) == (f"good{SHARED_PIPES}", "")


@pytest.mark.parametrize("content", ["0\n", None])
def test_doctor_says_nothing_where_the_kernel_does_not_count_pipes(
    tmp_path: Path, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "pages").write_text(content, encoding="ascii")

    assert with_pipes(FOUND, limited=True, setting=tmp_path / "pages") == FOUND
