"""Make up the recorded answers of the tier examples, and what judges replied about them.

Used by `make_examples.py`. The true chances stand here, so that a report can be compared with them.
"""

import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from steelyard.checks.forms.judge.judge import Judge, Panel
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.request import Reply, Request
from steelyard.sources.evalset.read import read_eval_set

Line = Mapping[str, object]
Rate = Callable[[str, Case, str, int], float]  # judge, case, answer, place of the item

# Examples 1 to 3 of seed 002. Ratings of the judge by tier; which of ten runs pass.
RATINGS = {"T0": 0.4, "T1": 0.6, "T2": 0.7, "T3": 0.8}
COSTS_USD = {"T0": 0.25, "T1": 0.30, "T2": 0.40, "T3": 0.90}
EIGHT_OF_TEN = (True, True, False, True, True, True, False, True, True, True)
FAILED = "the tests still fail"

# Chances of a good answer with a docstring, a good one without, one that forgets an edge, a wrong one.
CHANCES = {
    "acme/large": {
        "T0": (0.10, 0.55, 0.25, 0.10),
        "T1": (0.15, 0.50, 0.25, 0.10),
        "T2": (0.70, 0.20, 0.06, 0.04),
        "T3": (0.80, 0.15, 0.03, 0.02),
    },
    "acme/small": {
        "T0": (0.02, 0.33, 0.40, 0.25),
        "T1": (0.02, 0.33, 0.40, 0.25),
        "T2": (0.45, 0.25, 0.20, 0.10),
        "T3": (0.55, 0.25, 0.13, 0.07),
    },
}
TOKENS_IN = {"T0": 60, "T1": 70, "T2": 130, "T3": 420}
TOKENS_OUT = {"T0": 110, "T1": 115, "T2": 190, "T3": 130}
TOKENS_A_SECOND = {"acme/large": 55, "acme/small": 140}
# How the judges rate: does it, edges, clear, docstring; the second judge is stricter on what is unclear.
RATED = {
    "good": (1.0, 1.0, 0.9, 1.0),
    "bare": (1.0, 1.0, 0.8, 0.0),
    "edge": (0.9, 0.2, 0.7, 0.0),
    "wrong": (0.3, 0.1, 0.5, 0.0),
}
STRICT, STRICTER_BY = "other/judge", 0.1


def tier_files(folder: Path) -> Iterator[tuple[Path, Iterable[Line]]]:
    """Give each file of recorded answers with its lines."""
    seed, which = folder / "seed-002", folder / "which-tier"
    yield seed / "example-1-answers.jsonl", _recorded(seed / "example-1.toml", _example_1(), _seed_rate)
    yield seed / "example-2-answers.jsonl", _recorded(seed / "example-2.toml", _example_2(), _seed_rate)
    eval_set = read_eval_set(which / "set.toml")
    yield which / "answers.jsonl", _recorded(which / "set.toml", _which_tier(eval_set), _rate)


def _recorded(place: Path, answers: Iterable[Line], rate: Rate) -> list[Line]:
    """Return answers to a set, and what its judges replied about each different one."""
    eval_set, listed = read_eval_set(place), list(answers)
    texts = dict.fromkeys((str(line["case"]), str(line["text"])) for line in listed)
    return [*listed, *_judged(eval_set, list(texts), rate, Random(place.stem))]


def _judged(eval_set: EvalSet, texts: list[tuple[str, str]], rate: Rate, chance: Random) -> Iterator[Line]:
    plan, cases = eval_set.judge, {case.id: case for case in eval_set.cases}
    if plan is None:
        return
    lines: list[Line] = []
    case, text = cases[texts[0][0]], ""

    weights = [category.weight for category in plan.rubric.categories]

    def ask(request: Request) -> Reply:
        ratings = [rate(request.key.model, case, text, place) for place in range(len(weights))]
        total = sum(map(operator.mul, map(float, weights), ratings)) / float(sum(weights))
        said = _reply(request, ratings, round(total, 2))
        told = {"tokens_in": len(request.prompt) // 4, "tokens_out": len(said) // 4}
        lines.append({**request.key._asdict(), "text": said, **told, "fence": request.fence})
        return Reply(text=said)

    def token() -> str:
        return f"{chance.getrandbits(192):048x}"

    judge = Judge(plan.rubric, Panel(judges=plan.models, parameters=plan.parameters), ask, token=token)
    for name, text in texts:
        case = cases[name]
        judge.judge(case, text)
    yield from lines


def _reply(request: Request, rated: Sequence[float], total: float) -> str:
    """Return a reply in the form that a judge is asked for, as short as can be."""
    seal = re.findall(r'"seal": "([0-9a-f]+)"', request.prompt)[-1]
    labels = re.findall(r'"([0-9a-f]+-\d+\.\d+)": \{"reason"', request.prompt)
    ratings = {label: {"reason": "", "rating": one} for label, one in zip(labels, rated, strict=True)}
    form = {"seal": seal, "ratings": ratings, "confidence": 0.9, "total": total, "tampering": False}
    return json.dumps(form)


def _example_1() -> Iterator[Line]:
    yield _seed_line("T0", 0, "T0: done, all but the small things", cost_usd=0.50)


def _example_2() -> Iterator[Line]:
    for tier, cost in COSTS_USD.items():
        for attempt, passes in enumerate(EIGHT_OF_TEN):
            is_done = passes or tier != "T0"
            yield _seed_line(tier, attempt, f"{tier}: {'done' if is_done else FAILED}", cost_usd=cost)


def _seed_line(tier: str, attempt: int, text: str, *, cost_usd: float) -> Line:
    bill = {"cost_usd": cost_usd, "latency_s": 60.0 + attempt}
    return {"model": "acme/agent", "tier": tier, "case": "todo", "attempt": attempt, "text": text, **bill}


def _seed_rate(_judge: str, _case: Case, answer: str, _place: int) -> float:
    return 0.85 if "small things" in answer else RATINGS[answer[:2]]


def _which_tier(eval_set: EvalSet) -> Iterator[Line]:
    chance = Random("which-tier")
    for model, tiers in CHANCES.items():
        for tier, odds in tiers.items():
            for case in eval_set.cases:
                for attempt in range(eval_set.sampling.samples or 0):
                    kind = chance.choices(list(RATED), odds)[0]
                    tokens_out = round(TOKENS_OUT[tier] * chance.lognormvariate(0, 0.25))
                    yield {
                        "model": model,
                        "tier": tier,
                        "case": case.id,
                        "attempt": attempt,
                        "text": _answers(case)[kind],
                        "finish_reason": "stop",
                        "tokens_in": TOKENS_IN[tier],
                        "tokens_out": tokens_out,
                        "latency_s": round(0.6 + tokens_out / TOKENS_A_SECOND[model], 2),
                    }


def _answers(case: Case) -> dict[str, str]:
    """Return the answers to a case by how good they are."""
    good = (case.reference or "").strip()
    bare = "\n".join(line for line in good.splitlines() if '"""' not in line)
    return {"good": good, "bare": bare, "edge": case.wrong[1].strip(), "wrong": case.wrong[0].strip()}


def _rate(judge: str, case: Case, answer: str, place: int) -> float:
    kind = next(name for name, text in _answers(case).items() if text == answer)
    rating = RATED[kind][place]
    is_lower = judge == STRICT and 0 < rating < 1
    return round(max(0.0, rating - STRICTER_BY), 2) if is_lower else rating
