"""LINX, in text: moves, set-ups, views, and the table as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, keys, number, seats
from foxrow.core.errors import IllegalMove, ParseError, SetupError, quoted
from foxrow.core.fields import fields
from foxrow.core.record import TRUTH, one
from foxrow.games.linx.grid import CELLS, SIDE, cell_at, has_line
from foxrow.games.linx.rules import (
    DOWN,
    PASS,
    clear,
    most_visible,
    open_cells,
    put_face_up,
    set_reach,
    tile_symbol,
    visible,
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
    allies,
    beaten_by,
    beater_of,
    covered,
    face_up,
    limit,
    occupied,
    remaining,
)

LETTERS = "RPS"
NAMES = ("rock", "paper", "scissors")
NUMBER = r"(0|-?[1-9][0-9]*)"
PLACEMENT = re.compile(rf"\s*([RPS])\s*([@#])\s*{NUMBER}\s*,\s*{NUMBER}\s*", re.IGNORECASE | re.ASCII)
FARTHEST = 1_000_000  # column or row that a set-up may name


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """X1: seat after seat five rocks, five papers, five scissors. An unplayed colour is not shuffled."""
    return tuple(LETTERS[tile_symbol(i)] for i in range(players * TILES))


# Moves --------------------------------------------------------------------------------------------------


def move_text(s: State, move: int) -> str:
    if move == PASS:
        return "pass"
    column, row = coordinates(s, move % CELLS)
    return f"{LETTERS[move % DOWN // CELLS]}{'@' if move < DOWN else '#'}{column},{row}"


def coordinates(s: State, cell: int) -> tuple[int, int]:
    """Where a cell is for people: within the box, or up to a column or row next to it."""
    box = np.asarray(s)  # every move of every view comes here, and a record's attribute takes long
    left, top = int(box["left"]), int(box["top"])
    column = (cell % SIDE - left + 1) % SIDE - 1  # −1: the column before the box
    row = (cell // SIDE - top + 1) % SIDE - 1
    return left + column, top + row


def parse_move(s: State, text: object) -> int:
    if not isinstance(text, str):
        raise ParseError("not_text", "a move is a text like 'R@1,-1', 'S#0,0' or 'pass'")
    if text.strip().lower() == "pass":
        return PASS
    found = PLACEMENT.fullmatch(text)
    if not found:
        raise ParseError(
            "not_a_move", f"{quoted(text)} is no move: place like 'R@1,-1' face up or 'S#0,0' face down, or pass"
        )
    symbol = LETTERS.index(found[1].upper())
    down = found[2] == "#"
    column, row = (int(digits[:12]) for digits in found.groups()[2:])  # cut short it is still far outside
    cell = cell_at(column, row)
    if coordinates(s, cell) != (column, row):
        raise IllegalMove(*refusal(s, symbol, down, column, row))
    return (DOWN if down else 0) + symbol * CELLS + cell


def why_not(s: State, move: int) -> tuple[str, str]:
    """Why a move that is none here is none: a code for programs, a sentence for people."""
    if move == PASS:
        return "can_place", "you can place a tile, so you may not pass"
    return refusal(s, move % DOWN // CELLS, move >= DOWN, *coordinates(s, move % CELLS))


def refusal(s: State, symbol: int, down: bool, column: int, row: int) -> tuple[str, str]:
    """Why a tile cannot go there."""
    if s.stage == OVER:
        return "over", "the round is over"
    if s.hands[int(s.active), symbol] == 0:
        return "not_in_hand", f"you hold no {NAMES[symbol]}"
    tile = 1 << cell_at(column, row) if coordinates(s, cell_at(column, row)) == (column, row) else 0
    here = f"{column},{row}"
    if down:
        if not tile & occupied(s):
            return "nothing_to_cover", f"there is no tile at {here} to cover"
        if tile & covered(s):
            return "face_down", "a face-down tile can never be covered"
        return "not_beaten", f"{NAMES[symbol]} only covers {NAMES[beaten_by(symbol)]}"
    if tile & occupied(s):
        return "occupied", f"there is a tile at {here} already"
    if occupied(s) == 0:
        return "not_origin", "the first tile goes to 0,0"
    width = max(column, int(s.left) + int(s.width) - 1) - min(column, int(s.left)) + 1
    height = max(row, int(s.top) + int(s.height) - 1) - min(row, int(s.top)) + 1
    if max(width, height) > limit(s):
        return "too_far", f"all tiles must lie within {limit(s)} columns and {limit(s)} rows"
    return "not_adjacent", "a tile goes next to a tile, also diagonally"


# Set-ups and views --------------------------------------------------------------------------------------


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    """A position at the start of a turn. One that holds a line already is over."""
    setup = keys(data, "", needs=("board", "hands", "piles", "active"), may=("first", "points"))
    s = one(State)
    clear(s)
    s.players = players
    s.teams = int(bool(options.get("teams", False)))
    left = [[COPIES] * SYMBOLS for _ in range(SEATS + 1)]  # tiles the set-up may still name

    def use(owner: int, tile: object, place: str) -> int:
        symbol = read_symbol(tile, place)
        if left[owner][symbol] == 0:
            raise SetupError(place, f"a colour has only {COPIES} tiles {LETTERS[symbol]}")
        left[owner][symbol] -= 1
        return symbol

    for place, data in entries(setup["board"], "board"):
        tile = keys(data, place, needs=("at", "owner", "tile", "down"))
        down = tile["down"]
        if not isinstance(down, bool):
            raise SetupError(f"{place}.down", f"must be true or false, not {quoted(down)}")
        owner = read_owner(tile["owner"], f"{place}.owner", players, down)
        column, row = read_cell(tile["at"], f"{place}.at")
        symbol = use(owner, tile["tile"], f"{place}.tile")
        if down:
            put_lid(s, owner, symbol, column, row, place)
        else:
            widen(s, column, row, f"{place}.at")
            if occupied(s) >> cell_at(column, row) & 1:
                raise SetupError(place, "there is a tile at this place already; only a face-down one may cover it")
            put_face_up(s, owner, symbol, cell_at(column, row))
    if occupied(s):
        set_reach(s)
    for seat, place, tiles in seats(setup["hands"], "hands", players):
        for at, tile in entries(tiles, place):
            s.hands[seat, use(seat, tile, at)] += 1
            s.held[seat] += 1
    for seat, place, tiles in seats(setup["piles"], "piles", players):
        symbols = [use(seat, tile, at) for at, tile in entries(tiles, place)]
        s.piles[seat, : len(symbols)] = symbols[::-1]
        s.stock[seat] = len(symbols)
    s.missing[:players] = left[:players]
    s.first = entry(setup, "first", range(players), default=0)
    s.active = entry(setup, "active", range(players))
    if "points" in setup:
        for seat, place, points in seats(setup["points"], "points", players):
            s.points[seat] = number(points, place, range(100))
    lines = [seat for seat in range(players) if has_line(face_up(s, seat)) or has_line(int(s.covers[seat]))]
    if len(lines) > 1:
        raise SetupError("board", f"the seats {lines[0]} and {lines[1]} both have a line")
    if lines:  # X9
        s.winner = lines[0]
        s.stage = OVER
    return s


def read_symbol(tile: object, place: str) -> int:
    if isinstance(tile, str) and tile in tuple(LETTERS):
        return LETTERS.index(tile)
    raise SetupError(place, f"a tile is 'R', 'P' or 'S', not {quoted(tile)}")


def read_owner(owner: object, place: str, players: int, down: bool) -> int:
    if owner is not None:
        return number(owner, place, range(players))
    if players != 3:
        raise SetupError(place, "tiles of an unplayed colour lie on the board with 3 players only")
    if down:
        raise SetupError(place, "nobody plays the unplayed colour, so its tiles cover nothing")
    return NOBODY


def read_cell(at: object, place: str) -> tuple[int, int]:
    found = [number(n, where, range(-FARTHEST, FARTHEST + 1)) for where, n in entries(at, place)]
    if len(found) != 2:
        raise SetupError(place, "must be a column and a row")
    return found[0], found[1]


def widen(s: State, column: int, row: int, place: str) -> None:
    """X3: take a cell into the box."""
    if s.width == 0:
        s.left, s.top = column, row
    right = max(int(s.left) + int(s.width) - 1, column)
    bottom = max(int(s.top) + int(s.height) - 1, row)
    left = min(int(s.left), column)
    top = min(int(s.top), row)
    if max(right - left, bottom - top) >= limit(s):
        raise SetupError(place, f"the tiles take more than {limit(s)} columns or {limit(s)} rows")
    s.left, s.top, s.width, s.height = left, top, right - left + 1, bottom - top + 1


def put_lid(s: State, owner: int, symbol: int, column: int, row: int, place: str) -> None:
    """X7: on a face-up tile that it beats."""
    lid = 1 << cell_at(column, row)
    inside = 0 <= column - int(s.left) < s.width and 0 <= row - int(s.top) < s.height
    if not inside or not lid & occupied(s):
        raise SetupError(place, "a face-down tile must cover a tile that is listed before it")
    if lid & covered(s):
        raise SetupError(place, "a face-down tile can never be covered")
    if not lid & int(s.faces[beaten_by(symbol)]):
        raise SetupError(f"{place}.tile", f"{LETTERS[symbol]} covers only {LETTERS[beaten_by(symbol)]}")
    s.covers[owner] |= lid


def write_setup(s: State) -> dict[str, Any]:
    """The whole position, but for what is known of hands; there is none in the middle of a row of passes."""
    if s.passes > 0:
        raise SetupError("", "a set-up cannot express a row of passes")
    piles = [[LETTERS[int(i)] for i in s.piles[seat, : int(s.stock[seat])][::-1]] for seat in range(int(s.players))]
    return {**_table_json(s), "hands": [tiles_json(s.hands[seat]) for seat in range(int(s.players))], "piles": piles}


def write_view(v: View) -> dict[str, Any]:
    v = fields(v)
    players = range(int(v.players))

    def hand(seat: int) -> object:
        if seat == v.seer:
            return tiles_json(v.hands[seat])
        return {"n": int(v.held[seat]), "known": tiles_json(v.known[seat])}

    return {
        **_table_json(v),
        "hands": [hand(seat) for seat in players],
        "piles": [{"n": int(v.stock[seat])} for seat in players],
        "limit": int(limit(v)),
        "passes": int(v.passes),
        "remaining": [
            {LETTERS[symbol]: int(remaining(v, seat, symbol)) for symbol in range(SYMBOLS)} for seat in players
        ],
        "line": line_json(v),
    }


def _table_json(s: State) -> dict[str, Any]:
    """What lies open for all."""
    table: dict[str, Any] = {"board": board_json(s), "first": int(s.first), "active": int(s.active)}
    if s.points[0] >= 0:
        table["points"] = [int(n) for n in s.points[: int(s.players)]]
    return table


def board_json(s: State) -> list[dict[str, Any]]:
    """All tiles by row and column, a covered one before the one that covers it."""
    tiles = []
    for row in range(int(s.top), int(s.top) + int(s.height)):
        for column in range(int(s.left), int(s.left) + int(s.width)):
            cell = cell_at(column, row)
            symbol = symbol_at(s, cell)
            if symbol is not None:
                owner = seat_at(s.owners, cell)
                at = [column, row]
                tiles.append({"at": at, "owner": owner, "tile": LETTERS[symbol], "down": False})
                lid = seat_at(s.covers, cell)
                if lid is not None:
                    tiles.append({"at": at, "owner": lid, "tile": LETTERS[beater_of(symbol)], "down": True})
    return tiles


def symbol_at(s: State, cell: int) -> int | None:
    return next((symbol for symbol in range(SYMBOLS) if int(s.faces[symbol]) >> cell & 1), None)


def seat_at(cells: Iterable[Any], cell: int) -> int | None:
    """Whose set a cell is in, of those by seat; None: nobody's."""
    return next((seat for seat, their in enumerate(cells) if seat != NOBODY and int(their) >> cell & 1), None)


def tiles_json(counts: Iterable[Any]) -> list[str]:
    return [letter for letter, n in zip(LETTERS, counts, strict=True) for _ in range(int(n))]


def line_json(s: State) -> list[list[int]] | None:
    """X9: the three cells that won."""
    if s.winner < 0:
        return None
    cells = {(column, row) for column in range(int(s.width)) for row in range(int(s.height))}
    for tiles in (face_up(s, int(s.winner)), int(s.covers[int(s.winner)])):
        for column, row in sorted(cells):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + right * i, row + down * i) for i in range(3)]
                at = [(int(s.left) + x, int(s.top) + y) for x, y in line]
                if all(c in cells and tiles >> cell_at(*p) & 1 for c, p in zip(line, at, strict=True)):
                    return [list(p) for p in at]
    return None


# The table ----------------------------------------------------------------------------------------------


def table(s: State, names: Sequence[str]) -> str:
    """The table as text, from a view or from the truth."""
    hands = [_hand(s, seat) for seat in range(len(names))]
    wide, long = max(map(len, names)), max(map(len, hands))
    lines = [*_grid(s), ""]
    for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
        turn = "▸" if s.stage != OVER and seat == s.active else " "
        shown = f"hand {hand:<{long}}  pile {int(s.stock[seat]):2d}  visible {visible(s, seat):2d}"
        lines.append(f"{turn} {_colour(seat)} {name:<{wide}}  {shown}")
    return "\n".join([*lines, "", _situation(s, names)])


def _colour(seat: int | None) -> str:
    return "-" if seat is None else "ABCD"[seat]


def _grid(s: State) -> list[str]:
    """Two signs a cell: whose tile, and its symbol or # when it is face down; a dot where a tile may be placed."""
    columns = _span(int(s.left), int(s.width), limit(s))
    rows = _span(int(s.top), int(s.height), limit(s))
    wide = max(4, *(len(str(n)) + 2 for n in (*columns, *rows)))
    lines = [" " * wide + "".join(f"{column:>{wide}}" for column in columns)]
    places = open_cells(s)
    for row in rows:
        line = f"{row:>{wide}}"
        for column in columns:
            line += f"{_sign(s, cell_at(column, row), places):>{wide}}"
        lines.append(line.rstrip())
    return lines


def _span(first: int, size: int, most: int) -> range:
    """The columns or rows to show: those of the box, and one around it while it can grow."""
    around = 1 if 0 < size < most else 0
    return range(first - around, first + max(size, 1) + around)


def _sign(s: State, cell: int, places: int) -> str:
    symbol = symbol_at(s, cell)
    if symbol is None:
        return "·" if places >> cell & 1 else ""
    lid = seat_at(s.covers, cell)
    if lid is not None:
        return f"{_colour(lid)}#"
    return f"{_colour(seat_at(s.owners, cell))}{LETTERS[symbol]}"


def _hand(s: State, seat: int) -> str:
    """What the seer may know of a hand."""
    if s.seer in (TRUTH, seat):
        return " ".join(tiles_json(s.hands[seat])) or "–"
    known = tiles_json(s.known[seat])
    return " ".join(known + ["?"] * (int(s.held[seat]) - len(known))) or "–"


def _situation(s: State, names: Sequence[str]) -> str:
    """One sentence: whose turn it is, or who has won and how."""
    if s.stage != OVER:
        return f"{names[int(s.active)]} places a tile."
    best = int(s.winner) if s.winner >= 0 else most_visible(s)
    winners = " and ".join(name for seat, name in enumerate(names) if allies(s, best, seat))
    how = "three in line" if s.winner >= 0 else "most visible tiles, as nobody can place any more"
    return f"The round goes to {winners}: {how}."
