"""Behind a real nginx, set up as docs/deploy.md says, at a sub-path."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.match.tables import any_game
from tests.server.process import Serving, call, cookie_of, dealt, free_port

NGINX = shutil.which("nginx", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))
DOCS = Path(__file__).parents[2] / "docs" / "deploy.md"
WHOLE = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {told}
}}
"""

pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx on this machine")


def told(port: int, server: int, *, keeps_prefix: bool) -> str:
    """The document's own lines, at other ports and without a certificate."""
    found = re.search(r"```nginx\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    text = found[1]
    for old, new in (
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("proxy_pass http://127.0.0.1:8000/;", f"proxy_pass http://127.0.0.1:{server}{'' if keeps_prefix else '/'};"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.fixture(params=[False, True], ids=["prefix taken off", "prefix kept"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of the site as a browser sees it, without the sub-path."""
    with Serving(tmp_path / "foxrow.db", "--root", "/games", "--pace", "0") as server:
        port = free_port()
        folder = tmp_path / "nginx"
        folder.mkdir()
        configuration = folder / "nginx.conf"
        lines = told(port, server.port, keeps_prefix=request.param)
        configuration.write_text(WHOLE.format(folder=folder, told=lines))
        assert NGINX is not None
        command = [NGINX, "-c", str(configuration), "-p", str(folder), "-e", str(folder / "error.log")]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as proxy:
            try:
                address = f"http://127.0.0.1:{port}"
                for _ in range(400):
                    assert proxy.poll() is None, proxy.stderr and proxy.stderr.read()
                    try:
                        if call(address, "GET", "/games/ready")[0] == 200:
                            break
                    except OSError:
                        pass
                    time.sleep(0.05)
                yield address
            finally:
                proxy.terminate()
                proxy.wait(30)


def test_the_site_works_under_a_sub_path(site: str) -> None:
    game = any_game()
    status, page, headers = call(site, "GET", "/games/")
    assert status == 200
    assert "content-security-policy" in headers
    base = re.search(rb'<base href="([^"]+)"', page)
    links = re.findall(rb'(?:src|href)="([^"#]+\.(?:js|css))"', page)
    assert links
    for link in links:
        path = link.decode()
        if not path.startswith("/"):
            path = (base[1].decode() if base else "/games/") + path.removeprefix("./")
        assert path.startswith("/games/")
        status, _, headers = call(site, "GET", path)
        assert (status, headers["content-type"].partition(";")[0]) in (
            (200, "text/javascript"), (200, "text/css"), (200, "application/javascript"),
        ), path  # fmt: skip

    url = site + "/games"
    assert call(url, "GET", "/metrics")[0] == 403
    status, body, headers = call(url, "POST", "/api/tables", {}, origin="https://evil.example")
    assert status == 403, body
    wish = {"game": game.key, "seats": [{"kind": "me"}] * game.players[0]}
    status, body, headers = call(url, "POST", "/api/tables", wish, origin=site)
    assert status == 201, body
    assert "Path=/games/;" in headers["set-cookie"]
    table, cookie = json.loads(body)["id"], cookie_of(headers)

    address = url.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    with connect(address, origin=Origin(site), additional_headers={"cookie": cookie}) as wire:
        wire.send('{"type":"hello"}')
        welcome = json.loads(wire.recv(timeout=30))
        assert welcome["type"] == "welcome"
        assert welcome["you"]["seats"] == list(range(game.players[0]))
    with pytest.raises(InvalidStatus) as refused:
        connect(address, origin=Origin("https://evil.example"), additional_headers={"cookie": cookie})
    assert refused.value.response.status_code == 403
    dealt(url, game.key, game.players[0])
