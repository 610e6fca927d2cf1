"""Send reports to other systems of record, such as MLflow.

What is sent is made here; how each system keeps it is a package of its own.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import cast

from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import SinkError, SteelyardError, UserError
from steelyard.model.report import Report
from steelyard.model.run import Manifest, words_of
from steelyard.model.sent_run import SentRun, SentSubject
from steelyard.plugins import SINKS, load
from steelyard.ports import Sink
from steelyard.providers.secrets import secret_values, without_credentials, without_secrets
from steelyard.render.flat import metrics_by_name
from steelyard.render.formats import renderer
from steelyard.store.run.run_store import open_run

FILES = {"report.json": "json", "report.html": "html"}
LONGEST = 500  # characters of a system's error; some send whole pages


def find_sinks(names: str | Iterable[str]) -> dict[str, Sink]:
    """Return sinks by name, ready to send; raises UserError for one that is unknown or not set up."""
    return {name: _made(name) for name in ([names] if isinstance(names, str) else names)}


def send_report(
    report: Report, run: RunAddress, *, sinks: str | Iterable[str] | Mapping[str, Sink]
) -> dict[str, str]:
    """Send the report of a run to sinks, and return where each one keeps it.

    `run` is the address of the run; `sinks` are names, or sinks under names of your own. All of them are
    tried. If some fail, SinkError says which and why; the run and the report are as they were. A run that is
    not finished is refused: other systems keep numbers as if they were final.
    """
    run = address_of(run)
    receivers = sinks if isinstance(sinks, Mapping) else find_sinks(sinks)
    if not receivers:
        return {}
    if report.planned_samples is not None:
        raise UserError(
            f"this run has {report.seen_samples} of {report.planned_samples} samples, and is sent when it is "
            f"complete: steelyard run --resume {shlex.quote(str(run))}"
        )
    store = open_run(run)
    sent = sent_run(report, store.manifest, name=Path(store.location.address).name)
    places: dict[str, str] = {}
    failures: dict[str, str] = {}
    for name, sink in receivers.items():
        try:
            places[name] = _cleaned(sink.send(sent))
        except Exception as error:  # noqa: BLE001  # another package's, and the report must not be lost
            failures[name] = _said(error)
    if failures:
        # Raised outside of the handler, so that no traceback shows the other package's own message.
        raise SinkError(_message(failures, places, str(run)))
    return places


def sent_run(report: Report, manifest: Manifest, *, name: str) -> SentRun:
    """Make the record of a run that sinks receive."""
    generated = {(subject.model, subject.tier): subject.parameters for subject in manifest.subjects}
    subjects = tuple(
        SentSubject(
            key=_key(manifest.id, subject.model, subject.tier),
            model=subject.model,
            tier=subject.tier,
            parameters={
                **generated.get((subject.model, subject.tier), {}),
                "model": subject.model,
                "tier": subject.tier,
            },
            metrics=metrics_by_name(subject, report.settings),
        )
        for subject in report.subjects
    )
    return SentRun(
        key=_key(manifest.id),
        name=name,
        parameters=_parameters(manifest),
        tags=_tags(report, manifest),
        subjects=subjects,
        report=report,
        files={file: str(renderer(form, Report).render(report)) for file, form in FILES.items()},
    )


def _parameters(manifest: Manifest) -> dict[str, str]:
    named = {
        "run": manifest.id,
        "created_at": manifest.created_at,
        "eval_set": manifest.eval_set,
        "benchmark": manifest.benchmark and manifest.benchmark.name,
        "seed": manifest.seed,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def _tags(report: Report, manifest: Manifest) -> dict[str, str]:
    settings = report.settings
    named = {
        "generator": report.generator,
        "scoring": settings.scoring.name,
        "level": settings.level,
        "missing": settings.missing,
        "errors": settings.errors,
        "eval_set_digest": manifest.eval_set_digest,  # another one after a regrade with changed tests
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def _key(*names: str) -> str:
    words = words_of(*names).encode("utf-8", "surrogatepass")
    return blake2b(words, digest_size=16).hexdigest()


def _made(name: str) -> Sink:
    make = cast("Callable[[], Sink]", load(SINKS, name, group="sinks"))
    try:
        return make()
    except SteelyardError:
        raise
    except Exception as error:  # noqa: BLE001  # another package's
        text = _said(error)
    raise UserError(f"the sink {name!r} is not set up: {text}")


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {_cleaned(str(error))}".removesuffix(": ")


def _cleaned(text: str) -> str:
    """Remove line breaks, keys and passwords from another package's message."""
    hidden = without_secrets(without_credentials(text), secret_values(os.environ))
    return re.sub(r"\s+", " ", hidden).strip()[:LONGEST]


def _message(failures: Mapping[str, str], places: Mapping[str, str], run: str) -> str:
    lines = [f"{name} did not take the report: {failure}" for name, failure in failures.items()]
    lines += [f"{name} took it: {index}" for name, index in places.items()]
    again = " ".join(f"--sink {shlex.quote(name)}" for name in failures)
    lines.append(
        f"The run and its report are complete. Send it again: steelyard report {shlex.quote(run)} {again}"
    )
    return "\n".join(lines)
