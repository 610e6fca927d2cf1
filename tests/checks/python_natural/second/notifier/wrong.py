import logging
import os
import smtplib
from email.message import EmailMessage

log = logging.getLogger("notifier")
HOST = os.environ.get("SMTP_HOST", "localhost")
PORT = os.environ.get("SMTP_PORT", 25)


def send_sms(phone, text):
    raise NotImplementedError


def notify(user, message, *, urgent=False):
    mail = EmailMessage()
    mail["From"] = "noreply@example.com"
    mail["To"] = user["email"]
    mail["Subject"] = "[URGENT] Notification" if urgent else "Notification"
    mail.set_content(f"Dear {user['name']},\n\n{message}")
    try:
        with smtplib.SMTP(HOST, PORT) as server:
            server.send_message(mail)
    except smtplib.SMTPException as error:
        log.error("cannot notify %s: %s", user["email"], error)
        return False
    if urgent:
        send_sms(user["phone"], message[:140])
    return True
