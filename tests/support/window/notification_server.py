"""A desktop that shows messages: org.freedesktop.Notifications on a session bus of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class NotificationServer:
    """Keeps what it was asked to show, as strictly typed as the specification says."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self.shown: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: asyncio.Queue[int] = asyncio.Queue()
        self._count = 0

    @classmethod
    async def on(cls, address: str) -> NotificationServer:
        """One that has the name on the bus at `address`."""
        bus = await MessageBus(bus_address=address).connect()
        server = cls(bus)
        bus.add_message_handler(server._on_message)
        await bus.request_name(NAME)
        return server

    def stop(self) -> None:
        """Leave the bus."""
        self._bus.disconnect()

    async def press(self, number: int, action: str) -> None:
        """The person presses a button of a message."""
        await self._bus.send(Message.new_signal(PATH, NAME, "ActionInvoked", "us", [number, action]))

    def _on_message(self, message: Message) -> Message | None:
        if message.message_type != MessageType.METHOD_CALL or message.interface != NAME:
            return None
        if message.member == "Notify" and message.signature == "susssasa{sv}i":
            self._count += 1
            app, _replaces, icon, title, words, actions, _hints, expiry_ms = message.body
            told = {"app": app, "icon": icon, "title": title, "words": words, "expiry_ms": expiry_ms}
            self.shown.put_nowait(
                {**told, "number": self._count, "actions": dict(zip(actions[::2], actions[1::2], strict=True))}
            )
            return Message.new_method_return(message, "u", [self._count])
        if message.member == "CloseNotification" and message.signature == "u":
            self.closed.put_nowait(message.body[0])
            return Message.new_method_return(message)
        return Message.new_error(message, "org.freedesktop.DBus.Error.InvalidArgs", f"{message.signature}")
