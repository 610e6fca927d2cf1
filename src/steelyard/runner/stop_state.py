"""Why a session begins no further work: the user asked to stop, or calls cannot succeed any more."""

from collections.abc import Callable

from steelyard.model.progress import StopCause, StopReason


class StopState:
    """Shared by all stages of a session; what is under way is always finished."""

    def __init__(self) -> None:
        self.is_requested = False  # by the user
        self._drawing: dict[str, StopReason] = {}
        self._judging: dict[str, StopReason] = {}
        self.on_stop: list[Callable[[], None]] = []  # called after each stop, in the event loop

    @property
    def reasons(self) -> dict[str, StopReason]:
        """Why providers are not called any more, by provider."""
        return {**self._drawing, **self._judging}

    @property
    def ends_checking(self) -> bool:
        """Whether no check begins any more; a resumed run checks what is left."""
        return self.is_requested or bool(self._judging)

    @property
    def judge_reason(self) -> StopReason | None:
        """Why no judge is called any more."""
        return next(iter(self._judging.values()), None)

    def ends_drawing(self, provider: str) -> bool:
        """Whether nothing more is drawn from a provider.

        A spent budget is spent for all of them. A misspelt model stops all of them, to be put right first.
        """
        ends_all = any(reason.cause is not StopCause.PROVIDER for reason in self._drawing.values())
        return self.ends_checking or ends_all or provider in self._drawing

    def request(self) -> None:
        """Finish what is under way and begin nothing more, as the user asked."""
        self.is_requested = True
        self._tell()

    def end_drawing(self, provider: str, reason: StopReason) -> None:
        """Draw nothing more from a provider; the first reason counts."""
        self._drawing.setdefault(provider, reason)
        self._tell()

    def end_judging(self, provider: str, reason: StopReason) -> None:
        """Call no judge any more; without judges, nothing else is worth drawing."""
        self._judging.setdefault(provider, reason)
        self._tell()

    def _tell(self) -> None:
        for call in self.on_stop:
            call()
