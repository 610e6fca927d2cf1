"""Which containers a process may remove as left behind."""

import os
import subprocess
import sys

from steelyard.environments.owners import HOST, OWNER, is_abandoned, owner_labels


def test_the_containers_of_a_running_process_are_kept() -> None:
    assert not is_abandoned(owner_labels("run"))


def test_the_containers_of_an_ended_process_are_abandoned() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    assert is_abandoned({**owner_labels("run"), OWNER: f"{ended.pid}-1"})


def test_a_process_that_got_the_id_of_an_ended_one_is_not_its_owner() -> None:
    assert is_abandoned({**owner_labels("run"), OWNER: f"{os.getpid()}-1"})


def test_containers_of_other_machines_and_programs_are_kept() -> None:
    assert not is_abandoned({**owner_labels("run"), OWNER: "1-1", HOST: "another boot"})
    assert not is_abandoned({})
    assert not is_abandoned({**owner_labels("run"), OWNER: "no id"})
