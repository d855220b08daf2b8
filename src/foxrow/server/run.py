"""Starting the server: sockets, signals, and the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

from foxrow.server import logs
from foxrow.server.line import Line
from foxrow.server.settings import Settings
from foxrow.server.site import Site
from foxrow.server.wire import Wire
from foxrow.store import open_store

GRACE = 10  # seconds that open calls have to end when we stop


class Server(uvicorn.Server):
    """uvicorn, telling the site when it begins to stop."""

    def __init__(self, config: uvicorn.Config, site: Site, started: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._site = site
        self._started = started
        self.over: str | None = None  # why this process must end

    def end(self, why: str) -> None:
        """From any thread."""
        self.over = why
        self._site.drain()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Not uvicorn's own, which ends the process by the same signal: a stop that was asked for has status 0.
        self._site.drain()
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._started is not None:
            self._started()


def config(site: Site, *, host: str, port: int, proxies: str = "127.0.0.1") -> uvicorn.Config:
    limits = site.settings.limits
    return uvicorn.Config(
        site,
        host=host,
        port=port,
        loop="auto",
        http=Line,
        ws=Wire,
        ws_max_size=limits.frame,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        lifespan="on",
        log_config=None,
        access_log=False,
        log_level=logging.WARNING,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
        server_header=False,
        date_header=True,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=None,
        backlog=2048,
        h11_max_incomplete_event_size=32 * 1024,
    )


def free_port(host: str, wanted: int) -> int:
    """The port, or the next free one."""
    for port in range(wanted, wanted + 50):
        with contextlib.closing(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                return port
            except OSError:
                continue
    raise OSError(f"no free port from {wanted} to {wanted + 49}")


def serve(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    browser: bool = False,
    tell: Callable[[str], None] = lambda line: None,
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Serve until a signal; the exit status. `tell` gets the address when it can be asked, `say` a line about anything
    else that an operator should know."""
    logs.start()
    # The writer's thread must get its turn quickly when a write has reached the disk: players wait for it.
    sys.setswitchinterval(0.0001)
    # Hardly anything here holds itself in a circle, and a look for that halts the tables: not for what a thousand
    # moves on their way hold for a moment. A look at so many takes some 15 ms. At 20,000 the looks at all that had
    # stayed took 45 to 86 ms, and came far more often.
    gc.set_threshold(60_000, 5, 50)

    def standby() -> None:
        say("Another server is active on this database; this one waits and takes over when that is gone.")

    store = open_store(settings.database, standby)  # here, where a fault can still be told in a line
    site = Site(settings, store)
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::1', '::') else host}:{port}{settings.root}/"

    def started() -> None:
        tell(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server = Server(config(site, host=host, port=port, proxies=settings.proxies), site, started)
    store.when_over(server.end)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        server.run()
    if server.over is not None:
        say(f"This server ends: {server.over}.")
        return 1
    return 0 if server.started else 1
