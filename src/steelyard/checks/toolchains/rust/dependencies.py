"""Build the libraries that a case lets an answer use, once for each set of them, with cargo and offline.

The sources lie among the case's files (`vendor/NAME/…`) or in a folder made by `cargo vendor`; nothing is
fetched. The answer itself never meets cargo, so it can bring no manifest, no build script and no settings.
"""

import io
import json
import shutil
import tarfile
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.rust.toolchain import Toolchain
from steelyard.checks.toolchains.rust.vendored import VENDOR, missing_crates, vendor_digest, vendor_folder
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.case import Case, Dependency
from steelyard.model.execution import GIB, MIB, Bind, Command, Limits
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox

_VENDORED = "vendored"  # where a build sees the folder made by `cargo vendor`
_LIBRARIES = "libraries"  # where a build sees the libraries that are ready
_LIMITS = Limits(
    wall_s=600,
    cpu_s=1200,
    memory_bytes=4 * GIB,
    workspace_bytes=2 * GIB,
    file_bytes=512 * MIB,
    keep_bytes=512 * MIB,
    processes=256,
    output_bytes=16 * MIB,
)
_SCRIPT = """
"$1" build --offline --message-format=json --quiet >built.jsonl || exit 1
cd target/debug/deps && tar -cf ../../../deps.tar --exclude='*.d' .
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Libraries that are ready: the options by which the compiler finds them, and where they lie."""

    options: tuple[str, ...] = ()
    binds: tuple[Bind, ...] = ()

    def with_features(self, features: Iterable[str]) -> "Built":
        """Return the same with features of the answer's own crate switched on."""
        names = sorted(features)
        known = ", ".join(f'"{name}"' for name in names)
        switched = [word for name in names for word in ("--cfg", f'feature="{name}"')]
        check = ("--check-cfg", f"cfg(feature, values({known}))")
        return replace(self, options=(*self.options, *check, *switched))


class Dependencies:
    """Keeps the libraries it has built in a folder that goes when it goes; safe to use from many threads."""

    def __init__(self, sandbox: Sandbox, toolchain: Toolchain, *, vendor: Path | None = None) -> None:
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._given = vendor
        self._lock = threading.Lock()
        self._known: dict[str, Built] = {}
        self._folder: Path | None = None
        self._tools: dict[str, str] | None = None

    def of(self, case: Case) -> Built:
        """Return the libraries of a case, built."""
        if not case.dependencies:
            return Built()
        manifest = _manifest(case)
        vendored = {name: text for name, text in case.files.items() if name.startswith(f"{VENDOR}/")}
        digest = text_digest(json.dumps([manifest, vendored, self._toolchain.version], sort_keys=True))
        with self._lock:
            if digest not in self._known:
                packed, output = self._build(manifest, vendored)
                asked = {dependency.name for dependency in case.dependencies}
                self._known[digest] = self._unpacked(packed, output, digest, asked)
            return self._known[digest]

    @property
    def _vendor(self) -> Path | None:
        """The folder of crates; asked for only where a case has dependencies."""
        return self._given or vendor_folder()

    def tools(self, case: Case) -> dict[str, str]:
        """Return what names the crates of the folder for the digest of a case's check, if it may use them."""
        if not missing_crates((case,), None) or self._vendor is None:
            return {}
        if self._tools is None:
            self._tools = {"vendor": vendor_digest(self._vendor)}
        return self._tools

    def _build(self, manifest: str, vendored: dict[str, str]) -> tuple[bytes, str]:
        """Return all libraries in one archive, and what cargo said about them."""
        if not self._toolchain.has_cargo:
            raise InfrastructureError("a case has dependencies, and cargo is not installed")
        result = self._sandbox.run(
            Command(
                argv=("/bin/sh", "-c", _SCRIPT, "sh", self._toolchain.tool("cargo")),
                files={name: text.encode() for name, text in self._sources(manifest, vendored)},
                binds=(*self._toolchain.binds, *self._vendor_binds()),
                env={
                    "PATH": f"{self._toolchain.sysroot}/bin:/usr/local/bin:/usr/bin:/bin",
                    "CARGO_HOME": ".cargo-home",
                    "CARGO_INCREMENTAL": "0",
                },
                keep=("built.jsonl", "deps.tar"),
                limits=_LIMITS,
            )
        )
        if not result.succeeded:
            why = excerpt(result.stderr.decoded() + result.files.get("built.jsonl", b"").decode())
            raise InputError(f"the dependencies of a case cannot be built: {why or result.limit}")
        return result.files["deps.tar"], result.files["built.jsonl"].decode()

    def _sources(self, manifest: str, vendored: dict[str, str]) -> Iterator[tuple[str, str]]:
        yield "Cargo.toml", manifest
        yield "src/lib.rs", ""
        yield from vendored.items()
        if self._vendor is not None:
            yield (
                ".cargo/config.toml",
                (
                    '[source.crates-io]\nreplace-with = "vendored"\n'
                    f'[source.vendored]\ndirectory = "{_VENDORED}"\n'
                ),
            )

    def _vendor_binds(self) -> tuple[Bind, ...]:
        return () if self._vendor is None else (Bind(source=str(self._vendor.resolve()), at=_VENDORED),)

    def _unpacked(self, packed: bytes, said: str, digest: str, asked: set[str]) -> Built:
        """Lay the libraries where every later build can read them, and note which ones were asked for."""
        folder = self._shelf() / digest
        folder.mkdir()
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                # Plain files of one folder: earlier versions of Python 3.11 have no filter for anything else.
                if member.isreg() and (content := archive.extractfile(member)):
                    library = folder / Path(member.name).name
                    library.write_bytes(content.read())
                    library.chmod(0o644)
        # The folder is world-readable: the build in the sandbox runs as another user.
        folder.chmod(0o755)
        externs = [
            word
            for name, file in sorted(_artifacts(said, asked).items())
            for word in ("--extern", f"{name}={_LIBRARIES}/{file}")
        ]
        bind = Bind(source=str(folder), at=_LIBRARIES)
        return Built(options=("-L", f"dependency={_LIBRARIES}", *externs), binds=(bind,))

    def _shelf(self) -> Path:
        """Return the folder for all libraries, which goes when this object goes."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="steelyard-rust-"))
            self._folder.chmod(0o755)
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder


def _manifest(case: Case) -> str:
    """Return a manifest that asks for a case's dependencies."""
    lines = [
        '[package]\nname = "steelyard-dependencies"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]'
    ]
    lines += [_line(dependency, case) for dependency in case.dependencies]
    return "\n".join(lines) + "\n"


def _line(dependency: Dependency, case: Case) -> str:
    text = {"version": json.dumps(dependency.version), "features": json.dumps(list(dependency.features))}
    if f"{VENDOR}/{dependency.name}/Cargo.toml" in case.files:
        text["path"] = json.dumps(f"{VENDOR}/{dependency.name}")
    return f"{dependency.name} = {{ {', '.join(f'{key} = {value}' for key, value in text.items())} }}"


def _artifacts(said: str, asked: set[str]) -> dict[str, str]:
    """Return the file of each library that was asked for by the name that code uses, as cargo tells them."""
    artifacts = {}
    for line in said.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact":
            continue
        files = (Path(file).name for file in message["filenames"] if file.endswith((".rlib", ".so")))
        if _package(message["package_id"]) in asked and (file := next(files, None)):
            artifacts[message["target"]["name"].replace("-", "_")] = file
    return artifacts


def _package(identity: str) -> str:
    """Return the name of a package by what cargo calls it.

    >>> _package("registry+https://index#itoa@1.0.0"), _package("path+file:vendor/shapes#1.2.3")
    ('itoa', 'shapes')
    """
    index, _, rest = identity.partition("#")
    name, _, version = rest.partition("@")
    return name if version else index.rpartition("/")[2]
