"""Records: the JSON of one round (`foxrow/1`) and of a match (`foxrow-match/1`), read strictly and replayed.

Reading checks every key and type and says which place is wrong; replaying checks every move. No I/O here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from foxrow.core.contract import Choice, Game
from foxrow.core.errors import GameError, MoveError, ParseError, RecordError, quoted
from foxrow.core.position import Position
from foxrow.core.registry import game as find_game
from foxrow.core.stakes import Stakes
from foxrow.match import rounds

ROUND = "foxrow/1"
MATCH = "foxrow-match/1"
MOST_BYTES = 4 << 20  # of a record's text; a long match has some 300 KB
MOST_MOVES = 20_000  # of a round; long games have some hundreds
MOST_IN_MATCH = 100_000  # of all its rounds
MOST_LETTERS = 100  # of a text, such as a player's name
MOST_OF_MOVE = 200  # letters of a move, as on the socket
HALF = re.compile(r"\\u[dD][89a-fA-F]")  # how half a letter is written in JSON; two may be a whole one


@dataclass(frozen=True)
class RoundRecord:
    """One round as it was written down. The moves are not checked before `replay`."""

    game: Game
    names: tuple[str, ...]
    options: dict[str, Choice]
    first: int
    deal: tuple[str, int] | None  # seed and round; None: there is a set-up
    setup: object
    moves: list[Any]

    def start(self) -> Position:
        """The position before the first move."""
        if self.deal is None:
            return Position.from_setup(self.game, self.setup, len(self.names), names=self.names, options=self.options)
        seed, number = self.deal
        return Position.deal(
            self.game,
            len(self.names),
            seed=seed,
            round=number,
            first=self.first,
            names=self.names,
            options=self.options,
        )

    def replay(self, at: int | None = None) -> Position:
        """The position after the first `at` moves, or after all. A MoveError says which move is wrong."""
        if at is not None and not 0 <= at <= len(self.moves):
            raise RecordError("moves", f"there are {len(self.moves)}, so there is no position after {at}")
        position = self.start()
        for number, text in enumerate(self.moves[:at], 1):
            try:
                check_move(text)
                position.play(text)
            except MoveError as error:
                error.number = number
                raise
        return position


@dataclass(frozen=True)
class MatchRecord:
    """A match as it was written down."""

    game: Game
    names: tuple[str, ...]
    options: dict[str, Choice]
    match: dict[str, int]
    seed: str
    rounds: tuple[RoundRecord, ...]
    fair: object = None  # the proof of the shuffle, which `fairness` reads

    def stakes(self, round: int) -> Stakes | None:
        """What a round of it counted for."""
        if rounds.length(self.game, len(self.names), self.match) == 1:
            return None  # there is nothing to add up
        before = replace(self, rounds=self.rounds[:round]).replay()
        before._check_next(self.rounds[round].first)
        return before.stakes()

    def replay(self) -> Match:
        """All rounds. Each is complete, the starter moves to the left, and none comes after the end."""
        match = Match(self.game, self.names, self.options, self.match, self.seed)
        done: list[rounds.Round] = []
        for k, record in enumerate(self.rounds):
            rounds.check_next(self.game, len(self.names), self.options, self.match, k, done, record.first)
            try:
                match.rounds.append(record.replay())
            except MoveError as error:
                error.round = k
                raise
            if match.rounds[k].over:
                done.append(finished(match.rounds[k]))
        return match


class Match:
    """Rounds that count together.

    Each is dealt from the same seed with its own number; see `foxrow.load`.
    """

    def __init__(
        self,
        game: Game,
        names: Iterable[str],
        options: Mapping[str, Choice],
        match: Mapping[str, int],
        seed: str,
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.options = dict(options)
        self.match = dict(match)  # the setting: {"cycles": 1}, {"points": 2} or {}
        self.seed = seed
        self.rounds: list[Position] = []  # the last one may still be going on

    @property
    def players(self) -> int:
        return len(self.names)

    def finished(self) -> list[rounds.Round]:
        """The rounds that are over, as the rules of a match count them."""
        return [finished(position) for position in self.rounds if position.over]

    def totals(self) -> list[int]:
        """Per seat, over the finished rounds: the sum of scores, or the rounds won."""
        return rounds.totals(self.game, self.players, self.options, self.finished())

    def stakes(self) -> Stakes | None:
        """What the round counts for that comes after the finished ones."""
        return rounds.stakes(self.game, self.players, self.options, self.match, self.finished())

    def winners(self) -> list[int] | None:
        """The seats that won the match; None while it goes on."""
        return rounds.winners(self.game, self.players, self.options, self.match, self.finished())

    @property
    def over(self) -> bool:
        return self.winners() is not None

    def next_round(self) -> Position:
        """Deal the next round."""
        first = rounds.next_first(self.finished(), self.players)
        self._check_next(first)
        position = Position.deal(
            self.game,
            self.players,
            seed=self.seed,
            round=len(self.rounds),
            first=first,
            names=self.names,
            options=self.options,
        )
        self.rounds.append(position)
        return position

    def _check_next(self, first: int) -> None:
        rounds.check_next(self.game, self.players, self.options, self.match, len(self.rounds), self.finished(), first)

    def record(self) -> dict[str, Any]:
        """The match as a record. It holds the seed, so it shows every hand."""
        return {
            "format": MATCH,
            "game": self.game.key,
            "players": list(self.names),
            "options": self.options,
            "match": self.match,
            "seed": self.seed,
            "rounds": [{"first": r.record()["first"], "moves": r.moves} for r in self.rounds],
        }

    def __repr__(self) -> str:
        return f"<match of {self.game.name}, {self.players} players, {len(self.rounds)} rounds, {self.totals()}>"


def finished(position: Position) -> rounds.Round:
    """A position that is over, as a match counts it."""
    return rounds.Round(
        first=position.record().get("first", 0),
        moves=tuple(position.moves),
        scores=tuple(position.scores()),
        winners=tuple(position.winners() or ()),
    )


# Reading ------------------------------------------------------------------------------------------------


def parse(text: str | bytes) -> object:
    """JSON, and nothing but JSON: no NaN, no key twice, no half letter, no endless number, no bottomless nesting."""
    if len(text) > MOST_BYTES:
        raise RecordError("", f"this is longer than any record ({MOST_BYTES >> 20} MiB)")
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        text = text.removeprefix("\ufeff").rstrip()  # the end of its line is no part of it
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if HALF.search(text):
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except UnicodeEncodeError:  # nobody could write it down again
        raise RecordError("", "there is half a letter in a text") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1}", "this is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno} column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        unfinished = error.pos >= len(text) or error.msg.startswith("Unterminated")
        ends = " (the text ends too early)" if unfinished else ""
        raise RecordError(at, f"this is not JSON: {error.msg.removesuffix(' at')}{ends}") from None
    except RecursionError:
        raise RecordError("", "this is nested too deeply for a record") from None
    except ValueError:  # Python refuses to read numbers of more than 4,300 digits
        raise RecordError("", "a number in it is too long") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError("", f"the key {quoted(key)} stands twice in one object")
            seen.add(key)
    return found


def _constant(name: str) -> object:
    raise RecordError("", f"this is not JSON: {name} is no number")


def read(data: object) -> RoundRecord | MatchRecord:
    """A record of either kind, every key and type checked."""
    if not isinstance(data, dict):
        raise RecordError("", f"a record is an object, not {quoted(data)}")
    form = data.get("format")
    if form == ROUND:
        return _read_round(data)
    if form == MATCH:
        return _read_match(data)
    if form is None:
        if "format" in data:
            raise RecordError("format", f"must be {quoted(ROUND)} or {quoted(MATCH)}, not null")
        raise RecordError("format", f"is missing; it is {quoted(ROUND)} or {quoted(MATCH)}")
    raise RecordError("format", f"must be {quoted(ROUND)} or {quoted(MATCH)}, not {quoted(form)}")


def _read_round(data: dict[str, Any]) -> RoundRecord:
    _keys(data, "", needs=("format", "game", "players", "moves"), may=("options", "first", "deal", "setup"))
    game, names, options = _table(data)
    if ("deal" in data) == ("setup" in data):
        both = "both are there" if "deal" in data else "neither is there"
        raise RecordError("", f"a record holds either 'deal' or 'setup'; {both}")
    deal = None
    if "deal" in data:
        _keys(data["deal"], "deal", needs=("seed",), may=("round",))
        number = _number(data["deal"].get("round", 0), "deal.round", 2**31)
        deal = (_seed(data["deal"]["seed"], "deal.seed"), number)
    return RoundRecord(
        game=game,
        names=names,
        options=options,
        first=_number(data.get("first", 0), "first", len(names)),
        deal=deal,
        setup=data.get("setup"),
        moves=_moves(data["moves"], "moves"),
    )


def _read_match(data: dict[str, Any]) -> MatchRecord:
    _keys(data, "", needs=("format", "game", "players", "match", "seed", "rounds"), may=("options", "fair"))
    game, names, options = _table(data)
    match = rounds.read_setting(game, data["match"])
    seed = _seed(data["seed"], "seed")
    records: list[RoundRecord] = []
    count = 0
    for k, entry in enumerate(_list(data["rounds"], "rounds")):
        place = f"rounds[{k}]"
        _keys(entry, place, needs=("moves",), may=("first",))
        default = (records[-1].first + 1) % len(names) if records else 0
        records.append(
            RoundRecord(
                game=game,
                names=names,
                options=options,
                first=_number(entry.get("first", default), f"{place}.first", len(names)),
                deal=(seed, k),
                setup=None,
                moves=_moves(entry["moves"], f"{place}.moves"),
            )
        )
        count += len(records[-1].moves)
        if count > MOST_IN_MATCH:
            raise RecordError("rounds", f"{count} moves are more than any match has ({MOST_IN_MATCH})")
    return MatchRecord(game, names, options, match, seed, tuple(records), _proof(data.get("fair"), len(names)))


def _proof(data: object, players: int) -> object:
    """The proof of the shuffle: only its form. Whether it proves anything is for `fairness` to say."""
    if data is None:
        return None
    _keys(data, "fair", needs=("version", "server", "seats"), may=())
    assert isinstance(data, dict)
    _text(data["version"], "fair.version")
    seats = _list(data["seats"], "fair.seats")
    if len(seats) != players:
        raise RecordError("fair.seats", f"there must be one for each of {players} players, not {len(seats)}")
    for place, part in [("fair.server", data["server"]), *((f"fair.seats[{n}]", part) for n, part in enumerate(seats))]:
        if part is None and place != "fair.server":
            continue
        _keys(part, place, needs=("commit", "seed"), may=())
        _seed(part["commit"], f"{place}.commit")
        if part["seed"] is not None or place == "fair.server":
            _seed(part["seed"], f"{place}.seed")
    return data


def _table(data: dict[str, Any]) -> tuple[Game, tuple[str, ...], dict[str, Choice]]:
    """What both kinds of records have: the game, the players, the options."""
    try:
        game = find_game(data["game"])
    except GameError as error:
        raise RecordError("game", error.reason) from None
    names = _list(data["players"], "players")
    for seat, name in enumerate(names):
        _text(name, f"players[{seat}]")
    try:
        game.check_players(len(names))
    except GameError as error:
        raise RecordError("players", error.reason) from None
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RecordError("options", f"must be an object, not {quoted(options)}")
    try:
        chosen = game.check_options(options, len(names))
    except GameError as error:
        raise RecordError("options", error.reason) from None
    return game, tuple(names), chosen


def _keys(data: object, place: str, needs: tuple[str, ...], may: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        raise RecordError(place, f"must be an object, not {quoted(data)}")
    for key in needs:
        if key not in data:
            raise RecordError(place, f"the key {quoted(key)} is missing")
    for key in data:
        if key not in needs and key not in may:
            raise RecordError(place, f"there is no key {quoted(key)} in a record")


def _text(value: object, place: str) -> None:
    """A text of somebody's own choice."""
    if not isinstance(value, str):
        raise RecordError(place, f"must be a text, not {quoted(value)}")
    if len(value) > MOST_LETTERS:
        raise RecordError(place, f"has at most {MOST_LETTERS} letters, not {len(value)}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise RecordError(place, "there is half a letter in this text")


def _list(data: object, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise RecordError(place, f"must be a list, not {quoted(data)}")
    return data


def _moves(data: object, place: str) -> list[Any]:
    """A move that is no text is not the record's fault but the move's: `replay` says so, with its number."""
    moves = _list(data, place)
    if len(moves) > MOST_MOVES:
        raise RecordError(place, f"{len(moves)} moves are more than any round has ({MOST_MOVES})")
    return moves


def check_move(text: object) -> None:
    """Blanks in a move are forgiven, but not a million of them."""
    if isinstance(text, str) and len(text) > MOST_OF_MOVE:
        raise ParseError("not_a_move", f"a move has at most {MOST_OF_MOVE} letters, not {len(text)}")


def _number(value: object, place: str, end: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < end:
        raise RecordError(place, f"must be a whole number from 0 to {end - 1}, not {quoted(value)}")
    return value


def _seed(value: object, place: str) -> str:
    if not isinstance(value, str) or len(value) != 64 or not set(value.lower()) <= set("0123456789abcdef"):
        raise RecordError(place, f"must be 64 hex digits, not {quoted(value)}")
    return value
