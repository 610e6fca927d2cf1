"""What a command is given to reach the proxy."""

from pathlib import Path

from steelyard.model.execution import Bind, Command
from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, allow_list
from steelyard.providers.command.egress.inside import PROXY, certificates, with_proxy

SOCKET = Path("/folder/proxy.sock")


def test_the_command_keeps_what_it_has_and_begins_with_the_forwarder() -> None:
    plain = Command(argv=("agent", "x"), files={"a": b"1"}, env={"K": "v"}, binds=(Bind(source="/usr"),))

    command = with_proxy(plain, SOCKET, ANY_PUBLIC)

    assert command.argv[-2:] == ("agent", "x")
    assert command.argv[-4:-2] == (PROXY, "localhost,127.0.0.1,::1")
    assert command.files[command.argv[-5]].startswith(b'"""Inside the sandbox')
    assert (command.files["a"], command.env, command.limits) == (b"1", plain.env, plain.limits)
    assert set(command.binds) >= {Bind(source="/usr"), Bind(source="/folder/proxy.sock", at=PROXY)}


def test_an_address_that_is_listed_is_not_the_sandboxs_own() -> None:
    command = with_proxy(Command(argv=("agent",)), SOCKET, allow_list(["127.0.0.1:8000"]))

    assert command.argv[-2] == "localhost,::1"


def test_nothing_is_shown_twice() -> None:
    once = with_proxy(Command(argv=("agent",)), SOCKET, ANY_PUBLIC)

    assert with_proxy(Command(argv=("agent",), binds=once.binds), SOCKET, ANY_PUBLIC).binds == once.binds


def test_a_machine_without_certificates_gives_none(tmp_path: Path) -> None:
    assert not certificates((str(tmp_path / "none"),))
    assert certificates((str(tmp_path),)) == [Bind(source=str(tmp_path))]
