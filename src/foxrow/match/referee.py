"""The referee: replays a record and says of its last position, or of every one, what the rules say."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError, MoveError, PlaceError, RecordError, SetupError
from foxrow.core.position import view_json
from foxrow.core.rule import PURE
from foxrow.match import rounds
from foxrow.match.record import MatchRecord, RoundRecord, check_move, parse, read

Answer = dict[str, Any]


class Referee:
    """Answers records. It keeps the rooms it works in, so one referee serves one thread."""

    def __init__(
        self, *, trace: bool = False, seat: int | None = None, meet: Callable[[Game], object] | None = None
    ) -> None:
        self.trace = trace  # also answer every position before a move
        self.seat = seat  # also show what this seat may see
        self.meet = meet  # called when a game comes up for the first time, before its rules are used
        self.played: list[list[str]] = []  # the last record's moves as the notation writes them, a list for each round
        self._replays: dict[str, Replay] = {}

    def answer(self, text: str | bytes) -> Answer:
        """The answer to a text, whatever it is: what is wrong with it is an answer too."""
        try:
            return self.judge(parse(text))
        except RecordError as error:
            return {"error": described(error)}

    def judge(self, data: object) -> Answer:
        """The same for a document that is parsed already."""
        try:
            return self.judged(data)
        except FoxrowError as error:
            return {"error": described(error)}

    def judged(self, data: object) -> Answer:
        """The same, or the error itself: what this lets pass is a record, and nothing else is."""
        self.played = []
        try:
            record = read(data)
            return self._round(record) if isinstance(record, RoundRecord) else self._match(record)
        except RecursionError:  # an error would have shown a value of a thousand brackets
            raise RecordError("", "this is nested too deeply for a record") from None

    def _round(self, record: RoundRecord) -> Answer:
        if self.seat is not None and not 0 <= self.seat < len(record.names):
            raise RecordError("players", f"there is no seat {self.seat} to look from")
        key = record.game.key
        if key not in self._replays:
            if self.meet:
                self.meet(record.game)
            self._replays[key] = Replay(record.game)
        answer = self._replays[key].run(record, self.trace, self.seat)
        self.played.append(self._replays[key].played)
        return answer

    def _match(self, record: MatchRecord) -> Answer:
        """A match is answered round by round, then as a whole."""
        table = record.game, len(record.names), record.options
        answers: list[Answer] = []
        done: list[rounds.Round] = []
        for k, part in enumerate(record.rounds):
            rounds.check_next(*table, record.match, len(answers), done, part.first)
            try:
                answer = self._round(part)
            except MoveError as error:
                error.round = k
                raise
            answers.append(answer)
            if answer["over"]:
                done.append(
                    rounds.Round(part.first, tuple(part.moves), tuple(answer["scores"]), tuple(answer["winners"]))
                )
        winners = rounds.winners(*table, record.match, done)
        return {
            "over": winners is not None,
            "totals": rounds.totals(*table, done),
            "winners": winners,
            "rounds": answers,
        }


class Replay:
    """Rounds of one game, replayed in the same room: one call of compiled code a position.

    A move's text stays the same as long as a round lasts (a contract test), so texts are made once a round.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.rules
        template = self.rules.template("foxrow.core.look")
        self._look, self._step = template.look, template.step
        states = self.rules.states(1)
        self._state = states[0]
        self._states = states if PURE else states.view(np.ndarray)
        self._legal = np.empty(self.rules.MAX_LEGAL, np.int32)
        self._facts = np.zeros(2 + 2 * self.rules.SEATS, np.int32)  # as `look` gives them
        self.played: list[str] = []  # the moves of the last record
        self._texts: dict[int, str] = {}  # of moves
        self._lists: dict[bytes, tuple[list[str], dict[str, int]]] = {}  # of legal moves: sorted texts, and back

    def run(self, record: RoundRecord, trace: bool, seat: int | None) -> Answer:
        self._states[0] = record.start().state
        self._texts.clear()
        self._lists.clear()
        n = self._look(self._states, self._legal, self._facts)
        entries: list[Answer] = []
        self.played = []
        for number, text in enumerate(record.moves, 1):
            texts, codes = self._legal_texts(n)
            if trace:
                entries.append(self._answer(texts, record, seat))
            move = codes.get(text) if isinstance(text, str) else None
            if move is None:
                move = self._parse(text, number)
            self.played.append(self._texts[move])
            n = self._step(self._states, move, self._legal, self._facts)
        answer = self._answer(self._legal_texts(n)[0], record, seat)
        return {**answer, "trace": entries} if trace else answer

    def _parse(self, text: object, number: int) -> int:
        """A text that is not the canonical one of a legal move: forgiven, or an error."""
        try:
            check_move(text)
            return self.rules.parse(self._state, text)
        except MoveError as error:
            error.number = number
            error.text = text
            raise

    def _legal_texts(self, n: int) -> tuple[list[str], dict[str, int]]:
        moves = self._legal[:n]
        key = moves.tobytes()
        found = self._lists.get(key)
        if found is None:
            codes = {}
            for move in moves.tolist():
                if move not in self._texts:
                    self._texts[move] = self.rules.move_text(self._state, move)
                codes[self._texts[move]] = move
            found = self._lists[key] = (sorted(codes), codes)
        return found

    def _answer(self, texts: list[str], record: RoundRecord, seat: int | None) -> Answer:
        to_act, phase, *facts = self._facts.tolist()
        over = to_act < 0
        players = len(record.names)
        won = facts[self.rules.SEATS :]
        answer: Answer = {
            "over": over,
            "to_act": None if over else to_act,
            "phase": self.game.phases[phase],
            "legal": texts,
            "scores": facts[:players],
            "winners": [seat for seat in range(players) if won[seat]] if over else None,
        }
        if seat is not None:
            answer["view"] = view_json(self.game, self.rules.mask(self._state, seat), record.options)
        return answer


def described(error: FoxrowError) -> Answer:
    """An error as the referee prints it. `move` 0 is the set-up or the record itself; `place` says where."""
    if isinstance(error, MoveError):
        shown: Answer = {
            "move": error.number,
            "text": quoted(error.text),
            "kind": error.kind,
            "reason": error.reason,
        }
        return shown if error.round is None else {"round": error.round, **shown}
    kind = "setup" if isinstance(error, SetupError) else "record"
    place = error.place if isinstance(error, PlaceError) else ""
    return {"move": 0, "text": None, "kind": kind, "reason": error.reason, "place": place}


def quoted(move: object) -> str:
    """A move as it was given: a text, or the JSON of whatever stood there instead; not too much of it."""
    try:
        text = move if isinstance(move, str) else json.dumps(move)
    except RecursionError:
        text = "[…]"
    return text if len(text) <= 200 else f"{text[:200]}…"
