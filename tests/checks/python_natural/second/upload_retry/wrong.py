import base64
import hashlib
import time

import requests


class UploadError(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


def upload(path, url, token, *, attempts=3, sleep=time.sleep):
    with open(path, "rb") as handle:
        body = handle.read()
    digest = base64.b64encode(hashlib.md5(body).digest()).decode()
    for attempt in range(attempts):
        response = requests.put(
            url, data=body, headers={"Authorization": f"Bearer {token}", "Content-MD5": digest}
        )
        if response.ok:
            return response.json()["id"]
        sleep(2**attempt)
    raise UploadError(response.status_code)
