"""Who may open a connection: the address, the origin and the host of the upgrade."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.extension_door import listener as listener_module
from tests.support.hub.fakes import ORIGIN
from tests.support.hub.listening import Door, status
from tests.support.ports import quiet_port


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made = Door(tmp_path)
    await made.listener.open(0)
    yield made
    await made.listener.close()


OTHER_ID = EXTENSION_ID[:-1] + "a"

#: What an Origin may not be. Each is a list, for the header may also be missing or come twice.
ORIGINS: list[list[str]] = [
    [], [""], ["null"], ["*"], ["undefined"], ["chrome-extension://"], [EXTENSION_ID],
    [f"chrome-extension://{OTHER_ID}"], [f"chrome-extension://{EXTENSION_ID[:-1]}"],
    [f"chrome-extension://{EXTENSION_ID}a"], [f"chrome-extension://a{EXTENSION_ID}"],
    [f"chrome-extension://{EXTENSION_ID}/"], [f"chrome-extension://{EXTENSION_ID}/popup.html"],
    [f"chrome-extension://{EXTENSION_ID}:80"], [f"chrome-extension://{EXTENSION_ID}."],
    [f"chrome-extension://{EXTENSION_ID.upper()}"], [f"Chrome-Extension://{EXTENSION_ID}"],
    [f"CHROME-EXTENSION://{EXTENSION_ID}"], [f"chrome-extension:/{EXTENSION_ID}"],
    [f"chrome-extension:///{EXTENSION_ID}"], [f"chrome-extension://{EXTENSION_ID}@evil.example"],
    [f"chrome-extension://evil.example/{EXTENSION_ID}"], [f"chrome-extension://{EXTENSION_ID}.evil.example"],
    [f"moz-extension://{EXTENSION_ID}"], [f"extension://{EXTENSION_ID}"], [f"http://{EXTENSION_ID}"],
    [f"https://{EXTENSION_ID}"], ["http://127.0.0.1"], ["http://localhost"], ["https://evil.example"],
    ["file://"], [f"{ORIGIN} "[:-1] + ","], [f"{ORIGIN}, {ORIGIN}"], [f"{ORIGIN} {ORIGIN}"], [f'"{ORIGIN}"'],
    [ORIGIN, ORIGIN], [ORIGIN, "https://evil.example"], ["https://evil.example", ORIGIN], [ORIGIN, ""],
    [f"chrome-extension://{EXTENSION_ID}%20"], [f"chrome-extension://{EXTENSION_ID}\t.evil.example"],
    [f"chrome-extension://{EXTENSION_ID}?"], [f"chrome-extension://{EXTENSION_ID}#"],
]  # fmt: skip

#: What a Host may not be; PORT stands for the right port.
HOSTS: list[list[str]] = [
    [], [""], ["127.0.0.1"], ["localhost"], ["127.0.0.1:"], ["127.0.0.1:1"], ["localhost:1"], ["127.0.0.1:0PORT"],
    ["LOCALHOST:PORT"], ["Localhost:PORT"], ["localhost.:PORT"], ["127.0.0.1.:PORT"], ["127.1:PORT"],
    ["0.0.0.0:PORT"], ["127.0.0.2:PORT"], ["2130706433:PORT"], ["0x7f.0.0.1:PORT"], ["[::1]:PORT"], ["::1:PORT"],
    ["[::ffff:127.0.0.1]:PORT"], ["evil.example:PORT"], ["localhost.evil.example:PORT"], ["evil.example"],
    ["127.0.0.1:PORT.evil.example"], ["127.0.0.1:PORT@evil.example"], ["me@127.0.0.1:PORT"],
    ["127.0.0.1:PORT, localhost:PORT"], ["127.0.0.1:PORT", "127.0.0.1:PORT"], ["127.0.0.1:PORT", "evil.example"],
    ["evil.example", "localhost:PORT"], ["http://127.0.0.1:PORT"], ["127.0.0.1:PORT/"],
]  # fmt: skip


def test_the_matrices_are_wide() -> None:
    assert len(ORIGINS) >= 30
    assert len(HOSTS) >= 20


@pytest.mark.parametrize("origins", ORIGINS, ids=repr)
async def test_another_origin_is_refused_before_the_upgrade(door: Door, origins: list[str]) -> None:
    headers = [("Host", f"127.0.0.1:{door.listener.port}"), *(("Origin", origin) for origin in origins)]
    assert await status(door.listener.port, headers) == 403


@pytest.mark.parametrize("hosts", HOSTS, ids=repr)
async def test_another_host_is_refused_before_the_upgrade(door: Door, hosts: list[str]) -> None:
    port = door.listener.port
    headers = [("Origin", str(ORIGIN)), *(("Host", host.replace("PORT", str(port))) for host in hosts)]
    assert await status(port, headers) == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_extension_is_let_in_under_both_names(door: Door, host: str) -> None:
    port = door.listener.port
    assert await status(port, [("Host", f"{host}:{port}"), ("Origin", str(ORIGIN))]) == 101


async def test_the_address_is_no_web_server(door: Door) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.listener.port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{door.listener.port}\r\nOrigin: {ORIGIN}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"426")
    assert b"Access-Control" not in answer
    assert b"Server:" not in answer


async def test_a_free_port_is_the_same_on_both_loopback_addresses(door: Door) -> None:
    port = door.listener.port
    assert port > 0
    headers = [("Host", f"localhost:{port}"), ("Origin", str(ORIGIN))]
    assert await status(port, headers, "127.0.0.1") == 101
    if listener_module._has_ipv6():
        assert await status(port, headers, "::1") == 101


async def test_nothing_listens_beyond_loopback(door: Door) -> None:
    names = [server.sockets[0].getsockname()[0] for server in door.listener._servers]
    assert set(names) <= {"127.0.0.1", "::1"}
    assert "127.0.0.1" in names


async def test_a_taken_port_is_named_with_its_owner_and_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        other = Door(tmp_path)
        with pytest.raises(KaptureError, match=rf"port {port} on 127.0.0.1 is taken.*kapture --port N") as raised:
            await other.listener.open(port)
        assert raised.value.code == "BUSY"
        await other.listener.close()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["python3", "-m", "kapture_panel", "serve", "--data-dir", "/my data"], "another Kapture Panel, of /my data"),
        (["python3", "/x/bin/kapture", "--tray", "--data-dir=/a"], "another Kapture Panel, of /a"),
        (["/x/bin/kapture-panel"], "another Kapture Panel"),
        (["python3", "serve.py", "--data-dir", "/a"], ""),
        ([], ""),
    ],
)
def test_another_panel_is_known_by_its_command_line(command: list[str], said: str) -> None:
    assert listener_module._panel_of(command) == said


async def test_a_port_taken_on_one_of_the_addresses_is_given_back_on_the_other(tmp_path: Path) -> None:
    if not listener_module._has_ipv6():
        return
    with socket.socket(socket.AF_INET6) as taken:
        port = quiet_port()
        taken.bind(("::1", port))
        taken.listen()
        with pytest.raises(KaptureError, match=f"port {port} on ::1 is taken"):
            await Door(tmp_path).listener.open(port)
        with socket.socket() as free:
            free.bind(("127.0.0.1", port))


async def test_who_has_the_port_on_the_second_address_is_named_and_not_the_panel_itself(tmp_path: Path) -> None:
    if not listener_module._has_ipv6():
        return
    listens = (
        "import socket, sys; taken = socket.create_server(('::1', int(sys.argv[1])), family=socket.AF_INET6); "
        "print(flush=True); sys.stdin.read()"
    )
    port = quiet_port()
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-c", listens, str(port), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    await child.stdout.readline()
    with pytest.raises(KaptureError, match=rf"port {port} on ::1 is taken by .*\(pid {child.pid}\)"):
        await Door(tmp_path).listener.open(port)
    child.stdin.close()
    await child.wait()


async def test_the_port_is_free_again_after_closing(tmp_path: Path) -> None:
    first, second = Door(tmp_path), Door(tmp_path)
    port = quiet_port()
    await first.listener.open(port)
    await first.listener.close()
    await second.listener.open(port)
    await second.listener.close()
