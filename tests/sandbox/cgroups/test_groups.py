"""Control groups: version 1 for real where this machine has it; version 2 for real as far as it counts there,
and its limits on a folder that looks like one."""

import errno
import os
import subprocess
import time
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.model.execution import MIB, Limits
from steelyard.sandbox.cgroups.find import candidates, find_cgroups, sweep
from steelyard.sandbox.cgroups.groups import GroupPool, GroupV1, GroupV2, TreesV1, TreeV2, group_prefix
from steelyard.sandbox.probe import limits_by
from steelyard.sandbox.sandbox_process import kill_members


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="ascii")
    return folder


def v2_group(folder: Path, **changes: str) -> GroupV2:
    files = {
        "memory__max": "max",
        "memory__events": "low 0\noom 0\noom_kill 0\n",
        "memory__peak": "0",
        "pids__max": "max",
        "pids__events": "max 0\n",
        "cpu__stat": "usage_usec 0\nuser_usec 0\n",
        "cgroup__procs": "",
    }
    return GroupV2(folder=written(folder, **{**files, **changes}))


def test_version_2_sets_limits_and_tells_what_was_used(tmp_path: Path) -> None:
    group = v2_group(tmp_path)

    group.begin(Limits(memory_bytes=64 * MIB, processes=9))
    written(tmp_path, memory__events="oom_kill 2\n", memory__peak="5000", cpu__stat="usage_usec 1500000\n")
    written(tmp_path, pids__events="max 1\n", cgroup__procs="12\n13\n")
    used = group.usage()

    assert (tmp_path / "memory.max").read_text(encoding="ascii") == str(64 * MIB)
    assert (tmp_path / "pids.max").read_text(encoding="ascii") == "10"
    assert (used.cpu_s, used.peak_memory_bytes) == (1.5, 5000)
    assert (used.out_of_memory, used.out_of_processes) == (True, True)
    assert group.members() == [12, 13]
    assert not group.reusable()


def test_version_2_allows_no_swap_and_kills_the_whole_group(tmp_path: Path) -> None:
    v2_group(tmp_path, memory__swap__max="max", memory__oom__group="0").begin(Limits())

    assert (tmp_path / "memory.swap.max").read_text(encoding="ascii") == "0"
    assert (tmp_path / "memory.oom.group").read_text(encoding="ascii") == "1"


def test_version_2_counts_from_the_beginning_of_the_command(tmp_path: Path) -> None:
    group = v2_group(
        tmp_path, memory__events="oom_kill 5\n", pids__events="max 7\n", cpu__stat="usage_usec 100\n"
    )

    group.begin(Limits())

    assert group.usage().out_of_memory is False
    assert group.usage().out_of_processes is False
    assert group.cpu_s() == 0


def test_a_process_joins_a_group_of_version_2_by_its_number(tmp_path: Path) -> None:
    group = v2_group(tmp_path)

    group.join(4321)

    assert (tmp_path / "cgroup.procs").read_text(encoding="ascii") == "4321"


def proc(folder: Path, groups: str, mounts: str) -> Path:
    return written(folder, cgroup=groups, mountinfo=mounts)


def test_groups_of_version_2_are_made_below_us_where_memory_is_shared_out(tmp_path: Path) -> None:
    tree = written(tmp_path / "tree" / "me", cgroup__subtree_control="memory pids\n")
    mount = f"30 1 0:26 / {tmp_path / 'tree'} rw - cgroup2 cgroup2 rw\n"

    found = list(candidates(proc(tmp_path / "proc", "0::/me\n", mount)))

    assert found == [TreeV2(folder=tree)]


def test_groups_of_version_2_are_made_beside_us_where_they_cannot_be_below(tmp_path: Path) -> None:
    parent = written(tmp_path / "tree", cgroup__subtree_control="cpu memory pids\n")
    written(parent / "me", cgroup__subtree_control="", cgroup__controllers="cpu\n")
    mount = f"30 1 0:26 / {parent} rw - cgroup2 cgroup2 rw\n"

    found = list(candidates(proc(tmp_path / "proc", "0::/me\n", mount)))

    assert found == [TreeV2(folder=parent)]


def test_a_container_finds_its_own_group_where_it_is_mounted(tmp_path: Path) -> None:
    tree = written(tmp_path / "tree", cgroup__subtree_control="memory pids\n")
    mount = f"30 1 0:26 /pods/mine {tree} rw - cgroup2 cgroup2 rw\n"

    found = list(candidates(proc(tmp_path / "proc", "0::/pods/mine\n", mount)))
    other = list(candidates(proc(tmp_path / "proc", "0::/pods/mine-too\n", mount)))

    assert (found, other) == ([TreeV2(folder=tree)], [])


def sharing(folder: Path, given: str) -> tuple[Path, Path]:
    """Return a group that has controllers and shares some of them out, and the files of a process in it."""
    files = {"cgroup__controllers": "cpu memory pids\n", "cgroup__subtree_control": given}
    group = written(folder / "tree" / "me", **files)
    mount = f"30 1 0:26 / {group.parent} rw - cgroup2 cgroup2 rw\n"
    return group, proc(folder / "proc", "0::/me\n", mount)


def asked_for(monkeypatch: pytest.MonkeyPatch, *, refused: str = "nothing") -> list[str]:
    """Return what will be written from now on, by a kernel that refuses to share out one controller."""
    asked: list[str] = []

    def write(_: Path, text: str, encoding: str) -> int:
        assert encoding == "ascii"
        asked.append(text)
        if refused in text:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return len(text)

    monkeypatch.setattr(Path, "write_text", write)
    return asked


def test_memory_is_asked_for_where_it_is_not_shared_out_yet_and_then_the_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = written(
        tmp_path / "tree" / "me", cgroup__subtree_control="", cgroup__controllers="cpu memory pids\n"
    )
    mount = f"30 1 0:26 / {tree.parent} rw - cgroup2 cgroup2 rw\n"
    own = proc(tmp_path / "proc", "0::/me\n", mount)
    asked = asked_for(monkeypatch)

    assert list(candidates(own)) == [TreeV2(folder=tree)]
    assert asked == ["+memory +pids", "+cpu"]


def test_processors_are_not_asked_for_where_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that holds processes would become a domain of threads, in which memory is never shared out."""
    tree = written(
        tmp_path / "tree" / "me", cgroup__subtree_control="", cgroup__controllers="cpu memory pids\n"
    )
    mount = f"30 1 0:26 / {tree.parent} rw - cgroup2 cgroup2 rw\n"
    own = proc(tmp_path / "proc", "0::/me\n", mount)
    asked = asked_for(monkeypatch, refused="+memory")

    assert list(candidates(own)) == []
    assert asked == ["+memory +pids"]


def test_processors_stay_as_they_are_where_they_cannot_be_shared_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, own = sharing(tmp_path, "memory pids\n")
    asked = asked_for(monkeypatch, refused="+cpu")

    assert list(candidates(own)) == [TreeV2(folder=tree)]
    assert asked == ["+cpu"]


def mounted_v1(folder: Path, *controllers: str) -> Path:
    """Return the files of a process in trees of version 1, one for each set of controllers."""
    lines = ""
    for index, names in enumerate(controllers):
        tree = written(folder / names)
        lines += f"{31 + index} 1 0:{27 + index} / {tree} rw - cgroup cgroup rw,{names}\n"
    groups = "".join(f"{index}:{names}:/\n" for index, names in enumerate(controllers))
    return proc(folder / "proc", groups, lines)


def test_version_1_is_used_with_all_its_controllers(tmp_path: Path) -> None:
    found = list(candidates(mounted_v1(tmp_path, "memory", "pids", "cpu,cpuacct")))

    times = tmp_path / "cpu,cpuacct"
    assert found == [TreesV1(tmp_path / "memory", tmp_path / "pids", times, times)]
    assert limits_by(found[0]).endswith("control groups version 1")
    assert limits_by(TreeV2(folder=tmp_path)).endswith("control groups version 2")


@pytest.mark.parametrize("missing", ["memory", "pids", "cpu", "cpuacct"])
def test_version_1_is_not_used_if_a_limit_would_be_lost(tmp_path: Path, missing: str) -> None:
    controllers = {"memory", "pids", "cpu", "cpuacct"} - {missing}

    assert list(candidates(mounted_v1(tmp_path, *controllers))) == []


def test_a_group_of_version_1_is_made_in_all_trees_or_in_none(tmp_path: Path) -> None:
    memory = written(tmp_path / "memory")
    missing = tmp_path / "missing"

    with pytest.raises(OSError, match="missing"):
        TreesV1(memory, missing, missing, missing).make("group")

    assert list(memory.iterdir()) == []


def test_a_machine_without_control_groups_has_no_place_for_them(tmp_path: Path) -> None:
    assert list(candidates(proc(tmp_path / "proc", "", "1 1 0:1 / / rw - ext4 disk rw\n"))) == []
    assert find_cgroups(proc(tmp_path / "proc", "", "1 1 0:1 / / rw - ext4 disk rw\n")) is None


def test_a_kernel_without_control_groups_has_no_place_for_them(tmp_path: Path) -> None:
    mounts = "1 1 0:1 / / rw - ext4 disk rw\n31 1 0:27 / /memory rw - cgroup cgroup rw,memory\n"
    here = written(tmp_path / "proc", mountinfo=mounts)  # and no file that says in which groups we are

    assert list(candidates(here)) == []
    assert list(candidates(tmp_path / "not there")) == []


@pytest.mark.parametrize("name", [b"\xff", b"a\rb", b"a\x0cb", "a\u2028b".encode()])
def test_what_another_user_mounts_at_a_strange_path_hides_nothing(tmp_path: Path, name: bytes) -> None:
    tree = written(tmp_path / "tree", cgroup__subtree_control="memory pids\n")
    here = proc(tmp_path / "proc", "0::/\n", "")
    strange = b"29 1 0:25 / /tmp/" + name + b" rw - fuse.other other rw\n"
    (here / "mountinfo").write_bytes(strange + f"30 1 0:26 / {tree} rw - cgroup2 cgroup2 rw\n".encode())

    assert list(candidates(here)) == [TreeV2(folder=tree)]


def test_a_place_that_only_looks_like_one_is_found_out(tmp_path: Path) -> None:
    tree = written(tmp_path / "tree", cgroup__subtree_control="memory pids\n")
    mount = f"30 1 0:26 / {tree} rw - cgroup2 cgroup2 rw\n"

    assert find_cgroups(proc(tmp_path / "proc", "0::/\n", mount)) is None  # a folder grows no memory.max


def test_groups_of_the_dead_are_swept_and_those_of_the_living_or_of_other_containers_are_not(
    tmp_path: Path,
) -> None:
    dead, living = (f"{group_prefix(pid)}-1" for pid in (999999999, os.getpid()))
    elsewhere = "steelyard-1-999999999-1"  # a number that counts in another namespace of processes
    for name in (dead, living, elsewhere, "other"):
        (tmp_path / name).mkdir()

    sweep(TreeV2(folder=tmp_path))

    assert {path.name for path in tmp_path.iterdir()} == {living, elsewhere, "other"}


def real_tree() -> Path:
    """Return where this machine's tree of version 2 is, whatever it counts there."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return next(Path(line.split(" ")[4]) for line in lines if " - cgroup2 " in line)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make groups everywhere")
def test_a_real_kernel_of_version_2_holds_counts_and_lets_go_of_a_process() -> None:
    group = TreeV2(folder=real_tree()).make(f"{group_prefix(os.getpid())}-real")
    assert isinstance(group, GroupV2)
    # A tree that another version counts memory in has no limits to set; everything else is as in any.
    if (group.folder / "memory.max").exists():
        group.begin(Limits())
    # The shell enters by itself, as a warm interpreter does, and its child is in from the start.
    (door,) = group.cgroup_files()
    busy = f"echo 0 >{door}; while :; do :; done & echo; wait"
    with subprocess.Popen(["/bin/sh", "-c", busy], stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        members = group.members()
        while not (group.cpu_s() or 0) > 0.05:
            time.sleep(0.01)
        kill_members(group)
    used = group.usage()
    group.remove()

    assert (len(members), shell.pid in members) == (2, True)
    assert used.cpu_s is not None
    assert used.cpu_s > 0.05
    assert (used.out_of_memory, used.out_of_processes) == (False, False)
    assert not group.folder.exists()


def trees_of_version_1() -> TreesV1:
    trees = find_cgroups()
    if trees is None:
        pytest.skip("this user cannot create control groups")
    if not isinstance(trees, TreesV1):
        pytest.fail("this test is written for a machine with control groups of version 1")
    return trees


def test_a_pool_hands_out_the_same_group_again() -> None:
    trees = trees_of_version_1()
    pool = GroupPool(trees)

    with pool.taken(Limits()) as first, pool.taken(Limits()) as second:
        names = {first.name, second.name}
    with pool.taken(Limits()) as third:
        assert third.name in names
    pool.close()

    assert not [path for folder in trees.folders for path in folder.glob("steelyard-*") if path.name in names]


def test_a_group_that_takes_no_limits_is_replaced_by_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = trees_of_version_1()
    pool = GroupPool(trees)
    with pool.taken(Limits()) as stubborn:
        pass
    begin = GroupV1.begin

    def refuse(group: GroupV1, limits: Limits) -> None:
        if group.name == stubborn.name:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        begin(group, limits)

    monkeypatch.setattr(GroupV1, "begin", refuse)
    with pool.taken(Limits()) as other:
        left = [folder for folder in trees.folders if (folder / stubborn.name).exists()]
    pool.close()

    assert other.name != stubborn.name
    assert left == []


def test_where_no_group_can_be_made_the_sandbox_is_to_blame(tmp_path: Path) -> None:
    pool = GroupPool(TreeV2(folder=tmp_path / "not there"))

    with pytest.raises(SandboxError, match=r"control.*group"), pool.taken(Limits()):
        pytest.fail("there is no such group")
