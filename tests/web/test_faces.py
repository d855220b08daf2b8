"""The pictures that were made of a game's drawings still show them."""

from __future__ import annotations

import base64

from playwright.sync_api import Browser

from tests.web.faces import drawn, sheets

# The mean difference of two pictures, of 255, over all four channels; other browsers draw edges a little differently.
APART = """async pictures => {
  const [a, b] = await Promise.all(pictures.map(async text => {
    const image = new Image();
    image.src = `data:image/webp;base64,${text}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data;
  }));
  if (a.length !== b.length) return 255;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum / a.length;
}"""


def test_the_faces_are_the_ones_that_are_drawn_today(browser: Browser) -> None:
    for sheet in sheets():
        pictures = [sheet.with_name("faces.webp").read_bytes(), drawn(browser, sheet)]
        page = browser.new_page()
        apart = page.evaluate(APART, [base64.b64encode(one).decode() for one in pictures])
        page.close()
        assert apart < 1, f"python -m tests.web.faces ({sheet})"
