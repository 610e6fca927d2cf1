"""One table per port: name → location of its adapter, loaded on demand.

Other packages add names through the entry-point group of the port, such as `steelyard.validators`.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points

from steelyard.errors import UnknownName, UserError
from steelyard.languages.lookup import LANGUAGES
from steelyard.model.nearest_name import did_you_mean

VALIDATORS: Mapping[str, str] = {
    language.name: language.validator for language in LANGUAGES if language.validator
}
CHECKERS = {
    **{language.name: language.checker for language in LANGUAGES if language.checker},
    "command": "steelyard.checks.forms.tests.checker:CommandChecker",
    "text": "steelyard.checks.forms.text.checker:TextChecker",
    "task": "steelyard.runner.tasks.checker:task_checker",
}
# Forms of graded tests, checked in the same way in every language.
FORMS = {
    "calls": "steelyard.checks.forms.calls.checker:CallsChecker",
    "io": "steelyard.checks.forms.io.checker:IoChecker",
}
# Public benchmarks: records with a function that converts the data to cases.
BENCHMARKS = {
    "humaneval": "steelyard.benchmarks.humaneval:BENCHMARK",
    "humaneval+": "steelyard.benchmarks.humaneval_plus:BENCHMARK",
    "humaneval+mini": "steelyard.benchmarks.humaneval_plus:MINI",
    "mbpp": "steelyard.benchmarks.mbpp:BENCHMARK",
    "mbpp-all": "steelyard.benchmarks.mbpp:ALL",
    "mbpp-sanitized": "steelyard.benchmarks.mbpp:SANITIZED",
    "mbpp+": "steelyard.benchmarks.mbpp_plus:BENCHMARK",
    "humaneval-x": "steelyard.benchmarks.humaneval_x:BENCHMARK",
    "multipl-e": "steelyard.benchmarks.multipl_e:BENCHMARK",
    "cruxeval": "steelyard.benchmarks.cruxeval:BENCHMARK",
    "aider-polyglot": "steelyard.benchmarks.aider_polyglot:BENCHMARK",
    "bigcodebench": "steelyard.benchmarks.bigcodebench:BENCHMARK",
    "bigcodebench-hard": "steelyard.benchmarks.bigcodebench:HARD",
    "classeval": "steelyard.benchmarks.classeval:BENCHMARK",
    "livecodebench": "steelyard.benchmarks.livecodebench:BENCHMARK",
    "mceval": "steelyard.benchmarks.mceval:BENCHMARK",
    "iac-eval": "steelyard.benchmarks.iac_eval:BENCHMARK",
    "swe-bench-verified": "steelyard.benchmarks.swe_bench:BENCHMARK",
}
# Several services speak OpenAI's protocol.
PROVIDERS = {
    **dict.fromkeys(
        ("openai", "openrouter", "ollama", "azure", "vllm"), "steelyard.providers.llm.openai:openai_provider"
    ),
    "openai-responses": "steelyard.providers.llm.responses:responses_provider",
    "anthropic": "steelyard.providers.llm.anthropic:anthropic_provider",
    "google": "steelyard.providers.llm.google:google_provider",
    "command": "steelyard.runner.tasks.provider:command_provider",
    **dict.fromkeys(
        ("oracle", "nop", "claude-code", "codex", "mini-swe-agent", "opencode"),
        "steelyard.runner.tasks.known_agents:known_agent",
    ),
}
# Batch APIs, by the kind of provider.
BATCHES = {
    "openai": "steelyard.providers.batch.openai:OpenAiBatches",
    "anthropic": "steelyard.providers.batch.anthropic:AnthropicBatches",
    "google": "steelyard.providers.batch.google:GoogleBatches",
}
# Engines that run containers, for agents and tasks.
CONTAINERS = {"docker": "steelyard.environments.engine:DockerEngine"}
SANDBOXES = {
    "bubblewrap": "steelyard.sandbox.bubblewrap.sandbox:BubblewrapSandbox",
    "oci": "steelyard.sandbox.oci.sandbox:OciSandbox",
    "gvisor": "steelyard.sandbox.gvisor.sandbox:GvisorSandbox",
    "process": "steelyard.sandbox.process:ProcessSandbox",
    "warm-python": "steelyard.sandbox.warm.sandbox:WarmPythonSandbox",
}

# Logs of other tools, in the order of detection.
IMPORTERS = {
    "inspect": "steelyard.logs.readers.inspect.reader:InspectReader",
    "promptfoo": "steelyard.logs.readers.promptfoo.reader:PromptfooReader",
    "lm-eval": "steelyard.logs.readers.lm_eval:LmEvalReader",
    "evalplus": "steelyard.logs.readers.evalplus:EvalPlusReader",
    "swe-bench": "steelyard.logs.readers.swe_bench:SweBenchReader",
    "harbor": "steelyard.logs.readers.harbor:HarborReader",
    "nemo": "steelyard.logs.readers.nemo:NemoReader",
    "deepeval": "steelyard.logs.readers.deepeval:DeepEvalReader",
    "livecodebench": "steelyard.logs.readers.livecodebench:LiveCodeBenchReader",
    "multipl-e": "steelyard.logs.readers.multipl_e:MultiplEReader",
    "terminal-bench": "steelyard.logs.readers.terminal_bench:TerminalBenchReader",
    "openai-evals": "steelyard.logs.readers.openai_evals:OpenAiEvalsReader",
    "cruxeval": "steelyard.logs.readers.cruxeval:CruxEvalReader",
    "forgetest": "steelyard.logs.readers.forgetest:ForgetestReader",
    "every-eval-ever": "steelyard.logs.readers.every_eval_ever:EveryEvalEverReader",
    "bigcode": "steelyard.logs.readers.bigcode:BigcodeReader",
}
EXPORTERS = {
    "inspect": "steelyard.logs.writers.inspect:InspectWriter",
    "evalplus": "steelyard.logs.writers.evalplus:EvalPlusWriter",
    "swe-bench": "steelyard.logs.writers.swe_bench:SweBenchWriter",
    "every-eval-ever": "steelyard.logs.writers.every_eval_ever:EveryEvalEverWriter",
    "hf-dataset": "steelyard.logs.writers.hf_dataset:HfDatasetWriter",
}
# Systems that store reports; plug-ins only.
SINKS: Mapping[str, str] = {}


def known(table: Mapping[str, str], *, group: str) -> dict[str, str]:
    """Return a port's own names and those of installed packages."""
    added = {point.name: point.value for point in entry_points(group=f"steelyard.{group}")}
    return {**added, **table}


def load(table: Mapping[str, str], name: str, *, group: str) -> object:
    """Import and return the adapter of a name."""
    # Own names first: listing installed packages is slow.
    names = table if name in table else known(table, group=group)
    if name not in names:
        hint = did_you_mean(name, sorted(names), otherwise="choose from")
        raise UnknownName(f"unknown {group.rstrip('s').replace('_', ' ')} {name!r}; {hint}")
    module, _, attribute = names[name].partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UserError(
            f"the {group.rstrip('s')} {name!r} cannot be loaded from {names[name]!r}: {error}"
        ) from error
