"""Every sandbox that isolates: no network, host files, environment or devices, no way up or sideways."""

import os
import signal
import socket
import threading
from pathlib import Path
from typing import Literal

import pytest

from steelyard.model.execution import Command, Limits
from steelyard.ports import Sandbox
from tests.sandbox.backends import BINDS, ISOLATING, script
from tests.sandbox.mounts import told_with_mounts


def told(sandbox: Sandbox, source: str, **options: object) -> str:
    """Run a script and return what it printed."""
    result = sandbox.run(script(source, **options))
    assert result.exit_code == 0, result.stderr.decoded()
    return result.stdout.decoded().strip()


def test_nobody_outside_can_be_reached(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        source = f"""
import socket
for host in ("127.0.0.1", "localhost", "192.0.2.1"):
    try:
        socket.create_connection((host, {server.getsockname()[1]}), timeout=0.3)
        print("reached", host)
    except OSError:
        pass
"""
        assert not told(sandbox, source)


def test_an_abstract_socket_outside_can_not_be_reached(sandbox: Sandbox) -> None:
    name = f"\0steelyard-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        source = f"""
import socket
try:
    socket.socket(socket.AF_UNIX).connect({name!r})
    print("reached")
except OSError:
    pass
"""
        assert not told(sandbox, source)


def test_there_is_no_network_interface_but_the_loopback(sandbox: Sandbox) -> None:
    source = "print(*[line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]])"

    assert told(sandbox, source) == "lo"


def test_the_environment_holds_nothing_of_ours(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "sk-secret")
    source = """
import os, glob
seen = dict(os.environ)
for path in glob.glob("/proc/[0-9]*/environ"):
    try: seen[path] = open(path).read()
    except OSError: pass
print("secret" in str(seen).lower(), sorted(os.environ))
"""
    assert told(sandbox, source) == "False ['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR']"


def test_files_of_this_machine_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    places = [
        str(tmp_path / "secret"),
        str(Path.home()),
        "/etc/shadow",
        "/root",
        "/home",
        "/var",
        "/run",
        "/sys",
        __file__,
    ]
    source = f"""
import os
for path in {places!r}:
    try:
        print(path, os.listdir(path) if os.path.isdir(path) else open(path).read())
    except OSError:
        pass
"""
    # A toolchain below a home folder brings the folders above it, and they hold nothing else.
    seen = [line for line in told(sandbox, source).splitlines() if "secret" in line or ".ssh" in line]
    assert not seen
    shown = {path.parts[1] for path in (Path(bind.source) for bind in BINDS)}
    theirs = {"home", "var", "run", "srv", "mnt", "media", "boot", "opt", "root"} - shown
    assert not theirs.intersection(told(sandbox, "import os; print(*os.listdir('/'))").split())
    assert "shadow" not in told(sandbox, "import os; print(os.listdir('/etc'))")


def test_the_names_of_this_machines_users_are_not_there(sandbox: Sandbox) -> None:
    assert told(sandbox, "print(*[line.split(':')[0] for line in open('/etc/passwd')])") == "root box"


def test_nothing_can_be_written_but_the_workspace(sandbox: Sandbox) -> None:
    source = """
import os
written = []
for folder in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/lib", "/proc", "/proc/sys/kernel", "/.ready", "."):
    try:
        open(f"{folder}/mine", "w").write("x")
        written.append(folder)
    except OSError:
        pass
for path in ("/usr/bin/env", "/etc/passwd", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"):
    try:
        os.write(os.open(path, os.O_WRONLY), b"x")
        written.append(path)
    except OSError:
        pass
print(*written)
"""
    assert told(sandbox, source) == "."


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("name", ISOLATING)
def test_what_is_mounted_below_a_shown_folder_cannot_be_written(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "shown"
    (folder / "below").mkdir(parents=True)
    program = """
import sys
from steelyard.model.execution import Bind
from tests.sandbox.backends import BINDS, ISOLATING, script
attempt = '''
for folder in ("shown/below", "/usr/share", "."):
    try: open(f"{folder}/mine", "w"); print(folder)
    except OSError: pass
'''
sandbox = ISOLATING[sys.argv[1]]()
print(sandbox.run(script(attempt, binds=[Bind(source=sys.argv[2], at="shown")])).stdout.decoded())
sandbox.close()
"""

    assert told_with_mounts(program, name, str(folder), at=[f"{folder}/below", "/usr/share"]) == "."


def test_a_read_only_file_can_be_neither_changed_nor_replaced(sandbox: Sandbox) -> None:
    source = """
import os, shutil
paths = ["tests.py", "data/deep/rows.json"]
paths += [os.path.abspath(path) for path in paths]
folders = ["data/deep", "data", "/box/work/data/deep", "/box/work/data", "/box/work", "/box"]
def forge(folder):
    os.rename(folder, "/box/tmp/old" if folder.startswith("/") else "old")
    os.makedirs(folder)
attempts = [lambda path=path: open(path, "w") for path in paths]
attempts += [lambda path=path: os.chmod(path, 0o666) or open(path, "w") for path in paths]
attempts += [lambda path=path: os.unlink(path) for path in paths]
attempts += [lambda path=path: os.rename("main.py", path) for path in paths]
attempts += [lambda folder=folder: forge(folder) for folder in folders]
attempts += [lambda folder=folder: os.rename(folder, f"{folder}.old") for folder in folders]
attempts += [lambda folder=folder: shutil.rmtree(folder) for folder in folders]
attempts.append(lambda: shutil.rmtree("."))
for attempt in attempts:
    try: attempt()
    except OSError: pass
for path in paths:
    try: os.makedirs(os.path.dirname(path), exist_ok=True); open(path, "x").write("forged")
    except OSError: pass
print(*{open(path).read() for path in paths})
"""
    files = {"tests.py": b"assert True", "data/deep/rows.json": b"assert True"}

    assert told(sandbox, source, files=files, read_only=frozenset(files)) == "assert True"


def test_there_are_no_devices_but_the_harmless_ones(
    sandbox: Sandbox, own_kernel: Literal[True, False]
) -> None:
    # Devices of a kernel of its own lead to that kernel, and to nothing of this machine.
    own = {"fuse", "net", "pts", "shm"} if own_kernel else set()
    source = f"""
import os, stat
harmless = {{"null", "zero", "full", "random", "urandom", "tty"}} | {own!r}
found = [n for n in os.listdir("/dev") if not stat.S_ISLNK(os.lstat(f"/dev/{{n}}").st_mode)]
print(sorted(set(found) - harmless))
try:
    os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    print("made a device")
except OSError: pass
"""
    assert told(sandbox, source) == "[]"


def test_no_privileges_and_no_way_to_get_any(sandbox: Sandbox) -> None:
    source = """
import ctypes, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid() == os.geteuid() >= 1000, os.getgroups() in ([], [os.getgid()]),
      *{int(status.get(f"Cap{name}", "0"), 16) for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")},
      ctypes.CDLL(None).prctl(39, 0, 0, 0, 0), status["Seccomp"].strip())  # no new privileges, a filter
for name, value in (("setuid", 0), ("setgid", 0), ("setgroups", [0]), ("chroot", "/box")):
    try: getattr(os, name)(value); print("got it by", name)
    except OSError: pass
"""
    assert told(sandbox, source) == "True True 0 1 2"


CALLS = {  # number on x86-64, arguments
    "ptrace a child": (101, (0, 0, 0, 0)),
    "read another's memory": (310, (1, 0, 0, 0, 0, 0)),
    "bpf": (321, (0, 0, 0)),
    "perf": (298, (0, 0, -1, -1, 0)),
    "keys": (250, (0, 0, 0, 0)),
    "userfaultfd": (323, (0,)),
    "mount": (165, (0, 0, 0, 0, 0)),
    "unshare the user namespace": (272, (0x10000000,)),
    "unshare the mount namespace": (272, (0x00020000,)),
    "clone into a user namespace": (56, (0x10000011, 0, 0, 0, 0)),
    "io_uring": (425, (1, 0)),
    "open by handle": (304, (0, 0, 0)),
    "personality without randomisation": (135, (0x0040000,)),
    # A descriptor that is not there has another error than any refusal.
    "type into the terminal": (16, (-1, 0x5412, 0)),
    "type into it by a number of which the kernel reads half": (16, (-1, 0x100005412, 0)),
    "steer a terminal": (16, (-1, 0x541C, 0)),
    "have its cores handed over": (302, (0, 4, 1, 0)),
    "the same by the older call": (160, (4, 1)),
    "packet sockets": (41, (17, 3, 0)),
    "a filter of its own by the older call": (157, (22, 2, 0, 0, 0)),
    "the same by a number of which the kernel reads half": (157, (0x100000016, 2, 0, 0, 0)),
    "kexec": (246, (0, 0, 0, 0)),
    "load a module": (175, (0, 0, 0)),
    "set the clock": (227, (0, 0)),
    "reboot": (169, (0, 0, 0, 0)),
}
SELDOM_USED = {  # which a kernel of its own may have
    "asynchronous reads": (206, (1, 0)),
    "give pages to a pipe": (278, (-1, 0, 0, 0)),
    "memory that is secret": (447, (0,)),
    "a filter of its own": (317, (2, 0, 0)),
    "flush the disks of this machine": (306, (-1,)),
    "a number that no kernel has": (5000, ()),
}
REFUSALS = ("EPERM", "EAFNOSUPPORT", "ENOSYS", "ENOTTY")


def test_dangerous_system_calls_are_refused(sandbox: Sandbox, own_kernel: Literal[True, False]) -> None:
    calls = CALLS if own_kernel else {**CALLS, **SELDOM_USED}
    source = f"""
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for name, (number, arguments) in {calls!r}.items():
    ctypes.set_errno(0)
    worked = libc.syscall(number, *map(ctypes.c_long, arguments)) != -1
    if worked or errno.errorcode[ctypes.get_errno()] not in {REFUSALS!r}:
        print(name, ctypes.get_errno())
"""
    assert not told(sandbox, source)


def test_the_second_set_of_system_calls_is_not_there(sandbox: Sandbox) -> None:
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(0x40000000 + 39), ctypes.get_errno())
"""
    result = sandbox.run(script(source))

    assert result.stdout.text == b"-1 38\n" or result.signal == signal.SIGSYS


def test_clone3_is_not_there_and_threads_work_all_the_same(sandbox: Sandbox) -> None:
    source = """
import ctypes, threading, subprocess
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(435, 0, 0), ctypes.get_errno())
thread = threading.Thread(target=lambda: print("thread"))
thread.start(); thread.join()
print(subprocess.run(["/bin/echo", "process"], capture_output=True, text=True).stdout.strip())
"""
    assert told(sandbox, source).split("\n") == ["-1 38", "thread", "process"]


def test_nobody_else_is_there(sandbox: Sandbox) -> None:
    source = """
import os
print([int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()])
for pid in range(2, 400):
    if pid != os.getpid():
        try:
            os.kill(pid, 9)
            print(pid, "was there")
        except OSError:
            pass
"""
    assert told(sandbox, source) == "[1]"


def test_whoever_kills_everybody_kills_nobody_or_itself(
    sandbox: Sandbox, own_kernel: Literal[True, False]
) -> None:
    source = """
import os
for pid in (1, -1):
    try: os.kill(pid, 9)
    except OSError: pass
print("still here")
"""
    result = sandbox.run(script(source))

    if own_kernel:
        # The first process of a gVisor container can be killed, and everything ends with it,
        # a moment later: whether the script gets as far as its last line is left open.
        assert result.signal == signal.SIGKILL
    else:
        assert (result.stdout.text, result.signal) == (b"still here\n", None)


def test_the_first_process_tells_nothing(sandbox: Sandbox) -> None:
    source = """
import os
for place in ("environ", "cmdline", "mem", "maps"):
    try:
        text = open(f"/proc/1/{place}", "rb").read(100_000)
        print(place, b"SECRET" in text, b"secret" in text)
    except OSError:
        pass
ours = {os.readlink(f"/proc/self/fd/{number}") for number in range(3)} | {"/dev/null"}
try:
    names = os.listdir("/proc/1/fd")
except OSError:
    names = []
for name in names:
    if os.readlink(f"/proc/1/fd/{name}") not in ours:
        try: os.open(f"/proc/1/fd/{name}", os.O_WRONLY); print("True: opened", name)
        except OSError: pass
"""
    assert "True" not in told(sandbox, source)


def test_two_commands_at_a_time_do_not_meet(sandbox: Sandbox) -> None:
    leave = """
import os, socket, time
for folder in (".", "/tmp", "/box", "/dev/shm", os.environ["HOME"]):
    open(f"{folder}/left", "w").write("left")
try:
    server = socket.socket(socket.AF_UNIX); server.bind("\\0left"); server.listen()
except OSError: pass
try:
    lan = socket.create_server(("127.0.0.1", 45678))
except OSError: pass
print("here", flush=True)
time.sleep(1)
"""
    look = """
import os, socket
for folder in (".", "/tmp", "/box", "/dev/shm", os.environ["HOME"]):
    if os.path.exists(f"{folder}/left"): print(folder)
for family, address in ((socket.AF_UNIX, "\\0left"), (socket.AF_INET, ("127.0.0.1", 45678))):
    try:
        socket.socket(family).connect(address); print("met", address)
    except OSError: pass
"""
    leaving = threading.Thread(target=sandbox.run, args=[script(leave)])
    leaving.start()
    threading.Event().wait(0.4)

    seen = [told(sandbox, look) for _ in range(3)]
    leaving.join()

    assert seen == ["", "", ""]
    assert told(sandbox, look) == ""


def test_set_user_id_programs_give_nothing(sandbox: Sandbox) -> None:
    result = sandbox.run(Command(argv=("/bin/su", "-c", "id"), limits=Limits(wall_s=5)))

    assert b"uid=0" not in result.stdout.text
    assert not result.succeeded
