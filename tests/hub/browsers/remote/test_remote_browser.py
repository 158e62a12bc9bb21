"""How a browser elsewhere starts and ends, and what is said when it does not. Real ones: e2e and `make test-grid`."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.browser import new_pairing
from kapture_panel.hub.browsers.remote import remote_browser
from kapture_panel.hub.browsers.remote.places import Place
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from kapture_panel.hub.browsers.remote.sessions import Service
from tests.support.hub.far import FarCdp, far_cdp


class Setting:
    def __init__(self, far: FarCdp, folder: Path) -> None:
        self.ended = 0
        self.service = Service(Place(cdp=far.address, name="a", at_once=1), paths.extension())
        self.browser = RemoteBrowser(
            self.service, new_pairing("s", "a"), 1, (1280, 720), folder / "downloads", self._on_ended
        )

    def _on_ended(self) -> None:
        self.ended += 1


async def test_the_extension_is_given_its_key_and_the_browser_is_ended(tmp_path: Path) -> None:
    async with far_cdp() as far:
        setting = Setting(far, tmp_path)
        await setting.browser.start()
        given = [frame["params"].get("expression", "") for frame in far.called]
        (config,) = [said for said in given if setting.browser.pairing.key in said]
        assert '"carried": true' in config
        await setting.browser.end()
        assert far.methods()[-1] == "Browser.close"
        assert (setting.ended, setting.browser.died, setting.browser.gone.is_set()) == (1, "", True)
        assert setting.service._in_use == 0


async def test_a_service_that_lets_no_extension_in_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_browser, "EXTENSION_S", 0.05)
    async with far_cdp(has_extension=False) as far:
        setting = Setting(far, tmp_path)
        with pytest.raises(KaptureError, match="without our extension; services that let no extension in") as raised:
            await setting.browser.start()
        assert raised.value.code == "NO_BROWSER"
        assert "Browser.close" in far.methods()
        assert setting.service._in_use == 0


async def test_one_that_is_lost_says_so_and_makes_room(tmp_path: Path) -> None:
    async with far_cdp() as far:
        setting = Setting(far, tmp_path)
        await setting.browser.start()
        assert far.socket is not None
        far.socket.transport.abort()
        await setting.browser.gone.wait()
        assert setting.browser.died == "at a was lost (its connection broke)"
        await setting.browser.end()
        assert (setting.ended, setting.service._in_use) == (1, 0)
