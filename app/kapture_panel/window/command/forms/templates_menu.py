"""The menu of a command's templates: choose, save, rename, delete, begin empty."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.kept_values import KeptValues, is_private
from kapture_panel.window.command.forms.template_dialog import TemplateDialog
from kapture_panel.window.widgets import safe_text


class TemplatesMenu(QMenu):
    """Filled when it opens, by `show_command`'s command.

    `chosen` carries the parameters to put into the form; `save_asked` asks for what is in it, for `ask_name`.
    """

    chosen = Signal(dict)
    save_asked = Signal()

    def __init__(self, kept: KeptValues, parent: QWidget) -> None:
        super().__init__("Templates", parent)
        self._kept = kept
        self._command: Command | None = None
        self.aboutToShow.connect(self.fill)

    def show_command(self, command: Command) -> None:
        """Offer the templates of another command."""
        self._command = command

    def fill(self) -> None:
        """Make the entries again."""
        self.clear()
        if self._command is None:
            return
        templates = self._kept.templates(self._command)
        for name, params in templates.items():
            self._add(self, name).triggered.connect(partial(self._choose, params))
        if templates:
            self.addSeparator()
        self.addAction("Save as template …").triggered.connect(lambda: self.save_asked.emit())
        if templates:
            rename, delete = self.addMenu("Rename"), self.addMenu("Delete")
            for name in templates:
                self._add(rename, f"{name} …").triggered.connect(partial(self._ask_new_name, name))
                self._add(delete, name).triggered.connect(partial(self._delete, name))
        self.addSeparator()
        self.addAction("Empty the form").triggered.connect(self._empty)

    def ask_name(self, params: Params) -> TemplateDialog | None:
        """Ask what the template of `params` is to be called."""
        command = self._command
        if command is None:
            return None
        taken = set(self._kept.templates(command))
        has_private = any(is_private(command, name, value) for name, value in params.items())
        dialog = TemplateDialog(self._owner, "Save as template", "", taken, has_private=has_private)
        dialog.named.connect(lambda name, is_whole: self._kept.save_template(command, name, params, is_whole=is_whole))
        return self._open(dialog)

    @property
    def _owner(self) -> QWidget:
        owner = self.parentWidget()
        assert owner is not None
        return owner

    def _open(self, dialog: TemplateDialog) -> TemplateDialog:
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _ask_new_name(self, name: str, _checked: bool = False) -> TemplateDialog | None:
        command = self._command
        if command is None:
            return None
        taken = set(self._kept.templates(command))
        dialog = TemplateDialog(self._owner, "Rename template", name, taken)
        dialog.named.connect(lambda new_name, _whole: self._kept.rename_template(command, name, new_name))
        return self._open(dialog)

    def _delete(self, name: str, _checked: bool = False) -> None:
        if self._command is not None:
            self._kept.delete_template(self._command, name)

    def _choose(self, params: Params, _checked: bool = False) -> None:
        self.chosen.emit(params)

    def _empty(self) -> None:
        if self._command is not None:
            self._kept.forget_last(self._command)
        self.chosen.emit({})

    def _add(self, menu: QMenu, name: str) -> QAction:
        # Else an ampersand would be the mark of a shortcut and a tab would begin one.
        return menu.addAction(safe_text.line(name).replace("&", "&&"))
