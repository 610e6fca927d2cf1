"""Rate answers by a rubric with a panel of judges: several readings, one judgement.

The caller supplies the function that calls models, with limits, costs and retries. Only unusable replies are
requested again here.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from steelyard.checks.forms.judge.fence import LONGEST, Fence, fresh_fence, random_token
from steelyard.checks.forms.judge.prompt import TASK_ROOM, labels, system_prompt, task_text, user_prompt
from steelyard.checks.forms.judge.reply import UnusableReply, read_reply
from steelyard.errors import NOT_RECORDED, ProviderError, UserError
from steelyard.metrics.consensus import (
    Disagreement,
    category_scores,
    consensus_ratings,
    disagreements,
    rubric_score,
)
from steelyard.model.case import Case
from steelyard.model.judgement import CategoryRating, Judgement, Ratings, Reading, missing_judges
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.rubric import Rubric
from steelyard.model.sample import JUDGE_TIER, TERMS_MARK, SampleKey, text_digest

CallModel = Callable[[Request], Reply]

TOTAL_TOLERANCE = Fraction(1, 200)  # a judge may round its total to two digits
PANEL_RULE = "whole panel"  # part of the digest
EMPTY = "the answer is empty; no judge was called"
NOTHING_APPLIES = "no item of the rubric applies to this answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The judges and the parameters of their requests."""

    judges: tuple[str, ...]
    parameters: Parameters = field(default_factory=Parameters)
    longest_answer: int = LONGEST

    def __post_init__(self) -> None:
        """Reject an empty panel, and one that lists a judge twice."""
        if not self.judges:
            raise UserError("a rubric needs a judge: name a model, such as anthropic/claude-opus-4-5")
        if len(set(self.judges)) != len(self.judges):
            raise UserError("a judge is listed twice; for more readings, raise their number")


class Judge:
    """Judges answers by one rubric; thread-safe if `call_model` is."""

    def __init__(
        self, rubric: Rubric, panel: Panel, call_model: CallModel, *, token: Callable[[], str] = random_token
    ) -> None:
        """`token` generates the tokens of fences; random except in tests."""
        self.rubric = rubric
        self.panel = panel
        self._call_model = call_model
        self._token = token
        self._rules = system_prompt(rubric)
        self._rubric_digest = rubric.digest
        terms = [self._rules, panel.parameters.as_text(), panel.longest_answer]
        self._terms = text_digest(json.dumps(terms, sort_keys=True))

    @property
    def digest(self) -> str:
        """A digest of judges, rubric and parameters: equal digests judge equal answers alike."""
        form = [self._rules, self._rubric_digest, asdict(self.panel)]
        if len(self.panel.judges) > 1:
            form.append(PANEL_RULE)
        return text_digest(json.dumps(form, sort_keys=True))

    def judge(self, case: Case, answer: str) -> Judgement:
        """Return the judgement of an answer; raises the errors of `call_model`."""
        if not answer.strip():
            return self.lowest((), note=EMPTY)
        collector = _Readings(self, case, answer)
        readings = collector.collect()
        usable = [reading for reading in readings if reading.is_usable]
        ratings = consensus_ratings(
            [reading.ratings for reading in usable],
            [reading.confidence or Fraction(0) for reading in usable],
        )
        return self._judgement(
            readings, ratings=ratings, note=_note(readings), characters_cut=collector.characters_cut
        )

    def lowest(self, readings: Sequence[Reading], *, note: str) -> Judgement:
        """Return a judgement with the lowest rating, independent of readings."""
        judgement = self._judgement(readings, ratings=(Fraction(0),) * len(self.rubric.items), note=note)
        return replace(judgement, is_passed=self.rubric.pass_threshold <= 0)

    def _judgement(
        self, readings: Sequence[Reading], *, ratings: Ratings, note: str, characters_cut: int = 0
    ) -> Judgement:
        bare = Judgement(
            rubric=self.rubric.id,
            rubric_digest=self._rubric_digest,
            readings=tuple(readings),
            disagreements=tuple(map(str, [*self.disagreements(readings), *_missing(readings)])),
            characters_cut=characters_cut,
            note=note,
        )
        if not ratings:
            return bare
        is_complete = not bare.missing_judges  # a partial panel has no verdict
        score = rubric_score(ratings, self.rubric)
        scores = zip(self.rubric.categories, category_scores(ratings, self.rubric), strict=True)
        return replace(
            bare,
            score=score,
            note=note or (NOTHING_APPLIES if score is None else ""),
            is_passed=score >= self.rubric.pass_threshold if is_complete and score is not None else None,
            categories=tuple(
                CategoryRating(id=category.id, weight=category.weight, score=category_score)
                for category, category_score in scores
            ),
            ratings=ratings,
        )

    def disagreements(self, readings: Sequence[Reading]) -> tuple[str, ...]:
        """Return the disagreements of usable readings."""
        usable = [reading for reading in readings if reading.is_usable]
        scores = [reading.score for reading in usable]
        confidences = [reading.confidence or Fraction(0) for reading in usable]
        return disagreements(scores, confidences, self.rubric.consensus)

    def read(self, key: SampleKey, case: Case, answer: str) -> "_JudgeCall":
        """Call one judge once."""
        task = task_text(case)
        fence = fresh_fence(task, answer, token=self._token)
        shown = fence.around("ANSWER", answer, longest=self.panel.longest_answer)
        request = Request(
            key=key,
            prompt=user_prompt(self.rubric, fence.around("TASK", task, longest=TASK_ROOM), shown, fence),
            system_prompt=self._rules,
            parameters=self.panel.parameters,
            fence=fence.token,
        )
        reply = self._call_model(request)
        if reply.fence:  # a stored reply has the labels of its original request
            fence = Fence(reply.fence)
        items = dict(zip(labels(self.rubric, fence), self.rubric.items, strict=True))
        try:
            judge_reply = read_reply(reply.text, items=items, seal=fence.seal)
        except UnusableReply as error:
            unusable = _reading(key, reply, problem=str(error))
            return _JudgeCall(unusable, shown.characters_cut, is_kept=reply.is_kept)
        score = rubric_score(judge_reply.ratings, self.rubric)
        reading = _reading(
            key,
            reply,
            ratings=judge_reply.ratings,
            reasons=judge_reply.reasons,
            confidence=judge_reply.confidence,
            score=score,
            own_total=judge_reply.own_total,
            is_total_off=_is_off(judge_reply.own_total, score),
            saw_tampering=judge_reply.saw_tampering,
        )
        return _JudgeCall(reading, shown.characters_cut, is_kept=reply.is_kept)

    def key(self, judge: str, case: Case, answer: str, number: int) -> SampleKey:
        """Return the key of one reading: judge, task, answer, rules and parameters.

        Tests, threshold and consensus are excluded: they do not affect replies.
        """
        question = text_digest(json.dumps([task_text(case), text_digest(answer)]))
        digest = f"{question}{TERMS_MARK}{self._terms}"
        return SampleKey(judge, JUDGE_TIER, case.suite, case.id, digest, number)


class _JudgeCall(NamedTuple):
    """A reading, the number of omitted characters, and whether the reply was stored."""

    reading: Reading
    characters_cut: int
    is_kept: bool


class _Readings:
    """Collects the readings of one answer sequentially."""

    def __init__(self, judge: Judge, case: Case, answer: str) -> None:
        self._judge = judge
        self._case = case
        self._answer = answer
        self._calls = dict.fromkeys(judge.panel.judges, 0)
        self._extra_rounds = judge.rubric.consensus.extra_readings // len(judge.panel.judges)
        self._has_new = False  # whether any reply is new
        self.characters_cut = 0

    def collect(self) -> list[Reading]:
        """Collect a round of readings; if all replies were stored, call judges without a usable one again."""
        taken = self._round(self._judge.panel.judges, [])
        while not self._has_new and (missing := missing_judges(taken)):
            try:
                taken = self._round(missing, taken)
            except ProviderError as error:
                if error.kind == NOT_RECORDED and sum(self._calls.values()) == len(taken) + 1:
                    break  # the record ends here and is complete
                raise
        return taken

    def _round(self, judges: Sequence[str], before: Sequence[Reading]) -> list[Reading]:
        """Collect the planned readings of judges, and further ones of the whole panel while they disagree.

        Further readings by only some judges would give those more weight.
        """
        taken = [*before]
        for _ in range(self._judge.rubric.consensus.readings):
            taken += self._read_once(judges)
        while self._extra_rounds and self._judge.disagreements(taken):
            self._extra_rounds -= 1
            try:
                taken += self._read_once(self._judge.panel.judges)
            except ProviderError as error:
                if error.kind != NOT_RECORDED or self._has_new:
                    raise
                break  # an old record with extra readings of some judges
        return taken

    def _read_once(self, judges: Sequence[str]) -> list[Reading]:
        """Collect one reading of each judge."""
        return [reading for judge in judges for reading in self._reading(judge)]

    def _reading(self, judge: str) -> Iterator[Reading]:
        """Call a judge until its reply is usable or its tries are used up; yield every reading."""
        for _ in range(self._judge.rubric.consensus.tries):
            key = self._judge.key(judge, self._case, self._answer, self._calls[judge])
            self._calls[judge] += 1
            reading, self.characters_cut, is_kept = self._judge.read(key, self._case, self._answer)
            self._has_new = self._has_new or not is_kept
            yield reading
            if reading.is_usable:
                return


def _missing(readings: Sequence[Reading]) -> Iterator[Disagreement]:
    """Yield a disagreement if only some judges gave usable readings."""
    if missing_judges(readings) and any(reading.is_usable for reading in readings):
        yield Disagreement.MISSING_JUDGE


def _note(readings: Sequence[Reading]) -> str:
    """Return the reason for a missing score or verdict."""
    if not any(reading.is_usable for reading in readings):
        return "no usable reading"
    missing = missing_judges(readings)
    return f"no usable reading of {', '.join(missing)}" if missing else ""


def _reading(key: SampleKey, reply: Reply, **content: object) -> Reading:
    return Reading(
        judge=key.model,
        number=key.attempt,
        cost_nano_usd=reply.cost_nano_usd,
        tokens_in=reply.usage.tokens_in,
        tokens_out=reply.usage.tokens_out,
        **content,  # type: ignore[arg-type]  # named as the fields are
    )


def _is_off(own_total: Fraction | None, score: Fraction | None) -> bool:
    """Whether a judge's own total differs from the score of its ratings."""
    if own_total is None or score is None:
        return own_total is not score
    return abs(own_total - score) > TOTAL_TOLERANCE
