import django
from django.conf import settings


def pytest_configure():
    settings.configure(
        SECRET_KEY="test",
        ROOT_URLCONF="views",
        ALLOWED_HOSTS=["testserver"],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
        INSTALLED_APPS=["django.contrib.sessions"],
        SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
        USE_TZ=True,
    )
    django.setup()
