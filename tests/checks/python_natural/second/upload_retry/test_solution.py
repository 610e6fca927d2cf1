import pytest
import requests
import responses
from responses import matchers

from solution import UploadError, upload

URL = "https://files.example.com/v1/objects"


@pytest.fixture
def payload(tmp_path):
    path = tmp_path / "data.bin"
    path.write_bytes(b"hello")
    return path


@pytest.fixture
def sleeps():
    return []


@pytest.fixture
def send(payload, sleeps):
    def send(**options):
        return upload(payload, URL, "s3cret", sleep=sleeps.append, **options)

    return send


@responses.activate
def test_headers_and_body(send, sleeps):
    responses.put(
        URL,
        json={"id": "obj-1"},
        status=201,
        match=[
            matchers.header_matcher({"Authorization": "Bearer s3cret", "Content-MD5": "XUFAKrxLKna5cZ2REBfFkg=="})
        ],
    )
    assert send() == "obj-1"
    assert responses.calls[0].request.body == b"hello"
    assert sleeps == []


@responses.activate
def test_retries_with_growing_delay(send, sleeps):
    responses.put(URL, status=503)
    responses.put(URL, body=requests.ConnectionError("reset"))
    responses.put(URL, json={"id": "obj-2"})
    assert send() == "obj-2"
    assert sleeps == [1, 2]


@responses.activate
def test_retry_after(send, sleeps):
    responses.put(URL, status=503, headers={"Retry-After": "17"})
    responses.put(URL, json={"id": "x"})
    send()
    assert sleeps == [17]


@responses.activate
@pytest.mark.parametrize("attempts", [1, 2, 5])
def test_gives_up(send, sleeps, attempts):
    responses.put(URL, status=502)
    with pytest.raises(UploadError, match="502") as info:
        send(attempts=attempts)
    assert info.value.status == 502
    assert len(responses.calls) == attempts
    assert len(sleeps) == attempts - 1


@responses.activate
def test_connection_never_works(send):
    responses.put(URL, body=requests.ConnectionError())
    with pytest.raises(UploadError) as info:
        send()
    assert info.value.status is None


@responses.activate
@pytest.mark.parametrize("status", [400, 401, 413])
def test_client_errors_are_final(send, sleeps, status):
    responses.put(URL, status=status)
    with pytest.raises(UploadError) as info:
        send()
    assert info.value.status == status
    assert sleeps == []
    responses.assert_call_count(URL, 1)
