"""Types for JSON without a fixed form, named by what it is. All other JSON is converted to structs."""

from __future__ import annotations

from typing import Any

#: The parameters of a command, or of a profile's tool: its schema describes them.
Params = dict[str, Any]
#: A JSON Schema, with our marks where it is of the catalogue.
Schema = dict[str, Any]
#: What another program says, a person's file holds, a page's code gave, or a command of ours answers.
JsonObject = dict[str, Any]
