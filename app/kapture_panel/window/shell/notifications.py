"""Messages of the desktop with buttons, where it has them: org.freedesktop.Notifications on the session's bus.

Source: Desktop Notifications Specification 1.2. Qt's own messages have no buttons.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kapture_panel.core.basics import tasks

if TYPE_CHECKING:  # only where a message is shown, and only on Linux
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

log = logging.getLogger(__name__)

_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
#: It stays until it is answered or taken back.
_NEVER = 0
_FAILED = "org.freedesktop.DBus.Error.Failed"
#: Words of a button, and what it does; "default" is a press on the message itself.
Actions = Mapping[str, tuple[str, Callable[[], object]]]


class Notifications:
    """One connection to the bus, made with the first message and kept."""

    def __init__(self) -> None:
        self._bus: MessageBus | None = None
        #: Each message that is shown: its number → what its buttons do.
        self._actions: dict[int, Actions] = {}
        #: Buttons that were pressed before the answer came that gives the message its number.
        self._early: dict[int, str] = {}

    async def show(self, title: str, words: str, actions: Actions) -> int:
        """Show a message; `words` may be read as markup.

        Returns:
            Its number, or 0 where the desktop shows none.
        """
        if sys.platform != "linux" or "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
            return 0
        from dbus_fast import Variant
        from dbus_fast.errors import DBusError

        named = [part for name, (label, _do) in actions.items() for part in (name, label)]
        hints = {"desktop-entry": Variant("s", "kapture-panel"), "category": Variant("s", "im.received")}
        body: list[Any] = ["Kapture Panel", 0, "kapture-panel", title, words, named, hints, _NEVER]
        try:
            if self._bus is None:
                self._bus = await self._connected()
            number: int = (await self._call("Notify", "susssasa{sv}i", body))[0]
        except (DBusError, OSError, EOFError, ValueError) as error:
            log.info("the desktop shows no messages: %s", error)
            return 0
        self._actions[number] = actions
        self._press(number, self._early.pop(number, ""))
        return number

    async def take_back(self, number: int) -> None:
        """Have a message shown no more; one that was closed is not an error."""
        from dbus_fast.errors import DBusError

        if self._actions.pop(number, None) is None:
            return
        try:
            await self._call("CloseNotification", "u", [number])
        except (DBusError, OSError, EOFError) as error:
            log.info("the desktop has closed the message itself: %s", error)

    def release(self) -> None:
        """Let go of the bus."""
        self._actions.clear()
        if self._bus is not None:
            self._bus.disconnect()
            self._bus = None

    async def _connected(self) -> MessageBus:
        from dbus_fast import BusType, Message
        from dbus_fast.aio import MessageBus

        bus = await MessageBus(bus_type=BusType.SESSION).connect()
        bus.add_message_handler(self._on_message)
        rule = f"type='signal',interface='{_NAME}'"
        await bus.call(
            Message("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", signature="s",
                    body=[rule])
        )  # fmt: skip
        return bus

    async def _call(self, member: str, signature: str, body: list[Any]) -> list[Any]:
        from dbus_fast import Message, MessageType
        from dbus_fast.errors import DBusError

        assert self._bus is not None
        answer = await self._bus.call(Message(_NAME, _PATH, _NAME, member, signature=signature, body=body))
        if answer.message_type == MessageType.ERROR:
            raise DBusError(answer.error_name or _FAILED, member)
        found: list[Any] = answer.body
        return found

    def _on_message(self, message: Message) -> None:
        if message.interface != _NAME or message.member not in ("ActionInvoked", "NotificationClosed"):
            return
        number, said = message.body
        if message.member == "NotificationClosed":
            self._actions.pop(number, None)
        elif number in self._actions:
            self._press(number, said)
        else:
            self._early = {number: said}  # of another program's message, or of the one that is being shown

    def _press(self, number: int, button: str) -> None:
        if button in self._actions[number]:
            _label, do = self._actions[number][button]
            # Out of the bus's own reading of its socket.
            tasks.spawn(_done(do), "press a button of a message")


async def _done(do: Callable[[], object]) -> None:
    do()
