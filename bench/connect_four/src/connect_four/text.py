"""Connect Four as text: a move is its column, 1 to 7. A set-up lists the columns from below, seats as 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from connect_four.rules import FULL, has_four
from connect_four.state import COLUMNS, OVER, PITCH, ROWS, State, View, occupied
from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, keys, number
from foxrow.core.errors import ParseError, SetupError
from foxrow.core.fields import fields
from foxrow.core.record import one

TALL = (1 << ROWS) - 1  # the cells of one column


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    return ("-",)


def move_text(s: State, move: int) -> str:
    return str(move + 1)


def parse_move(s: State, text: object) -> int:
    word = text.strip() if isinstance(text, str) else ""
    if word not in tuple("1234567"):
        raise ParseError("column", f"a move is a column from 1 to {COLUMNS}, not {text!r:.40}")
    return int(word) - 1


def why_not(s: State, move: int) -> tuple[str, str]:
    return ("full", f"column {move + 1} is full")


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    board = keys(data, "", ("columns", "active"), ("first",))
    s: Any = one(State)
    s.players = players
    s.winner = -1
    columns = list(entries(board["columns"], "columns"))
    if len(columns) != COLUMNS:
        raise SetupError("columns", f"there are {COLUMNS}, not {len(columns)}")
    for column, (place, discs) in enumerate(columns):
        cells = list(entries(discs, place))
        if len(cells) > ROWS:
            raise SetupError(place, f"a column holds {ROWS} discs, not {len(cells)}")
        for row, (at, seat) in enumerate(cells):
            s.discs[number(seat, at, range(2))] |= 1 << (column * PITCH + row)
    s.active = entry(board, "active", range(2))
    s.first = entry(board, "first", range(2), 0)
    lines = [seat for seat in range(2) if has_four(int(s.discs[seat]))]
    if len(lines) > 1:
        raise SetupError("columns", "only one seat can have four in a line")
    if lines:
        s.winner = lines[0]
    if lines or occupied(s) == FULL:
        s.stage = OVER
    return s  # type: ignore[no-any-return]


def write_setup(s: State) -> dict[str, Any]:
    s = fields(s)
    first, second = s.discs.tolist()
    columns = [_column(first >> bottom & TALL, second >> bottom & TALL) for bottom in range(0, COLUMNS * PITCH, PITCH)]
    return {"columns": columns, "active": s.active, "first": s.first}


@cache
def _column(first: int, second: int) -> list[int]:
    return [second >> row & 1 for row in range(ROWS) if (first | second) >> row & 1]


def write_view(v: View) -> dict[str, Any]:
    return write_setup(v)


def table(v: View, names: list[str]) -> str:
    columns = write_setup(v)["columns"]
    rows = [" ".join("xo"[c[row]] if row < len(c) else "." for c in columns) for row in range(ROWS - 1, -1, -1)]
    turn = "The round is over." if v.stage == OVER else f"{names[int(v.active)]} drops a disc."
    return "\n".join([*rows, f"x {names[0]}, o {names[1]}", "", turn])
