import logging
import smtplib

import pytest

import solution

ANN = {"name": "Ann", "email": "ann@example.com", "phone": "+4912345"}
BOB = {"name": "Bob", "email": "bob@example.com"}


@pytest.fixture
def smtp(mocker):
    return mocker.patch("smtplib.SMTP")


@pytest.fixture
def sent(smtp):
    return smtp.return_value.__enter__.return_value.send_message


@pytest.fixture(autouse=True)
def sms(mocker):
    return mocker.patch("solution.send_sms")


def test_mail(sent, sms):
    assert solution.notify(BOB, "Your parcel is here.") is True
    sent.assert_called_once()
    (mail,) = sent.call_args.args
    assert mail["To"] == "bob@example.com"
    assert mail["From"] == "noreply@example.com"
    assert mail["Subject"] == "Notification"
    assert mail.get_content().strip() == "Dear Bob,\n\nYour parcel is here."
    sms.assert_not_called()


def test_default_server(smtp, monkeypatch):
    monkeypatch.delenv("SMTP_HOST", raising=False)
    monkeypatch.delenv("SMTP_PORT", raising=False)
    solution.notify(BOB, "x")
    smtp.assert_called_once_with("localhost", 25)


def test_server_from_environment(smtp, mocker):
    mocker.patch.dict("os.environ", {"SMTP_HOST": "mail.test", "SMTP_PORT": "2525"})
    solution.notify(BOB, "x")
    smtp.assert_called_once_with("mail.test", 2525)


def test_urgent(sent, sms):
    solution.notify(ANN, "a" * 200, urgent=True)
    assert sent.call_args.args[0]["Subject"] == "[URGENT] Notification"
    sms.assert_called_once_with("+4912345", "a" * 140)


def test_urgent_without_phone(smtp, sms):
    assert solution.notify(BOB, "x", urgent=True)
    assert sms.call_count == 0


def test_not_urgent_means_no_sms(smtp, sms):
    solution.notify(ANN, "x")
    sms.assert_not_called()


@pytest.mark.parametrize("error", [smtplib.SMTPServerDisconnected("gone"), ConnectionRefusedError("refused")])
def test_failure(sent, sms, caplog, error):
    sent.side_effect = error
    with caplog.at_level(logging.ERROR, logger="notifier"):
        assert solution.notify(ANN, "x", urgent=True) is False
    assert "ann@example.com" in caplog.text
    assert caplog.records[0].name == "notifier"
    sms.assert_called_once()


def test_cannot_connect(smtp, mocker):
    smtp.side_effect = OSError("no route")
    error = mocker.spy(solution.log, "error")
    assert solution.notify(BOB, "x") is False
    assert error.call_count == 1


def test_sms_is_not_written_yet(mocker):
    mocker.stopall()
    with pytest.raises(NotImplementedError):
        solution.send_sms("1", "x")
