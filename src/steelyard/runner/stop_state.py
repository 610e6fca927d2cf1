"""Why a session starts no further work: the user's request, or calls that cannot succeed."""

from collections.abc import Callable

from steelyard.model.progress import StopCause, StopReason


class StopState:
    """The stop state of a session, shared by its stages; running work is finished."""

    def __init__(self) -> None:
        self.is_requested = False  # by the user
        self._generating: dict[str, StopReason] = {}
        self._judging: dict[str, StopReason] = {}
        self.on_stop: list[Callable[[], None]] = []  # called after each stop, in the event loop

    @property
    def reasons(self) -> dict[str, StopReason]:
        """The reasons to stop calling providers."""
        return {**self._generating, **self._judging}

    @property
    def ends_checking(self) -> bool:
        """Whether no further check starts; a resumed run does the rest."""
        return self.is_requested or bool(self._judging)

    @property
    def judge_reason(self) -> StopReason | None:
        """The reason to stop calling judges."""
        return next(iter(self._judging.values()), None)

    def ends_generation(self, provider: str) -> bool:
        """Whether generation with a provider has ended.

        An exhausted budget or a misspelt model ends all providers.
        """
        ends_all = any(reason.cause is not StopCause.PROVIDER for reason in self._generating.values())
        return self.ends_checking or ends_all or provider in self._generating

    def request(self) -> None:
        """Handle the user's request to stop: finish running work, start no more."""
        self.is_requested = True
        self._notify()

    def end_generation(self, provider: str, reason: StopReason) -> None:
        """End generation with a provider; the first reason counts."""
        self._generating.setdefault(provider, reason)
        self._notify()

    def end_judging(self, provider: str, reason: StopReason) -> None:
        """End judging, and thereby generation."""
        self._judging.setdefault(provider, reason)
        self._notify()

    def _notify(self) -> None:
        for call in self.on_stop:
            call()
