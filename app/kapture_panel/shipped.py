"""Where the folders are that are shipped beside the code. Standard library only: a terminal's call starts with it."""

import os

_PACKAGE = os.path.dirname(os.path.realpath(__file__))


def folder(name: str) -> str:
    """The path of `extension` or `resources`: in an installed wheel inside the package, in a checkout beside `app`."""
    installed = os.path.join(_PACKAGE, name)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), name)
