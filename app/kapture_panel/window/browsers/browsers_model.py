"""The person's paired browsers as rows."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.registry.paired import PairedBrowser, PairedBrowsers
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.browser_names import called
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions


class BrowsersModel(QAbstractListModel):
    """In the order they were paired."""

    def __init__(self, paired: PairedBrowsers, subscriptions: Subscriptions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paired = paired
        self._browsers = list(paired)
        for signal in (paired.added, paired.removed, paired.changed):
            subscriptions.connect(signal, lambda _browser: self.refresh())

    def refresh(self) -> None:
        """Read again; "last seen" grows older by itself."""
        browsers = list(self._paired)
        if [browser.install for browser in browsers] != [browser.install for browser in self._browsers]:
            self.beginResetModel()
            self._browsers = browsers
            self.endResetModel()
        else:
            self._browsers = browsers
            if browsers:
                self.dataChanged.emit(self.index(0), self.index(len(browsers) - 1))

    def row_of(self, install: str) -> int:
        """Where a browser stands, by its install id; the first row for one that is gone."""
        return next((row for row, browser in enumerate(self._browsers) if browser.install == install), 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._browsers)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        browser = self._browsers[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return called(browser)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{called(browser)}, {self._pill(browser)[0]}, {self._detail(browser)}"
            case _ if role == DETAIL:
                return self._detail(browser)
            case _ if role == PILL:
                return self._pill(browser)
        return browser if role == ITEM else None

    def _pill(self, browser: PairedBrowser) -> tuple[str, str]:
        return ("connected", "ok") if self._paired.is_here(browser.install) else ("away", "neutral")

    def _detail(self, browser: PairedBrowser) -> str:
        own = [safe_text.line(browser.browser, 60)] if browser.name else []
        paired = " · ".join([*own, f"paired {figures.moment(browser.paired_at)[:10]}"])
        if self._paired.is_here(browser.install):
            return paired
        age = figures.age(max(0.0, time.time() - browser.seen_at))
        return f"last seen {'just now' if age == 'now' else f'{age} ago'} · {paired}"
