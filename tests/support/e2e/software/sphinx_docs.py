"""A small manual, built by the real Sphinx and served on loopback."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SOURCES = {
    "conf.py": "project = 'Lantern'\nextensions = ['sphinx.ext.autodoc']\nhtml_theme = {theme!r}\n",
    "index.rst": """
Lantern
========

Lantern keeps the lights on.

.. toctree::

   guide
   reference
""",
    "guide.rst": """
Guide
=====

How to light a lantern.

Installing
----------

Install it from the shelf::

    shelf get lantern
    lantern --version

.. warning:: Never install it twice.

Lighting
--------

* Fill the tank, see :doc:`reference`.
* Strike a match.

.. code-block:: python

   from lantern import Lamp

   lamp = Lamp(oil=3)
   if lamp.ready:
       lamp.light()

In the wind
~~~~~~~~~~~

====== =======
Wind   Shelter
====== =======
weak   none
strong a wall
====== =======
""",
    "reference.rst": """
Reference
=========

.. py:class:: Lamp(oil, *, wick=1)

   A lamp.

   .. py:method:: light()

      Light the lamp.

      :raises RuntimeError: there is no oil.

""",
}


@contextmanager
def sphinx_docs(folder: Path, theme: str = "alabaster") -> Iterator[str]:
    """The address of the built manual, without a trailing slash; sources and pages are in `folder`."""
    source, built = folder / "source", folder / "built"
    source.mkdir(parents=True)
    for name, text in SOURCES.items():
        (source / name).write_text(text.replace("{theme!r}", repr(theme)), encoding="utf-8")
    for number in range(40):
        text = f"Chapter {number}\n{'=' * 12}\n\nAbout lamps, part {number}.\n"
        (source / f"chapter{number}.rst").write_text(":orphan:\n\n" + text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", source, built], check=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, name="sphinx docs", daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """The test's output is for the test."""
