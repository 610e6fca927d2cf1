import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone


@dataclass
class _Session:
    user: str
    created: datetime
    used: datetime


class SessionStore:
    def __init__(self, lifetime=timedelta(minutes=30), max_age=timedelta(hours=8)):
        self.lifetime = lifetime
        self.max_age = max_age
        self._sessions = {}

    def create(self, user):
        token = secrets.token_urlsafe(32)
        now = datetime.now(timezone.utc)
        self._sessions[token] = _Session(user, now, now)
        return token

    def _ended(self, session, now):
        return now - session.used >= self.lifetime or now - session.created >= self.max_age

    def get(self, token):
        session = self._sessions.get(token)
        now = datetime.now(timezone.utc)
        if session is None or self._ended(session, now):
            return None
        session.used = now
        return session.user

    def purge(self):
        now = datetime.now(timezone.utc)
        ended = [token for token, session in self._sessions.items() if self._ended(session, now)]
        for token in ended:
            del self._sessions[token]
        return len(ended)

    def __len__(self):
        return len(self._sessions)
