"""Print the command reference: `python -m kapture_panel.programs.reference > docs/commands.md`."""

from kapture_panel import paths
from kapture_panel.core.catalogue import reference
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.programs import terminal

if __name__ == "__main__":
    terminal.say(reference.text(Catalogue(paths.catalogue())), end="")
