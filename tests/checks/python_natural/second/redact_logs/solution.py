import logging
import re


class RedactFilter(logging.Filter):
    def __init__(self, keys):
        super().__init__()
        self.keys = set()
        self.extend(keys)

    def extend(self, keys):
        self.keys.update(key.lower() for key in keys)
        names = "|".join(re.escape(key) for key in sorted(self.keys, key=len, reverse=True))
        self._pattern = re.compile(rf'(?<!\w)({names})=("[^"]*"|[^\s,;]*)', re.IGNORECASE) if names else None

    def filter(self, record):
        if self._pattern:
            record.msg = self._pattern.sub(r"\1=***", record.getMessage())
            record.args = None
        return True


def install(logger, keys):
    for existing in logger.filters:
        if isinstance(existing, RedactFilter):
            existing.extend(keys)
            return existing
    added = RedactFilter(keys)
    logger.addFilter(added)
    return added
