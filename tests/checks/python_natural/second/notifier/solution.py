import logging
import os
import smtplib
from email.message import EmailMessage

log = logging.getLogger("notifier")


def send_sms(phone, text):
    raise NotImplementedError


def _compose(user, message, urgent):
    mail = EmailMessage()
    mail["From"] = "noreply@example.com"
    mail["To"] = user["email"]
    mail["Subject"] = "[URGENT] Notification" if urgent else "Notification"
    mail.set_content(f"Dear {user['name']},\n\n{message}")
    return mail


def notify(user, message, *, urgent=False):
    if urgent and user.get("phone"):
        send_sms(user["phone"], message[:140])
    host = os.environ.get("SMTP_HOST", "localhost")
    port = int(os.environ.get("SMTP_PORT", "25"))
    try:
        with smtplib.SMTP(host, port) as server:
            server.send_message(_compose(user, message, urgent))
    except (smtplib.SMTPException, OSError) as error:
        log.error("cannot notify %s: %s", user["email"], error)
        return False
    return True
