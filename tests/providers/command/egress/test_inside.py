"""What a command is given to reach the proxy."""

from pathlib import Path

from steelyard.model.execution import Bind, Command
from steelyard.providers.command.egress.inside import PROXY, certificates, with_proxy


def test_the_command_keeps_what_it_has_and_begins_with_the_forwarder() -> None:
    plain = Command(argv=("agent", "x"), files={"a": b"1"}, env={"K": "v"}, binds=(Bind(source="/usr"),))

    command = with_proxy(plain, Path("/folder/proxy.sock"))

    assert command.argv[-2:] == ("agent", "x")
    assert command.argv[-3] == PROXY
    assert command.files[command.argv[-4]].startswith(b'"""Inside the sandbox')
    assert (command.files["a"], command.env, command.limits) == (b"1", plain.env, plain.limits)
    assert set(command.binds) >= {Bind(source="/usr"), Bind(source="/folder/proxy.sock", at=PROXY)}


def test_nothing_is_shown_twice() -> None:
    once = with_proxy(Command(argv=("agent",)), Path("/folder/proxy.sock"))

    assert (
        with_proxy(Command(argv=("agent",), binds=once.binds), Path("/folder/proxy.sock")).binds == once.binds
    )


def test_a_machine_without_certificates_gives_none(tmp_path: Path) -> None:
    assert not certificates((str(tmp_path / "none"),))
    assert certificates((str(tmp_path),)) == [Bind(source=str(tmp_path))]
