import base64
import hashlib
import time
from pathlib import Path

import requests

TRANSIENT = {500, 502, 503, 504}


class UploadError(Exception):
    def __init__(self, status):
        super().__init__(f"upload failed with status {status}")
        self.status = status


def upload(path, url, token, *, attempts=3, sleep=time.sleep):
    body = Path(path).read_bytes()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-MD5": base64.b64encode(hashlib.md5(body).digest()).decode(),
    }
    status = None
    for attempt in range(attempts):
        delay = 2**attempt
        try:
            response = requests.put(url, data=body, headers=headers, timeout=30)
        except requests.ConnectionError:
            status = None
        else:
            if response.ok:
                return response.json()["id"]
            status = response.status_code
            if status not in TRANSIENT:
                break
            delay = float(response.headers.get("Retry-After", delay))
        if attempt < attempts - 1:
            sleep(delay)
    raise UploadError(status)
