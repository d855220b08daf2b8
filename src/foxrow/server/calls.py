"""The HTTP calls: one table of them, from which the routes and the OpenAPI document are made."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

from starlette.responses import Response

import foxrow
from foxrow.bots.puzzles import puzzles
from foxrow.core.contract import Game
from foxrow.core.errors import MoveError
from foxrow.core.lessons import NotAsked, lessons
from foxrow.core.registry import games
from foxrow.match.refusal import Refusal
from foxrow.server import brains
from foxrow.server import messages as ms
from foxrow.server.analysis import Wanted
from foxrow.server.messages import encode
from foxrow.server.names import clean_name
from foxrow.server.openapi import document
from foxrow.server.replay import REPLAYS, check, read, replay, views
from foxrow.server.requests import PHRASES
from foxrow.server.room import Room, now_ms
from foxrow.server.tally import MOST, tally
from foxrow.server.visit import STATUS, Call, Query, Visit, take
from foxrow.store.interface import AddRecord

if TYPE_CHECKING:
    from foxrow.server.lounge import Lounge

Kept = TypeVar("Kept")

# ---- games and people --------------------------------------------------------------------------------------


def games_body(lounge: Lounge) -> ms.Games:
    cards = [
        ms.GameCard(
            key=game.key,
            name=game.name,
            summary=game.summary,
            publisher=game.publisher,
            players=list(game.players),
            options=[
                ms.OptionCard(
                    key=option.key,
                    choices=list(option.choices),
                    default=option.default,
                    players=None if option.players is None else list(option.players),
                    partners=list(option.partners),
                    note=option.note,
                )
                for option in game.options
            ],
            phases=list(game.phases),
            match=ms.MatchCard(
                kind=game.match.kind,
                setting=game.match.setting,
                default=game.match.default,
                low=game.match.low,
                high=game.match.high,
            ),
            levels=[ms.LevelCard(level=n, key=level.key) for n, level in enumerate(brains.levels(game.key), 1)],
            prepared=lounge.rules.share(game.key),
            lessons=[lesson.id for lesson in lessons(game)],
            puzzles=[puzzle.id for puzzle in puzzles(game)],
        )
        for game in games().values()
    ]
    return ms.Games(games=cards, phrases=list(PHRASES), version=foxrow.__version__)


async def get_games(visit: Visit) -> Response:
    return visit.answer(games_body(visit.lounge))


async def get_me(visit: Visit) -> Response:
    if visit.person is not None:
        visit.become(visit.person)  # a fresh cookie: who comes back stays
    return visit.answer(ms.Me(known=visit.person is not None, name=visit.lounge.people.name_of(visit.person)))


async def put_me(visit: Visit) -> Response:
    wish: ms.NameChange = await visit.body(ms.NameChange)
    clean_name(wish.name)
    person = await visit.be_somebody()
    return visit.answer(ms.Me(known=True, name=await visit.lounge.rename(person, wish.name)))


async def delete_me(visit: Visit) -> Response:
    if visit.person is not None:
        visit.site.codes.forget(visit.person)
        await visit.lounge.forget(visit.person)
        visit.site.shelf.changed()
    visit.become(None)
    return visit.answer(None)


async def post_device(visit: Visit) -> Response:
    person = await visit.be_somebody()
    code, expires = visit.site.codes.make(person, time.time())
    return visit.answer(ms.DeviceCode(code=code, expires=int(expires * 1000)))


async def post_claim(visit: Visit) -> Response:
    claim: ms.DeviceClaim = await visit.body(ms.DeviceClaim)
    take(visit.site.misses.take(visit.address))
    person = visit.site.codes.claim(claim.code, time.time())
    if person is None or not visit.lounge.people.known(person):
        raise Refusal("bad_code")
    visit.become(person)
    return visit.answer(ms.Me(known=True, name=visit.lounge.people.name_of(person)))


async def get_my_tables(visit: Visit) -> Response:
    rows = await asyncio.to_thread(visit.lounge.store.tables_of, visit.person, 200) if visit.person else []
    return visit.answer(ms.TableList(tables=await visit.lounge.cards(rows, visit.person), more=None))


# ---- tables ------------------------------------------------------------------------------------------------


async def get_lobby(visit: Visit) -> Response:
    before = page_mark(visit)
    rows = await asyncio.to_thread(visit.lounge.store.lobby, LOBBY_PAGE, before)
    cards = await visit.lounge.cards(rows, visit.person, load=False)
    return visit.answer(
        ms.Lobby(
            open=[card for card in cards if card.status == "open"],
            playing=[card for card in cards if card.status in ("shuffling", "playing", "pause")],
            more=f"{rows[-1].created}.{rows[-1].table}" if len(rows) == LOBBY_PAGE else None,
        )
    )


LOBBY_PAGE = 100
BEFORE = re.compile(r"(?:([0-9]{1,19})(?:\.([A-Za-z0-9_-]{1,40}))?)?")  # when a table ended or began, and which it was


def page_mark(visit: Visit) -> tuple[int, str]:
    """The last table of the page before."""
    last = BEFORE.fullmatch(visit.request.query_params.get("before", ""))
    if last is None:
        raise Refusal("malformed", place="before")
    return min(int(last[1] or 2**62), 2**62), last[2] or "~"  # the tilde comes after all ids


async def post_table(visit: Visit) -> Response:
    wish: ms.CreateTable = await visit.body(ms.CreateTable)
    take(visit.site.new_tables.take(visit.address))
    person = await visit.be_somebody(wish.ref)
    room = await visit.lounge.create(person, wish, visit.site.signer.id_for("table", person, wish.ref))
    return visit.answer(room.info())


async def get_table(visit: Visit) -> Response:
    return visit.answer((await visit.room()).info())


async def post_join(visit: Visit) -> Response:
    wish: ms.JoinTable = await visit.body(ms.JoinTable)
    room = await visit.room()
    await room.join(await visit.be_somebody(wish.ref), wish)
    return visit.answer(room.info())


def names_of(room: Room) -> list[str]:
    return [
        room.audience.names[number] or ("" if seat.kind != "bot" else f"bot {seat.level}")
        for number, seat in enumerate(room.table.seats)
    ]


async def get_record(visit: Visit) -> Response:
    async with visit.site.records_at_once:
        data, _ = await finished_record(visit)
        return await visit.large(lambda: encode(data))


async def finished_record(visit: Visit) -> tuple[dict[str, Any], bool]:
    """The record of a finished table, or the one that was imported under this id; and whether there is a table."""
    kept = await asyncio.to_thread(visit.lounge.store.record, visit.request.path_params["table"])
    if kept is not None:
        return kept, False
    room = await visit.room()
    return room.table.record(names_of(room)), True


async def get_replay(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    async with visit.site.records_at_once:
        return await replayed(visit, *await finished_record(visit))


async def get_views(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    async with visit.site.records_at_once:
        data, _ = await finished_record(visit)
        return await paged(visit, data)


async def get_seen(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    room = await visit.room()
    seat, _ = eyes(visit)
    data = room.table.record_for(visit.person, seat)
    round, start = number(visit, "round"), number(visit, "from")
    await visit.lounge.rules.wait(room.table.game.key)
    async with REPLAYS:
        return await visit.large(lambda: views(data, seat, False, round, start))


async def get_analysis(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    async with visit.site.records_at_once:
        data, _ = await finished_record(visit)
        await ready(visit, data)
    place = number(visit, "round"), number(visit, "from")
    wanted = Wanted(visit.request.path_params["table"], data, *place, visit.request.query_params.get("move"))
    return visit.answer(await visit.lounge.analyses.page(wanted, visit.address))


async def get_hint(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    room = await visit.room()
    seat = number(visit, "seat")
    board = room.table.advised(visit.person, seat)
    moves = list(board.moves)
    found = await visit.lounge.analyses.hint(board, room.table.stakes, seat, room.place(), visit.address)
    if room.table.board is not board or board.moves != moves:
        raise Refusal("stale", round=room.table.round, ply=room.table.ply)
    wins, tried = (found.wins, found.tried) if found else ("round", [])
    return visit.answer(ms.Hint(round=room.table.round, ply=len(moves), wins=wins, tried=tried))


async def get_lesson(visit: Visit) -> Response:
    """The learner's moves so far come along: nothing is kept here."""
    given = visit.request.query_params.get("moves", "")
    moves = given.split(";") if given else []
    lesson, n = await asked(visit, lessons, "unknown_lesson")
    if len(moves) > len(lesson.steps):
        raise Refusal("over")

    def made() -> ms.Lesson:
        now, seat = lesson.play(moves), lesson.seat
        before = len(lesson.play(moves[:-1]).moves)
        line = [now.at(ply) for ply in range(before, len(now.moves) + 1)]
        return ms.Lesson(
            game=lesson.game.key,
            id=lesson.id,
            number=n,
            seat=seat,
            step=len(moves),
            steps=len(lesson.steps),
            accepts=lesson.accepted(now, len(moves)),
            happened=[
                ms.Happened(seat=cast(int, one.to_act), move=after.moves[-1], view=cast(ms.View, after.view(seat)))
                for one, after in pairwise(line)
            ],
            view=cast(ms.View, now.view(seat)),
        )

    try:
        return visit.answer(await asyncio.to_thread(made))
    except MoveError as wrong:
        raise Refusal(wrong.kind, code=wrong.code) from None
    except NotAsked:
        raise Refusal("not_asked") from None


async def get_puzzle(visit: Visit) -> Response:
    puzzle, n = await asked(visit, puzzles, "unknown_puzzle")
    shown = await asyncio.to_thread(lambda: puzzle.position.view(puzzle.seat))
    return visit.answer(
        ms.Puzzle(
            game=puzzle.game.key,
            id=puzzle.id,
            number=n,
            missed=puzzle.missed,
            seat=puzzle.seat,
            view=cast(ms.View, shown),
        )
    )


async def get_puzzle_verdict(visit: Visit) -> Response:
    puzzle, _ = await asked(visit, puzzles, "unknown_puzzle")
    try:
        found = await asyncio.to_thread(puzzle.judge, visit.request.query_params.get("move", ""))
    except MoveError as wrong:
        raise Refusal(wrong.kind, code=wrong.code) from None
    return visit.answer(brains.told(puzzle.game.rules, puzzle.position.state, found))


async def get_puzzle_after(visit: Visit) -> Response:
    puzzle, _ = await asked(visit, puzzles, "unknown_puzzle")
    text = visit.request.query_params.get("move", "")

    def made() -> ms.Happened:
        after = puzzle.position.copy().play(text)
        return ms.Happened(seat=puzzle.seat, move=after.moves[-1], view=cast(ms.View, after.view(puzzle.seat)))

    try:
        return visit.answer(await asyncio.to_thread(made))
    except MoveError as wrong:
        raise Refusal(wrong.kind, code=wrong.code) from None


async def asked(visit: Visit, of: Callable[[Game], Sequence[Kept]], unknown: str) -> tuple[Kept, int]:
    """One of what a game's folder keeps, by its number, from 1."""
    take(visit.site.replays.take(visit.address))
    key, n = visit.request.query_params.get("game", ""), number(visit, "number")
    if key not in games():
        raise Refusal("unknown_game", game=key[:32])
    there = of(games()[key])
    if not 1 <= n <= len(there):
        raise Refusal(unknown, of=len(there))
    await visit.lounge.rules.wait(key)
    return there[n - 1], n


async def replayed(visit: Visit, data: dict[str, Any], table: bool) -> Response:
    seat, open = eyes(visit)
    return await beside(visit, data, lambda: replay(data, seat, open, table))


async def paged(visit: Visit, data: dict[str, Any]) -> Response:
    seat, open = eyes(visit)
    round, start = number(visit, "round"), number(visit, "from")
    return await beside(visit, data, lambda: views(data, seat, open, round, start))


async def beside(visit: Visit, data: dict[str, Any], make: Callable[[], bytes]) -> Response:
    """Replaying is work: a few at once, and never in the loop."""
    await ready(visit, data)
    async with REPLAYS:
        return await visit.large(make)


async def ready(visit: Visit, data: dict[str, Any]) -> str:
    """The game of a record, once its rules can be asked."""
    known = await asyncio.to_thread(read, data)
    await visit.lounge.rules.wait(known.game.key)
    return known.game.key


def number(visit: Visit, key: str) -> int:
    text = visit.request.query_params.get(key, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Refusal("malformed", place=key)
    return int(text)


def eyes(visit: Visit) -> tuple[int | None, bool]:
    """Whose view is asked for."""
    query = visit.request.query_params
    open = query.get("open", "0")
    seat = query.get("seat", "none")
    if open not in ("0", "1") or (seat != "none" and not (seat.isascii() and seat.isdigit() and len(seat) < 3)):
        raise Refusal("malformed", place="seat")
    return (None if seat == "none" else int(seat)), open == "1"


async def get_tally(visit: Visit) -> Response:
    take(visit.site.replays.take(visit.address))
    person = visit.person
    if person is None:
        return visit.answer(ms.Tallies(tallies=[]))
    found = await asyncio.to_thread(lambda: tally(visit.lounge.store.played(person, MOST)))
    return visit.answer(ms.Tallies(tallies=found))


async def get_finished(visit: Visit) -> Response:
    query = visit.request.query_params
    game, player = query.get("game") or None, query.get("player") or None
    before = page_mark(visit)
    limit = query.get("limit", "20")
    if not (limit.isascii() and limit.isdigit() and len(limit) < 20):
        raise Refusal("malformed", place="limit")
    if game is not None and game not in games():
        raise Refusal("unknown_game", game=game[:32])
    if not 1 <= int(limit) <= 100:
        raise Refusal("malformed", place="limit")
    mine = visit.person if player == "me" else None
    if player == "me" and mine is None:
        return visit.answer(ms.TableList(tables=[], more=None))
    most = int(limit)

    def rows() -> list[Any]:
        return visit.lounge.store.finished(
            viewer=visit.person,
            game=game,
            person=mine,
            name=None if player == "me" else player,
            before=before,
            limit=most,
        )

    found = await asyncio.to_thread(rows)
    more = f"{found[-1].ended}.{found[-1].table}" if len(found) == most else None
    return visit.answer(ms.TableList(tables=await visit.lounge.cards(found, visit.person), more=more))


# ---- records -----------------------------------------------------------------------------------------------


async def post_record(visit: Visit) -> Response:
    async with visit.record(visit.site.new_tables) as wish:
        key = await ready(visit, wish.record)
        async with REPLAYS:
            body = await asyncio.to_thread(lambda: encode(check(wish.record).record))
        return await keep(visit, key, body, wish.ref)


async def keep(visit: Visit, game: str, body: bytes, ref: str | None) -> Response:
    """Written down for whoever sends it, if there is room."""
    person = await visit.be_somebody(ref)
    record = visit.site.signer.id_for("record", person, ref)
    if ref is not None and visit.lounge.store.record(record) is not None:
        return visit.answer(ms.Imported(id=record))
    count, size = visit.lounge.store.records_of(person)
    limits = visit.site.settings.limits
    if count >= limits.records_of_person or size + len(body) > limits.records_size:
        raise Refusal("too_many_records")
    take(visit.site.record_bytes.take(visit.address, len(body)))
    await visit.site.shelf.take(len(body), visit.lounge.store.records_size)
    try:
        await visit.lounge.put(AddRecord(record, person, game, now_ms(), body))
    except BaseException:
        visit.site.shelf.changed()
        raise
    return visit.answer(ms.Imported(id=record))


async def post_replay(visit: Visit) -> Response:
    async with visit.record(visit.site.replays) as wish:
        return await replayed(visit, wish.record, False)


async def post_views(visit: Visit) -> Response:
    async with visit.record(visit.site.replays) as wish:
        return await paged(visit, wish.record)


# ---- for operators -----------------------------------------------------------------------------------------


async def get_openapi(visit: Visit) -> Response:
    return await visit.large(lambda: encode(document(CALLS, STATUS)))


SEAT = Query(
    "seat", "whose eyes: a seat, or none for a spectator", {"type": "string", "pattern": "^(none|[0-9]{1,2})$"}
)
OPEN = Query("open", "1: all hands shown", {"type": "string", "enum": ["0", "1"]})
MORE = Query("before", "`more` of the page before", {"type": "string", "pattern": f"^{BEFORE.pattern}$"})
PLACE = (
    Query("round", "of which round, from 0", {"type": "integer", "minimum": 0, "maximum": 999_999}),
    Query("from", "the move before which the first view is", {"type": "integer", "minimum": 0, "maximum": 999_999}),
)
WHICH = (
    Query("game", "its key", {"type": "string"}),
    Query(
        "number",
        "from 1, the first or the easiest; a game's card has how many there are",
        {"type": "integer", "minimum": 0, "maximum": 999_999},
    ),
)
MOVE = ("parse", "illegal", "ambiguous")  # what a move may be refused with
CALLS = (
    Call("GET", "/api/games", "The games, their options, the bot levels, the phrases.", get_games, answer=ms.Games),
    Call("GET", "/api/me", "Who this browser is.", get_me, answer=ms.Me),
    Call("PUT", "/api/me", "Choose a nickname.", put_me, ms.NameChange, ms.Me, codes=("bad_name",)),
    Call("DELETE", "/api/me", "Delete my data.", delete_me, status=204),
    Call("POST", "/api/me/devices", "A code for another device.", post_device, answer=ms.DeviceCode),
    Call("POST", "/api/me/claim", "Be that person here.", post_claim, ms.DeviceClaim, ms.Me, codes=("bad_code",)),
    Call("GET", "/api/me/tables", "My open and running tables.", get_my_tables, answer=ms.TableList),
    Call("GET", "/api/me/tally", "How I have played so far.", get_tally, answer=ms.Tallies),
    Call(
        "GET",
        "/api/lobby",
        "Listed tables to join or watch, newest first.",
        get_lobby,
        answer=ms.Lobby,
        query=(MORE,),
    ),
    Call(
        "POST",
        "/api/tables",
        "Make a table.",
        post_table,
        ms.CreateTable,
        ms.TableInfo,
        201,
        codes=(
            "unknown_game",
            "bad_players",
            "bad_option",
            "bad_match",
            "bad_level",
            "bad_seats",
            "bad_name",
            "no_chat",
            "too_many_tables",
            "draining",
        ),
    ),
    Call("GET", "/api/tables/{table}", "A table.", get_table, answer=ms.TableInfo, codes=("unknown_table",)),
    Call(
        "POST",
        "/api/tables/{table}/join",
        "Take an open seat.",
        post_join,
        ms.JoinTable,
        ms.TableInfo,
        codes=("unknown_table", "seat_taken", "no_open_seat", "not_open", "over", "blocked", "too_many_tables"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/record",
        "A finished match (or an imported record) as JSON.",
        get_record,
        answer=dict,
        codes=("unknown_table", "not_over", "never_dealt"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/replay",
        "A finished match step by step.",
        get_replay,
        answer=ms.Replay,
        query=(SEAT, OPEN),
        codes=("unknown_table", "not_over", "never_dealt", "bad_seats"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/replay/views",
        "Further views of a long match.",
        get_views,
        answer=ms.ReplayViews,
        query=(SEAT, OPEN, *PLACE),
        codes=("unknown_table", "not_over", "never_dealt", "bad_seats", "bad_page"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/views",
        "What a seat of mine, or a spectator, has seen of the rounds so far.",
        get_seen,
        answer=ms.ReplayViews,
        query=(SEAT, *PLACE),
        codes=("unknown_table", "never_dealt", "not_your_seat", "blocked", "bad_page"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/analysis",
        "What the moves of a finished match (or an imported record) were worth, some at a time.",
        get_analysis,
        answer=ms.Analysis,
        query=(
            PLACE[0],
            Query("from", "the first move asked about, from 0", {"type": "integer", "minimum": 0, "maximum": 999_999}),
            Query("move", "a move that could have been made instead: the one verdict is about it", {"type": "string"}),
        ),
        codes=("unknown_table", "not_over", "never_dealt", "bad_page", *MOVE, "busy"),
    ),
    Call(
        "GET",
        "/api/tables/{table}/hint",
        "What the engine would do in my place, where nobody else but bots plays.",
        get_hint,
        answer=ms.Hint,
        query=(Query("seat", "mine, whose turn it is", {"type": "integer", "minimum": 0, "maximum": 99}),),
        codes=("unknown_table", "not_your_seat", "not_playing", "hint_others", "not_your_turn", "stale", "busy"),
    ),
    Call(
        "GET",
        "/api/lesson",
        "A lesson: a position and what is asked there, after the learner's moves so far.",
        get_lesson,
        answer=ms.Lesson,
        query=(*WHICH, Query("moves", "the learner's (notation), semicolons between them", {"type": "string"})),
        codes=("unknown_game", "unknown_lesson", *MOVE, "not_asked", "over"),
    ),
    Call(
        "GET",
        "/api/puzzle",
        "A puzzle: a decision in which one move is far better than the others.",
        get_puzzle,
        answer=ms.Puzzle,
        query=WHICH,
        codes=("unknown_game", "unknown_puzzle"),
    ),
    Call(
        "GET",
        "/api/puzzle/verdict",
        "What a move is worth in a puzzle.",
        get_puzzle_verdict,
        answer=ms.Verdict,
        query=(*WHICH, Query("move", "any legal one (notation)", {"type": "string"})),
        codes=("unknown_game", "unknown_puzzle", *MOVE),
    ),
    Call(
        "GET",
        "/api/puzzle/after",
        "What comes of a move in a puzzle.",
        get_puzzle_after,
        answer=ms.Happened,
        query=(*WHICH, Query("move", "any legal one (notation)", {"type": "string"})),
        codes=("unknown_game", "unknown_puzzle", *MOVE),
    ),
    Call(
        "GET",
        "/api/finished",
        "Finished games: listed ones and my own.",
        get_finished,
        answer=ms.TableList,
        query=(
            Query("game", "only this game", {"type": "string"}),
            Query("player", "`me`, or a nickname", {"type": "string"}),
            MORE,
            Query("limit", "how many", {"type": "integer", "minimum": 1, "maximum": 100}),
        ),
        codes=("unknown_game",),
    ),
    Call(
        "POST",
        "/api/records",
        "Keep a record or match.",
        post_record,
        ms.ImportRecord,
        ms.Imported,
        201,
        codes=("bad_record", "too_many_records"),
    ),
    Call(
        "POST",
        "/api/replay",
        "A record or match step by step, without keeping it.",
        post_replay,
        ms.ImportRecord,
        ms.Replay,
        query=(SEAT, OPEN),
        codes=("bad_record", "bad_seats"),
    ),
    Call(
        "POST",
        "/api/replay/views",
        "Further views of a long record or match, without keeping it.",
        post_views,
        ms.ImportRecord,
        ms.ReplayViews,
        query=(SEAT, OPEN, *PLACE),
        codes=("bad_record", "bad_seats", "bad_page"),
    ),
    Call("GET", "/api/openapi.json", "This document.", get_openapi, answer=dict),
)
