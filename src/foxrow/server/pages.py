"""The built web client, from memory: small, compressed once, and right under any sub-path."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable

NOT_BUILT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Foxrow</title></head>
<body><h1>The web client is not built</h1>
<p>The server runs; its API is under <code>api/</code>. To build the pages: <code>pip install -e .</code> in
the
source tree, or <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code>. Then start the server
again.</p></body></html>
"""
COMPRESSED = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".webp": "image/webp",
}


@dataclass(frozen=True)
class Page:
    body: bytes
    zipped: bytes | None
    kind: str
    tag: str
    forever: bool  # its name holds its hash


class Pages:
    def __init__(self, root: str = "", folder: Traversable | None = None) -> None:
        self._root = root
        self._pages: dict[str, Page] = {}
        folder = folder or files("foxrow.server") / "static"
        if folder.is_dir():
            self._collect(folder, "")
        self.built = "index.html" in self._pages
        listed = self._pages.pop("preload.json", None)
        self._ahead: dict[str, dict[str, list[str]]] = json.loads(listed.body) if listed else {}

    def _collect(self, folder: Traversable, prefix: str) -> None:
        for entry in folder.iterdir():
            name = f"{prefix}{entry.name}"
            if entry.is_dir():
                self._collect(entry, f"{name}/")
            elif not entry.name.startswith("."):
                self._pages[name] = self._page(name, entry.read_bytes())

    def _page(self, name: str, body: bytes) -> Page:
        ending = name[name.rfind(".") :]
        kind = TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        if name == "index.html":
            body = self._based(body.decode("utf-8")).encode()
        zipped = gzip.compress(body, 9, mtime=0) if kind.startswith(COMPRESSED) and len(body) > 500 else None
        tag = hashlib.sha256(body).hexdigest()[:20]
        return Page(body, zipped, kind, f'"{tag}"', name.startswith("assets/"))

    def _based(self, text: str) -> str:
        """The page with its real base: `t/<id>` and a sub-path find the same files."""
        base = f'<base href="{escape(self._root)}/" />'
        if '<base href="/">' in text:
            return text.replace('<base href="/">', base, 1)
        if '<base href="/" />' in text:
            return text.replace('<base href="/" />', base, 1)
        return text.replace("<head>", f"<head>{base}", 1)

    def ahead(self, path: str, languages: str, game: str | None) -> str:
        """A Link header for the client's page at a path: what it will need, so that the browser asks for all at once.

        `languages` is what the browser says it reads; `game` is that of the table the path leads to, if it is known.
        """
        wanted = list(self._ahead.get("pages", {}).get(path.lstrip("/").split("/", 1)[0], ()))
        wanted += self._ahead.get("games", {}).get(game or "", ())
        texts = self._ahead.get("languages", {})
        read = (tag.split(";", 1)[0].strip()[:2].lower() for tag in languages.split(","))
        wanted += texts.get(next((one for one in read if one in texts), "en"), ())
        # The client's own links to styles have crossorigin: without it here they would be fetched twice.
        kinds = {"css": "preload; as=style; crossorigin", "webp": "preload; as=image"}
        return ", ".join(
            f"<{self._root}/{file}>; rel={kinds.get(file.rsplit('.', 1)[-1], 'modulepreload')}"
            for file in dict.fromkeys(wanted)
        )

    def find(self, path: str) -> tuple[Page, int] | None:
        """The page at a path, with its status; every path without a dot is the client's own to route."""
        name = path.lstrip("/")
        page = self._pages.get(name)
        if page is not None:
            return page, 200
        if name.startswith(("api/", "assets/")) or "." in name.rsplit("/", 1)[-1]:
            return None
        if not self.built:
            return self._page("missing.html", NOT_BUILT.encode()), 503
        return self._pages["index.html"], 200
