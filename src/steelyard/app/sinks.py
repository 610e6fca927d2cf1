"""Send reports to other systems of record, such as MLflow.

This module creates the record; plug-ins send it.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import cast

from steelyard.app.formats import renderer
from steelyard.app.run_address import RunAddress, address_of
from steelyard.errors import SinkError, SteelyardError, UserError
from steelyard.model.report import Report
from steelyard.model.run import Manifest, words_of
from steelyard.model.sent_run import SentRun, SentSubject
from steelyard.plugins import SINKS, load
from steelyard.ports import Sink
from steelyard.providers.secrets import secret_values, without_credentials, without_secrets
from steelyard.render.flat import metrics_by_name
from steelyard.store.run.run_store import open_run

FILES = {"report.json": "json", "report.html": "html"}
LONGEST = 500  # characters kept of another system's error, which may be a whole page


def find_sinks(names: str | Iterable[str]) -> dict[str, Sink]:
    """Load sinks by name.

    Raises:
        UserError: A sink is unknown or not set up.
    """
    return {name: _load_sink(name) for name in ([names] if isinstance(names, str) else names)}


def send_report(
    report: Report, run: RunAddress, *, sinks: str | Iterable[str] | Mapping[str, Sink]
) -> dict[str, str]:
    """Send the report of a complete run to sinks; return its address in each.

    Args:
        report: The report.
        run: The run of the report.
        sinks: Names of sinks, or sinks by name.

    Raises:
        SinkError: Some sinks failed, after all were tried; run and report are unchanged.
        UserError: The run is not complete: other systems store numbers as final.
    """
    run = address_of(run)
    receivers = sinks if isinstance(sinks, Mapping) else find_sinks(sinks)
    if not receivers:
        return {}
    if report.planned_samples is not None:
        raise UserError(
            f"this run has {report.seen_samples} of {report.planned_samples} samples; complete it before "
            f"sending: steelyard run --resume {shlex.quote(str(run))}"
        )
    store = open_run(run)
    sent = sent_run(report, store.manifest, name=Path(store.location.address).name)
    addresses: dict[str, str] = {}
    failures: dict[str, str] = {}
    for name, sink in receivers.items():
        try:
            addresses[name] = _redact(sink.send(sent))
        except Exception as error:  # noqa: BLE001  # raised by another package; the report must not be lost
            failures[name] = _describe_error(error)
    if failures:
        # Raised outside the handler: the other package's message may contain keys.
        raise SinkError(_format_failures(failures, addresses, str(run)))
    return addresses


def sent_run(report: Report, manifest: Manifest, *, name: str) -> SentRun:
    """Create the record that sinks receive."""
    generated = {(subject.model, subject.tier): subject.parameters for subject in manifest.subjects}
    subjects = tuple(
        SentSubject(
            key=_hash_names(manifest.id, subject.model, subject.tier),
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
        key=_hash_names(manifest.id),
        name=name,
        parameters=_list_parameters(manifest),
        tags=_list_tags(report, manifest),
        subjects=subjects,
        report=report,
        files={file: str(renderer(form, Report).render(report)) for file, form in FILES.items()},
    )


def _list_parameters(manifest: Manifest) -> dict[str, str]:
    named = {
        "run": manifest.id,
        "created_at": manifest.created_at,
        "eval_set": manifest.eval_set,
        "benchmark": manifest.benchmark and manifest.benchmark.name,
        "seed": manifest.seed,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def _list_tags(report: Report, manifest: Manifest) -> dict[str, str]:
    settings = report.settings
    named = {
        "generator": report.generator,
        "scoring": settings.scoring.name,
        "level": settings.level,
        "missing": settings.missing,
        "errors": settings.errors,
        "eval_set_digest": manifest.eval_set_digest,  # changes when a regrade has other tests
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def _hash_names(*names: str) -> str:
    words = words_of(*names).encode("utf-8", "surrogatepass")
    return blake2b(words, digest_size=16).hexdigest()


def _load_sink(name: str) -> Sink:
    make = cast("Callable[[], Sink]", load(SINKS, name, group="sinks"))
    try:
        return make()
    except SteelyardError:
        raise
    except Exception as error:  # noqa: BLE001  # raised by another package
        text = _describe_error(error)
    raise UserError(f"the sink {name!r} is not set up: {text}")


def _describe_error(error: Exception) -> str:
    return f"{type(error).__name__}: {_redact(str(error))}".removesuffix(": ")


def _redact(text: str) -> str:
    """Remove line breaks, keys and passwords from another package's message."""
    hidden = without_secrets(without_credentials(text), secret_values(os.environ))
    return re.sub(r"\s+", " ", hidden).strip()[:LONGEST]


def _format_failures(failures: Mapping[str, str], addresses: Mapping[str, str], run: str) -> str:
    lines = [f"{name} rejected the report: {failure}" for name, failure in failures.items()]
    lines += [f"{name} accepted it: {address}" for name, address in addresses.items()]
    again = " ".join(f"--sink {shlex.quote(name)}" for name in failures)
    lines.append(f"The run is complete. Send its report again: steelyard report {shlex.quote(run)} {again}")
    return "\n".join(lines)
