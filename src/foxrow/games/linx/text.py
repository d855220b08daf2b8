"""LINX, in text: moves, set-ups, views, and the board as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, keys, number, seats
from foxrow.core.errors import IllegalMove, ParseError, SetupError
from foxrow.core.record import TRUTH, one
from foxrow.games.linx.grid import CELLS, SIDE, cell_at, has_line
from foxrow.games.linx.rules import (
    DOWN,
    PASS,
    clear,
    put_face_up,
    set_reach,
    tile_owner,
    tile_symbol,
)
from foxrow.games.linx.state import (
    COPIES,
    NOBODY,
    OVER,
    SEATS,
    SYMBOLS,
    TILES,
    State,
    View,
    beaten_by,
    beater_of,
    covered,
    face_up,
    limit,
    remaining,
)

LETTERS = "RPS"  # by symbol
MOVE = re.compile(r"([RPS])\s*([@#])\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})", re.ASCII | re.IGNORECASE)
FARTHEST = 1_000_000  # a set-up's coordinates, either way


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """X1: seat after seat five rocks, five papers, five scissors, each with its colour's number."""
    return tuple(f"{LETTERS[tile_symbol(i)]}{tile_owner(i)}" for i in range(players * TILES))


# Moves --------------------------------------------------------------------------------------------------


def move_text(s: State, move: int) -> str:
    if move == PASS:
        return "pass"
    symbol, cell = divmod(move % DOWN, CELLS)
    column, row = place_of(s, cell)
    return f"{LETTERS[symbol]}{'#' if move >= DOWN else '@'}{column},{row}"


def place_of(s: State, cell: int) -> tuple[int, int]:
    """Column and row as people count them: in the box or right before or after it, so six each way suffice."""

    def line_of(at: int, first: int) -> int:
        offset = (at - first) % SIDE
        return first - 1 if offset == SIDE - 1 else first + offset

    return line_of(cell % SIDE, int(s.left)), line_of(cell // SIDE, int(s.top))


def parse_move(s: State, text: object) -> int:
    if not isinstance(text, str):
        raise ParseError("not_text", "a move is a text like 'R@1,-1', 'S#0,0' or 'pass'")
    said = text.strip()
    if said.lower() == "pass":
        return PASS
    found = MOVE.fullmatch(said)
    if not found:
        shown = said if len(said) <= 40 else said[:40] + "…"
        raise ParseError("not_a_move", f"{shown!r} is no move: R@1,-1 places face up, R#1,-1 covers, or pass")
    letter, way, column, row = found.groups()
    cell = cell_at(int(column), int(row))
    if place_of(s, cell) != (int(column), int(row)):
        raise IllegalMove("out_of_grid", f"{column},{row} is too far from the other tiles")
    return LETTERS.index(letter.upper()) * CELLS + cell + (DOWN if way == "#" else 0)


def why_not(s: State, move: int) -> tuple[str, str]:
    """Why a move that is none here is none: a code for programs, a sentence for people."""
    if move == PASS:
        return "can_place", "you can still place a tile, so you may not pass"
    symbol, cell = divmod(move % DOWN, CELLS)
    bit = 1 << cell
    if s.hands[int(s.active), symbol] <= 0:
        return "not_in_hand", f"you have no {LETTERS[symbol]} in hand"
    if move >= DOWN:
        if covered(s) & bit:
            return "already_covered", "a face-down tile can never be covered"
        if not any(int(cells) & bit for cells in s.faces):
            return "nothing_to_cover", "a face-down tile covers a tile, and there is none"
        return "does_not_beat", f"{LETTERS[symbol]} beats {LETTERS[beaten_by(symbol)]} only"
    if any(int(cells) & bit for cells in s.faces):
        return "occupied", "there is a tile already"
    if not int(s.reach) & bit:
        return "out_of_grid", f"the tiles may not take more than {limit(s)} columns and {limit(s)} rows"
    return "not_adjacent", "a tile goes next to another one"


# Set-ups and views --------------------------------------------------------------------------------------


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    """A position at the start of a turn. One that has a line already is over."""
    setup = keys(data, "", needs=("board", "hands", "piles", "active"), may=("first", "points"))
    s = one(State)
    s.players = players
    s.teams = int(bool(options.get("teams", False)))
    clear(s)
    left = [[COPIES] * SYMBOLS for _ in range(SEATS + 1)]  # tiles the set-up may still name, NOBODY's last

    def use(owner: int, tile: object, place: str) -> int:
        if not isinstance(tile, str) or tile not in ("R", "P", "S"):
            raise SetupError(place, f"a tile is 'R', 'P' or 'S', not {tile!r:.40}")
        symbol = LETTERS.index(tile)
        if left[owner][symbol] == 0:
            raise SetupError(place, f"a colour has only {COPIES} tiles {tile}")
        left[owner][symbol] -= 1
        return symbol

    for place, item in entries(setup["board"], "board"):
        read_tile(s, item, place, use)
    for seat, place, tiles in seats(setup["hands"], "hands", players):
        for at, tile in entries(tiles, place):
            s.hands[seat, use(seat, tile, at)] += 1
            s.held[seat] += 1
    for seat, place, tiles in seats(setup["piles"], "piles", players):
        pile = [use(seat, tile, at) for at, tile in entries(tiles, place)]
        s.piles[seat, : len(pile)] = pile[::-1]  # the record has the bottom tile first
        s.stock[seat] = len(pile)
    for seat in range(players):
        s.missing[seat] = left[seat]
    s.first = entry(setup, "first", range(players), default=0)
    s.active = entry(setup, "active", range(players))
    if "points" in setup:
        for seat, place, points in seats(setup["points"], "points", players):
            s.points[seat] = number(points, place, range(100))
    find_line(s)
    return s


def read_tile(s: State, item: object, place: str, use: Any) -> None:
    """One entry of a set-up's board: a tile on an empty cell, or a face-down one on the tile it beats."""
    tile = keys(item, place, needs=("at", "owner", "tile", "down"))
    at = [number(n, where, range(-FARTHEST, FARTHEST + 1)) for where, n in entries(tile["at"], f"{place}.at")]
    if len(at) != 2:
        raise SetupError(f"{place}.at", "needs a column and a row")
    owner = tile["owner"]
    if owner is None and s.players == 3:
        owner = NOBODY
    else:
        owner = number(owner, f"{place}.owner", range(int(s.players)))
    if not isinstance(tile["down"], bool):
        raise SetupError(f"{place}.down", f"must be true or false, not {tile['down']!r:.40}")
    symbol = use(owner, tile["tile"], f"{place}.tile")
    fit_box(s, at[0], at[1], f"{place}.at")
    bit = 1 << cell_at(at[0], at[1])
    taken = next((face for face in range(SYMBOLS) if int(s.faces[face]) & bit), None)
    if not tile["down"]:
        if taken is not None:
            raise SetupError(f"{place}.at", "there is a tile already")
        put_face_up(s, owner, symbol, cell_at(at[0], at[1]))
    elif owner == NOBODY:
        raise SetupError(f"{place}.down", "the unplayed colour covers nothing")
    elif taken is None:
        raise SetupError(f"{place}.down", "a face-down tile covers a tile, which must be listed before it")
    elif covered(s) & bit:
        raise SetupError(f"{place}.at", "a face-down tile can never be covered")
    elif taken != beaten_by(symbol):
        raise SetupError(f"{place}.tile", f"{LETTERS[symbol]} does not beat {LETTERS[taken]}, so it cannot cover it")
    else:
        s.covers[owner] |= bit


def fit_box(s: State, column: int, row: int, place: str) -> None:
    """X3: stretch the box to a tile wherever it lies, as far as the limit allows."""
    if s.width == 0:
        s.left, s.top, s.width, s.height = column, row, 1, 1
    else:
        right = max(int(s.left) + int(s.width), column + 1)
        bottom = max(int(s.top) + int(s.height), row + 1)
        left = min(int(s.left), column)
        top = min(int(s.top), row)
        if right - left > limit(s) or bottom - top > limit(s):
            raise SetupError(place, f"the tiles may not take more than {limit(s)} columns and {limit(s)} rows")
        s.left, s.top, s.width, s.height = left, top, right - left, bottom - top
    set_reach(s)


def find_line(s: State) -> None:
    """X9: who has a line has won; two cannot."""
    winners = [seat for seat in range(int(s.players)) if has_line(face_up(s, seat)) or has_line(int(s.covers[seat]))]
    if len(winners) > 1:
        raise SetupError("board", "two colours have a line: the first one would have ended the round")
    if winners:
        s.winner = winners[0]
        s.stage = OVER


def write_setup(s: State) -> dict[str, Any]:
    """The whole position; there is none in a row of passes, nor after one."""
    if s.passes > 0:
        raise SetupError("", "a set-up cannot express a row of passes")
    setup = {
        "board": board_json(s),
        "hands": [tiles_json(s.hands[seat]) for seat in range(int(s.players))],
        "piles": [
            [LETTERS[int(symbol)] for symbol in s.piles[seat, : int(s.stock[seat])][::-1]]
            for seat in range(int(s.players))
        ],
        "first": int(s.first),
        "active": int(s.active),
    }
    if s.points[0] >= 0:
        setup["points"] = [int(n) for n in s.points[: int(s.players)]]
    return setup


def write_view(v: View) -> dict[str, Any]:
    def hand(seat: int) -> object:
        if seat == v.seer:
            return tiles_json(v.hands[seat])
        return {"n": int(v.held[seat]), "known": tiles_json(v.known[seat])}

    players = range(int(v.players))
    return {
        "board": board_json(v),
        "hands": [hand(seat) for seat in players],
        "piles": [{"n": int(v.stock[seat])} for seat in players],
        "remaining": [{LETTERS[symbol]: remaining(v, seat, symbol) for symbol in range(SYMBOLS)} for seat in players],
        "limit": limit(v),
        "first": int(v.first),
        "active": int(v.active),
        "passes": int(v.passes),
        "line": winning_line(v),
        **({"points": [int(n) for n in v.points[: int(v.players)]]} if v.points[0] >= 0 else {}),
    }


def board_json(s: State) -> list[dict[str, Any]]:
    """All tiles, row by row, a covered one before the one that covers it."""
    tiles: list[dict[str, Any]] = []
    for row in range(int(s.top), int(s.top) + int(s.height)):
        for column in range(int(s.left), int(s.left) + int(s.width)):
            bit = 1 << cell_at(column, row)
            for symbol in range(SYMBOLS):
                if int(s.faces[symbol]) & bit:
                    owner = next(seat for seat in range(SEATS + 1) if int(s.owners[seat]) & bit)
                    cover = next((seat for seat in range(SEATS) if int(s.covers[seat]) & bit), None)
                    tiles.append(_tile_json(column, row, None if owner == NOBODY else owner, symbol, False))
                    if cover is not None:
                        tiles.append(_tile_json(column, row, cover, beater_of(symbol), True))
    return tiles


def _tile_json(column: int, row: int, owner: int | None, symbol: int, down: bool) -> dict[str, Any]:
    return {"at": [column, row], "owner": owner, "tile": LETTERS[symbol], "down": down}


def tiles_json(counts: Sequence[Any]) -> list[str]:
    """Counts by symbol as tiles."""
    return [LETTERS[symbol] for symbol in range(SYMBOLS) for _ in range(int(counts[symbol]))]


def winning_line(s: State) -> list[list[int]] | None:
    """X9: the places of the three tiles that won; the first such three, read row by row."""
    if s.winner < 0:
        return None
    for cells in (face_up(s, int(s.winner)), int(s.covers[int(s.winner)])):
        for row in range(int(s.top), int(s.top) + int(s.height)):
            for column in range(int(s.left), int(s.left) + int(s.width)):
                for across, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    line = [[column + k * across, row + k * down] for k in range(3)]
                    if all(_inside(s, at) and cells >> cell_at(at[0], at[1]) & 1 for at in line):
                        return line
    return None


def _inside(s: State, at: list[int]) -> bool:
    return 0 <= at[0] - int(s.left) < int(s.width) and 0 <= at[1] - int(s.top) < int(s.height)


# The table ----------------------------------------------------------------------------------------------


def table(s: State, names: Sequence[str]) -> str:
    """The table as text, from a view or from the truth. Seats are a, b, c, d; R face up, (R) face down on top."""
    tops = {tuple(tile["at"]): tile for tile in board_json(s)}  # a cover comes after what it covers
    columns = range(int(s.left), int(s.left) + int(s.width))
    lines = []
    if columns:
        lines.append("      " + "".join(f"{column:^6}" for column in columns))
        for row in range(int(s.top), int(s.top) + int(s.height)):
            cells = "".join(f"{_cell_text(tops.get((column, row))):^6}" for column in columns)
            lines.append(f"{row:>4}  {cells}".rstrip())
    else:
        lines.append("The board is empty.")
    lines.append("")
    width = max(map(len, names))
    for seat, name in enumerate(names):
        turn = "▸" if s.stage != OVER and seat == s.active else " "
        if s.seer in (TRUTH, seat):
            hand = " ".join(tiles_json(s.hands[seat])) or "–"
        else:
            hand = " ".join([*tiles_json(s.known[seat]), *"?" * (int(s.held[seat]) - int(s.known[seat].sum()))]) or "–"
        lines.append(f"{turn} {'abcd'[seat]} {name:<{width}}  hand {hand:<16} pile {int(s.stock[seat])}")
    lines += ["", _situation(s, names)]
    return "\n".join(lines)


def _cell_text(tile: dict[str, Any] | None) -> str:
    if tile is None:
        return "·"
    owner = "-" if tile["owner"] is None else "abcd"[tile["owner"]]
    return f"({owner}{tile['tile']})" if tile["down"] else f"{owner}{tile['tile']}"


def _situation(s: State, names: Sequence[str]) -> str:
    """One sentence: who is to do what, or who won by what."""
    if s.stage == OVER:
        return f"{names[int(s.winner)]} has a line." if s.winner >= 0 else "Nobody can place any more."
    return f"{names[int(s.active)]} is to place a tile."
