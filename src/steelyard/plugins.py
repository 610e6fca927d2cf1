"""One table for each port: name → where its adapter lives, loaded on demand.

Other packages add names through the entry-point group of the port, such as `steelyard.validators`.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points

from steelyard.errors import UnknownName, UserError

REPORT_RENDERERS = {
    "text": "steelyard.render.text:TextReport",
    "json": "steelyard.render.json:JsonReport",
    "markdown": "steelyard.render.markdown.renderer:MarkdownReport",
    "csv": "steelyard.render.csv:CsvReport",
    "html": "steelyard.render.html.report:HtmlReport",
    "junit": "steelyard.render.junit:JunitReport",
    "sarif": "steelyard.render.sarif:SarifReport",
}
# What is no text goes to a file only.
REPORT_FILES = {"parquet": "steelyard.render.parquet:ParquetReport"}
COMPARISON_RENDERERS = {
    "text": "steelyard.render.text:TextComparison",
    "json": "steelyard.render.json:JsonComparison",
    "markdown": "steelyard.render.markdown.renderer:MarkdownComparison",
    "html": "steelyard.render.html.comparison:HtmlComparison",
    "junit": "steelyard.render.junit:JunitComparison",
}
GATE_RENDERERS = {
    "text": "steelyard.render.text:TextGate",
    "json": "steelyard.render.json:JsonGate",
    "markdown": "steelyard.render.markdown.renderer:MarkdownGate",
    "html": "steelyard.render.html.gate:HtmlGate",
    "junit": "steelyard.render.junit:JunitGate",
}
VALIDATORS: Mapping[str, str] = {
    "terraform": "steelyard.checks.terraform.validator:TerraformValidator",
}
CHECKERS = {
    "rust": "steelyard.checks.rust:RustChecker",
    "python": "steelyard.checks.python.checker:PythonChecker",
    "terraform": "steelyard.checks.terraform.checker:TerraformChecker",
    "command": "steelyard.checks.command.checker:CommandChecker",
    "text": "steelyard.checks.text.checker:TextChecker",
}
# Every vendor's protocol that the client library speaks is a name for the same adapter.
PROVIDERS = {
    **dict.fromkeys(
        ("openai", "anthropic", "google", "openrouter", "ollama", "azure", "vllm"),
        "steelyard.providers.llm.provider:LlmProvider",
    ),
    "command": "steelyard.providers.command.provider:CommandProvider",
    "replay": "steelyard.runner.draw.replay:replay_provider",
}
SANDBOXES = {
    "bubblewrap": "steelyard.sandbox.bubblewrap.sandbox:BubblewrapSandbox",
    "oci": "steelyard.sandbox.oci.sandbox:OciSandbox",
    "process": "steelyard.sandbox.process:ProcessSandbox",
    "warm-python": "steelyard.sandbox.warm.sandbox:WarmPythonSandbox",
}

ENGINES = {
    "local": "steelyard.runner.local.engine:LocalEngine",
    "ray": "steelyard.runner.ray.engine:RayEngine",
}
# Who draws and checks the answers of a run, by the same names.
CREWS = {
    "local": "steelyard.runner.local.workers:local_crew",
    "ray": "steelyard.runner.ray.workers:ray_crew",
}

FORMAT_OF_SUFFIX = {
    ".txt": "text",
    ".json": "json",
    ".md": "markdown",
    ".csv": "csv",
    ".html": "html",
    ".xml": "junit",
    ".sarif": "sarif",
    ".parquet": "parquet",
}


def known(table: Mapping[str, str], *, group: str) -> dict[str, str]:
    """Return a port's own names and those that installed packages add to its entry-point group."""
    added = {point.name: point.value for point in entry_points(group=f"steelyard.{group}")}
    return {**added, **table}


def load(table: Mapping[str, str], name: str, *, group: str) -> object:
    """Import and return what a name stands for."""
    # Ours come first, so that nobody waits for the list of installed packages who did not ask for one.
    names = table if name in table else known(table, group=group)
    if name not in names:
        near = get_close_matches(name, names) or sorted(names) or ["nothing: none is installed"]
        kind = group.rstrip("s").replace("_", " ")
        raise UnknownName(f"unknown {kind} {name!r}; did you mean {' or '.join(near)}?")
    module, _, attribute = names[name].partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UserError(
            f"the {group.rstrip('s')} {name!r} cannot be loaded from {names[name]!r}: {error}"
        ) from error
