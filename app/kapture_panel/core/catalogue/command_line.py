"""How each command is written in a terminal: its words and its options. Standard library only, as `sharing`."""

import json

from kapture_panel.core.catalogue import sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kapture_panel.core.basics.free_json import Schema

_PREFIX = "kapturemcp_"
#: The ways to name a place, as they end the names of its parameters.
WAYS = ("selector", "xpath", "ref", "x", "y")


class Line:
    """One command: what may be given without a name (`words`, in that order) and its parameters, a schema each.

    A word is a parameter's name or a place: `target`, or another of which the parameters begin with its name (`to`:
    toSelector, toRef …). Unless the catalogue says otherwise (`positional`), the words are the target and then
    whatever the command cannot do without.
    """

    def __init__(self, entry: "Schema", shared: "Schema", targets: "Schema") -> None:
        inputs = entry["inputSchema"]
        self.name: str = entry["name"].removeprefix(_PREFIX)
        self.description: str = entry["description"]
        self.group: str = entry["group"]
        self.is_composite = bool(entry.get("composite"))
        self.required = tuple(inputs["required"])
        self.takes_target: str = entry["target"]
        self.parameters = sharing.all_properties(
            inputs["properties"], shared, targets,
            klass=entry["class"], scope=entry["scope"], target=entry["target"], action=bool(entry.get("action")),
        )  # fmt: skip
        targeted = ["target"] if self.takes_target != "none" else []
        self.words: list[str] = list(entry.get("positional", [*targeted, *self.required]))

    def needs(self, word: str) -> bool:
        """Whether the command cannot do without this one of its words."""
        return word in self.required or (word == "target" and self.takes_target == "required")

    def is_place(self, word: str) -> bool:
        """Whether a word is a place, which has several parameters, rather than one parameter."""
        return word not in self.parameters

    def place_parameters(self, word: str) -> "dict[str, str]":
        """How to name the place: the way (selector, xpath, ref, x, y) → its parameter."""
        return {way: way if word == "target" else f"{word}{way.capitalize()}" for way in WAYS}

    def shown(self, word: str) -> str:
        """A word as help shows it: in capitals, in brackets where it may be left out, with dots where many may come."""
        name = option(word).removeprefix("--").upper().replace("-", "_")
        many = not self.is_place(word) and self.parameters[word]["type"] == "array"
        one = f"{name[:-3]}Y" if name.endswith("IES") else name.removesuffix("S")
        told = f"{one} …" if many else name
        return told if self.needs(word) else f"[{told}]"

    @property
    def usage(self) -> str:
        """The command with its words: `kapture click TARGET`."""
        return " ".join(["kapture", self.name, *map(self.shown, self.words)])


def read(path: str) -> "tuple[dict[str, str], dict[str, Line]]":
    """What the file `commands.json` at `path` declares: name → title of each group, name → line of each command."""
    with open(path, encoding="utf-8") as file:
        declared = json.load(file)
    groups = {group["name"]: group["title"] for group in declared["groups"]}
    lines = (Line(entry, declared["shared"], declared["target"]) for entry in declared["commands"])
    return groups, {line.name: line for line in lines}


def option(parameter: str) -> str:
    """What a parameter is called as an option: `clickCount` → `--click-count`."""
    return "--" + "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in parameter)
