"""Django's own admin on loopback: SQLite in a folder, migrated, a superuser, many users. Run as a program.

Usage: python django_admin.py FOLDER. It prints its address and serves until standard input ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER, PASSWORD = "boss", "a real login 1"
#: The admin shows 100 rows a page.
USERS = 230
#: Mounted under two roots: the one of Django's tutorial, and one that the address does not tell.
ROOTS = ("admin/", "backoffice/")
urlpatterns: list[object] = []


@contextmanager
def django_admin(folder: Path) -> Iterator[str]:
    """The address of a running site, without a trailing slash; its database is in `folder`."""
    command = [sys.executable, __file__, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as site:
        assert site.stdin is not None
        assert site.stdout is not None
        address = site.stdout.readline().strip()
        assert address, "Django did not start; its reason is above"
        try:
            yield address
        finally:
            site.stdin.close()


def configure(folder: Path) -> None:
    """What `startproject` writes, as far as the admin needs it."""
    import django
    from django.conf import settings

    settings.configure(
        DEBUG=True,
        SECRET_KEY="only for this test",
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        STATIC_URL="/static/",
        USE_TZ=True,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "site.db"}},
        # Hashing 230 passwords the slow way would be most of the start.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        INSTALLED_APPS=[
            f"django.contrib.{name}"
            for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
    )
    django.setup()


def fill() -> None:
    """Migrate, and write the superuser, the users, a group with members and a log of a few days."""
    from datetime import UTC, datetime

    from django.contrib.admin.models import CHANGE, LogEntry
    from django.contrib.auth.models import Group, User
    from django.contrib.contenttypes.models import ContentType
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    boss = User.objects.create_superuser(USER, "boss@example.org", PASSWORD)
    User.objects.bulk_create(
        User(
            username=f"reader{number:03}",
            email=f"reader{number}@example.org",
            first_name=("Ada", "Blaise", "Carl", "Dorothy")[number % 4],
            last_name=f"Number {number}",
            is_staff=number % 10 == 0,
        )
        for number in range(1, USERS)
    )
    group = Group.objects.create(name="Librarians")
    group.user_set.set(User.objects.filter(is_staff=True)[:3])
    users = ContentType.objects.get_for_model(User)
    for day in (3, 4, 17):
        entry = LogEntry.objects.create(
            user=boss, content_type=users, object_id="1", object_repr=f"day {day}", action_flag=CHANGE
        )
        LogEntry.objects.filter(pk=entry.pk).update(action_time=datetime(2026, 5, day, tzinfo=UTC))


def register() -> None:
    """Beside users: groups with their members as rows of an inline, and a log with dates to go down into."""
    from django.contrib import admin
    from django.contrib.admin.models import LogEntry
    from django.contrib.auth.models import Group, User
    from django.urls import path

    members = type("Members", (admin.TabularInline,), {"model": User.groups.through, "extra": 1})
    admin.site.unregister(Group)
    admin.site.register(Group, inlines=[members], filter_horizontal=["permissions"])
    admin.site.register(
        LogEntry,
        date_hierarchy="action_time",
        list_display=["object_repr", "action_flag"],
        list_editable=["action_flag"],
    )
    urlpatterns.append(path(ROOTS[0], admin.site.urls))
    other = admin.AdminSite("backoffice")
    other.site_header = "The back office"
    other.register(Group)
    urlpatterns.append(path(ROOTS[1], other.urls))


def main(folder: Path) -> None:
    """Serve until standard input ends."""
    configure(folder)
    fill()
    register()
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    class QuietHandler(WSGIRequestHandler):  # type: ignore[misc]
        def log_message(self, *_: object) -> None:
            """The test's output is for the test."""

    server = ThreadedWSGIServer(("127.0.0.1", 0), QuietHandler)
    server.daemon_threads = True
    server.set_app(StaticFilesHandler(WSGIHandler()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
