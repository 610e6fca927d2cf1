import secrets
from datetime import datetime, timedelta, timezone


class SessionStore:
    def __init__(self, lifetime=timedelta(minutes=30), max_age=timedelta(hours=8)):
        self.lifetime = lifetime
        self.max_age = max_age
        self._sessions = {}

    def create(self, user):
        token = secrets.token_urlsafe(32)
        self._sessions[token] = (user, datetime.now(timezone.utc))
        return token

    def get(self, token):
        if token not in self._sessions:
            return None
        user, used = self._sessions[token]
        now = datetime.now(timezone.utc)
        if now - used > self.lifetime:
            return None
        self._sessions[token] = (user, now)
        return user

    def purge(self):
        now = datetime.now(timezone.utc)
        ended = [token for token, (_, used) in self._sessions.items() if now - used > self.lifetime]
        for token in ended:
            del self._sessions[token]
        return len(ended)

    def __len__(self):
        return len(self._sessions)
