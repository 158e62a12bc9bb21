"""Print the command reference: `python -m kapture_panel.programs.reference > docs/commands.md`."""

from kapture_panel import paths
from kapture_panel.core import reference
from kapture_panel.core.catalogue import Catalogue

if __name__ == "__main__":
    print(reference.text(Catalogue(paths.catalogue())), end="")
