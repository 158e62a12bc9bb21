"""Makes kapture.ico and kapture.icns of the picture in resources/, for PyInstaller: python packaging/frozen/icons.py"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Write both into build/dist/icons."""
    folder = ROOT / "build" / "dist" / "icons"
    folder.mkdir(parents=True, exist_ok=True)
    with Image.open(ROOT / "resources" / "icons" / "kapture-256.png") as picture:
        picture.save(folder / "kapture.ico", sizes=[(side, side) for side in (16, 32, 48, 256)])
        picture.save(folder / "kapture.icns")


if __name__ == "__main__":
    main()
