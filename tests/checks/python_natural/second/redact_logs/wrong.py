import logging
import re


class RedactFilter(logging.Filter):
    def __init__(self, keys):
        super().__init__()
        self.keys = list(keys)

    def filter(self, record):
        for key in self.keys:
            record.msg = re.sub(rf"{key}=\S+", f"{key}=***", record.msg)
        return True


def install(logger, keys):
    new = RedactFilter(keys)
    logger.addFilter(new)
    return new
