"""Routes: the calls, the pages, and what operators ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, Router

from foxrow.match.refusal import Refusal
from foxrow.server.calls import CALLS
from foxrow.server.logs import log
from foxrow.server.visit import Call, Visit, refusal, take
from foxrow.store.interface import StoreError

if TYPE_CHECKING:
    from foxrow.server.site import Site


def endpoint(site: Site, call: Call) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        request.scope["foxrow_route"] = f"{call.method} {call.path}"
        try:
            take(site.calls.take(site.address(request.scope)))
            if call.method != "GET" and not site.origin_allowed(request.scope):
                raise Refusal("not_allowed")
            return await call.handle(Visit(site, request, call))
        except Refusal as refused:
            return refusal(refused.code, refused.data)
        except StoreError as failed:
            site.metrics.count("store_failures_total", f'code="{failed.code}"')
            return refusal(failed.code, {})
        except ClientDisconnect:
            return refusal("malformed", {})
        except Exception:
            log.error("a call failed", exc_info=True, extra={"data": {"route": request.scope["foxrow_route"]}})
            return refusal("failed", {})

    return handle


def game_ahead(site: Site, request: Request) -> str | None:
    """The game of the table that a page is for, if whoever asks sits there: nobody else learns that there is one."""
    parts = request.url.path.strip("/").split("/")
    room = site.lounge.rooms.get(parts[-1]) if site.started and len(parts) == 2 else None
    if room is None:
        return None
    person = site.person_of(request.scope)
    return room.table.game.key if person and any(seat.person == person for seat in room.table.seats) else None


def router(site: Site) -> Router:
    async def health(request: Request) -> Response:
        request.scope["foxrow_route"] = "health"
        return Response("ok\n", media_type="text/plain")

    async def ready(request: Request) -> Response:
        request.scope["foxrow_route"] = "ready"
        yes = site.started and site.lounge.ready
        return Response("ready\n" if yes else "not ready\n", 200 if yes else 503, media_type="text/plain")

    async def metrics(request: Request) -> Response:
        request.scope["foxrow_route"] = "metrics"
        return Response(site.metrics.text(), media_type="text/plain; version=0.0.4")

    async def page(request: Request) -> Response:
        request.scope["foxrow_route"] = "page"
        wait = site.calls.take(site.address(request.scope))
        if wait:
            return refusal("too_many", {"wait": int(wait * 1000) + 1})
        if request.method not in ("GET", "HEAD"):
            return refusal("wrong_method", {})
        found = site.pages.find(request.url.path)
        if found is None:
            return refusal("unknown_page", {})
        page, status = found
        life = "public, max-age=31536000, immutable" if page.forever else "no-cache"
        headers = {"cache-control": life, "etag": page.tag, "vary": "accept-encoding", "content-type": page.kind}
        if page.kind.startswith("text/html"):
            headers["vary"] = "accept-encoding, accept-language"
            languages = request.headers.get("accept-language", "")
            ahead = site.pages.ahead(request.url.path, languages, game_ahead(site, request))
            headers |= {"link": ahead} if ahead else {}
        if request.headers.get("if-none-match") == page.tag:
            return Response(b"", 304, headers)
        body = page.body
        if page.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = page.zipped
            headers["content-encoding"] = "gzip"
        return Response(body, status, headers)

    by_path: dict[str, dict[str, Call]] = {}
    for call in CALLS:
        by_path.setdefault(call.path, {})[call.method] = call

    def methods(path: str, calls: dict[str, Call]) -> Route:
        ends = {method: endpoint(site, call) for method, call in calls.items()}

        async def choose(request: Request) -> Response:
            end = ends.get("GET" if request.method == "HEAD" else request.method)
            if end is None:
                request.scope["foxrow_route"] = path
                answer = refusal("wrong_method", {})
                answer.headers["allow"] = ", ".join(ends)
                return answer
            return await end(request)

        every = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]
        return Route(path, choose, methods=every)

    routes = [methods(path, calls) for path, calls in by_path.items()]
    routes += [Route("/health", health), Route("/ready", ready), Route("/metrics", metrics)]
    routes.append(Route("/{path:path}", page, methods=["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]))
    return Router(routes, redirect_slashes=False)
