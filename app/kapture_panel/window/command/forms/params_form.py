"""What shows and reads the parameters of one command, for those that hold such a form."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets.theme import Theme


class ParamsForm(QWidget):
    """See `CommandForm`, which is one."""

    edited = Signal()
    #: Of one of `targets`, see there; both carry it.
    pick_asked = Signal(object)
    selector_typed = Signal(object)

    def read(self) -> Params:
        """The parameters as they stand; what was left alone is missing."""
        raise NotImplementedError

    def write(self, params: Params) -> str:
        """Show `params` whole or not at all.

        Returns:
            Why the form cannot show them; empty when it does.
        """
        raise NotImplementedError

    def open_again(self, params: Params) -> QWidget | None:
        """Show what history kept; a value it did not keep opens empty.

        Returns:
            The first field that asks for such a value.
        """
        raise NotImplementedError

    def wear(self, theme: Theme) -> None:
        """Take the icons and colours of a theme."""
        raise NotImplementedError

    def set_narrow(self, is_narrow: bool) -> None:
        """Make do with less width, or take the usual one."""
        raise NotImplementedError

    @property
    def targets(self) -> list[TargetField]:
        """The fields that name a place in the page: the target, where a drag goes, those of rows."""
        raise NotImplementedError
