"""One table: who sits where, whose turn it is, what time is left, and what may happen next.

A table is the fold of its events. A command checks what is asked and returns the events that it would cause, or
raises Refusal; `apply` folds an event in. Whoever holds a table writes the events down before telling anybody.
"""

from __future__ import annotations

import contextlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError, GameError, MoveError
from foxrow.core.registry import game as find_game
from foxrow.core.stakes import Stakes
from foxrow.match import events as ev
from foxrow.match import fairness, rounds, takeback
from foxrow.match.board import Board
from foxrow.match.clock import Clock, ClockRule
from foxrow.match.draw import Draw
from foxrow.match.record import MATCH
from foxrow.match.refusal import Refusal
from foxrow.match.seats import Seat, Wish, others, partners, side
from foxrow.match.takeback import Takeback

REFS_KEPT = 256  # moves whose repetition is recognised; an older one is stale by its ply
REQUESTS_KEPT = 128  # other requests

Status = Literal["open", "shuffling", "playing", "pause", "over"]


class Table:
    """The state of one table after all its events."""

    def __init__(self, table: str) -> None:
        self.id = table
        self.seq = 0  # events so far
        self.setting: ev.Created
        self.game: Game
        self.seats: list[Seat] = []
        self.chat = False
        self.blocked: set[str] = set()
        self.sat: Counter[str] = Counter()  # how often each person has sat down
        self.draw: Draw
        self.round = 0
        self.board: Board | None = None
        self.clock: Clock
        self.rounds: list[rounds.Round] = []  # the finished ones
        self.takeback = Takeback()
        self.again: set[int] = set()  # seats that want a rematch
        self.clock_move: int | None = None  # the seat for which a bot makes this one move: its time is up
        self.result: ev.Ended | None = None
        self.next: str | None = None
        self.paused = False
        self.requests: dict[str, None] = {}  # the last requests besides moves that caused something
        self._refs: dict[str, int] = {}  # seat and ref of the last moves -> their seq; texts: the collector passes by

    # ---- making one --------------------------------------------------------------------------------------

    @staticmethod
    def creation(
        game: Game,
        wishes: Sequence[Wish],
        *,
        host: str,
        now: int,
        options: dict[str, Any] | None = None,
        match: int | None = None,
        clock: ClockRule | None = None,
        listed: bool = False,
        chat: bool = False,
        leave: Literal["bot", "end"] = "bot",
        first: int | None = None,
        previous: str | None = None,
        blocked: Iterable[str] = (),
    ) -> list[ev.AnyEvent]:
        """The first events of a new table."""
        players = len(wishes)
        if players not in game.players:
            raise Refusal("bad_players", players=players, allowed=list(game.players))
        chosen = checked_options(game, options or {}, players)
        if first is not None and not 0 <= first < players:
            raise Refusal("bad_seats", first=first)
        if chat and (listed or partners(game, chosen)):
            raise Refusal("no_chat")
        try:
            setting = rounds.setting(game, match)
        except FoxrowError:
            raise Refusal("bad_match", low=game.match.low, high=game.match.high) from None
        created = ev.Created(
            at=now,
            game=game.key,
            version=game.version,
            players=players,
            options=chosen,
            match=setting,
            clock=clock or ClockRule(),
            host=host,
            secret=secrets.token_hex(32),
            listed=listed,
            chat=chat,
            leave=leave,
            first=first,
            previous=previous,
            blocked=sorted(blocked),
        )
        seated = [
            ev.Seated(at=now, seat=seat, person=wish.person, level=wish.level)
            for seat, wish in enumerate(wishes)
            if wish.person is not None or wish.level is not None
        ]
        return [created, *seated]

    @classmethod
    def replay(cls, table: str, log: Iterable[ev.AnyEvent]) -> Table:
        """The table that a log describes."""
        self = cls(table)
        for event in log:
            self.apply(event)
        return self

    # ---- asking ------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return self.setting.players

    @property
    def status(self) -> Status:
        if self.result is not None:
            return "over"
        if self.paused:
            return "pause"
        if self.board is not None:
            return "playing"
        return "open" if any(seat.kind == "open" for seat in self.seats) else "shuffling"

    @property
    def ply(self) -> int:
        return 0 if self.board is None else self.board.ply

    @property
    def to_act(self) -> int | None:
        if self.board is None or self.status != "playing":
            return None
        return self.board.to_act

    @property
    def totals(self) -> list[int]:
        return rounds.totals(self.game, self.players, self.setting.options, self.rounds)

    @property
    def stakes(self) -> Stakes | None:
        """What this round counts for in the match. Whoever is out on time cannot win it, whatever they win: what the
        others' rounds are worth then is not known, and each is played for itself."""
        if any(seat.out for seat in self.seats):
            return None
        return rounds.stakes(self.game, self.players, self.setting.options, self.setting.match, self.rounds)

    @property
    def host(self) -> str:
        return self.setting.host

    def seats_of(self, person: str | None) -> list[int]:
        if person is None:
            return []
        return [number for number, seat in enumerate(self.seats) if seat.person == person]

    def humans(self) -> list[int]:
        """Seats where a person decides."""
        return [number for number, seat in enumerate(self.seats) if seat.person is not None and not seat.out]

    def bot_to_act(self) -> tuple[int, int | None, Literal["bot", "clock"]] | None:
        """The seat that a bot must move now, its level (None: whatever stands in), and on whose behalf."""
        seat = self.to_act
        if seat is None:
            return None
        if self.clock_move == seat:
            return seat, None, "clock"
        if self.seats[seat].by_bot:
            return seat, self.seats[seat].level, "bot"
        return None

    @property
    def drawing(self) -> bool:
        """All have bound themselves, and seeds become known: nobody may begin the shuffle anew any more."""
        return self.status == "shuffling" and self.draw.closed

    @property
    def shuffle_waiting(self) -> list[int]:
        """The human seats that the shuffle waits for."""
        if self.status != "shuffling":
            return []
        return self.draw.waiting(self.humans())

    def due(self) -> int | None:
        """When `tick` must be called next, unless something happens before."""
        if self.status == "shuffling" and self.draw.since is not None:
            return self.draw.until() if self.shuffle_waiting else self.draw.since
        if self.status == "playing" and self.clock_move is None:
            return self.clock.zero_at()
        return None

    def played_ref(self, seat: int, ref: str) -> int | None:
        """The number of the event that this move has already become."""
        return self._refs.get(f"{seat} {ref}")

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """The match as a record with its proof, when all is over: it shows every hand."""
        if self.status != "over":
            raise Refusal("not_over")
        return self._record(names)

    def record_for(self, person: str | None, seat: int | None) -> dict[str, Any]:
        """The match so far, for what a seat of this person's (None: a spectator) has seen of it. It holds the truth:
        nothing but views may be made of it."""
        if person is not None and person in self.blocked:
            raise Refusal("blocked")
        if seat is not None:
            self._own(person, seat)
        return self._record([""] * self.players)

    def _record(self, names: Sequence[str]) -> dict[str, Any]:
        if self.draw.deal is None:
            raise Refusal("never_dealt")
        played = [{"first": done.first, "moves": list(done.moves)} for done in self.rounds]
        if self.board is not None and len(played) == self.round:
            played.append({"first": self.board.first, "moves": list(self.board.moves)})
        return {
            "format": MATCH,
            "game": self.game.key,
            "players": list(names),
            "options": self.setting.options,
            "match": self.setting.match,
            "seed": self.draw.deal.hex(),
            "rounds": played,
            "fair": self.draw.proof(),
        }

    # ---- commands: what persons do -------------------------------------------------------------------------

    def _own(self, person: str | None, seat: int) -> Seat:
        if not 0 <= seat < len(self.seats) or person is None or self.seats[seat].person != person:
            raise Refusal("not_your_seat", seat=seat)
        return self.seats[seat]

    def _hosting(self, person: str | None) -> None:
        if person is None or person != self.host:
            raise Refusal("not_host")

    def sit(self, person: str, seat: int | None, now: int) -> list[ev.AnyEvent]:
        if person in self.blocked:
            raise Refusal("blocked")
        if self.status != "open":
            raise Refusal("not_open" if self.status != "over" else "over")
        if seat is None:
            seat = next(number for number, place in enumerate(self.seats) if place.kind == "open")
        if not 0 <= seat < self.players:
            raise Refusal("no_open_seat", seat=seat)
        if self.seats[seat].kind != "open":
            raise Refusal("seat_taken", seat=seat)
        return [ev.Seated(at=now, seat=seat, person=person)]

    def set_seat(self, person: str | None, seat: int, level: int | None, now: int) -> list[ev.AnyEvent]:
        """The host puts a bot on an open seat, changes its level, or opens a bot's seat again."""
        self._hosting(person)
        if self.status not in ("open", "shuffling"):
            raise Refusal("not_open" if self.status != "over" else "over")
        if self.drawing:
            raise Refusal("not_open")
        if not 0 <= seat < self.players or self.seats[seat].kind == "person":
            raise Refusal("seat_taken", seat=seat)
        if self.seats[seat].level == level:
            raise Refusal("already")
        return [ev.Seated(at=now, seat=seat, level=level)]

    def leave(self, person: str | None, seat: int, stand_in: int, now: int) -> list[ev.AnyEvent]:
        """Go away for good. `stand_in`: the level of the bot that takes the seat in a running game."""
        self._own(person, seat)
        if self.status == "over":
            raise Refusal("over")
        return [ev.Left(at=now, seat=seat), *self._gone([seat], stand_in, now)]

    def remove(
        self, person: str | None, seat: int, block: bool, stand_in: int, now: int, *, seated: int | None = None
    ) -> list[ev.AnyEvent]:
        """The host sends a person away, from all their seats. `seated`: by which event they sat down; whoever sits
        there by another is not meant."""
        self._hosting(person)
        if seated is not None and 0 <= seat < self.players and self.seats[seat].seated != seated:
            raise Refusal("stale")
        if not 0 <= seat < self.players or self.seats[seat].person in (None, person):
            raise Refusal("not_allowed", seat=seat)
        if self.status == "over":
            raise Refusal("over")
        whom = self.seats[seat].person
        assert whom is not None
        seats = self.seats_of(whom)
        gone: list[ev.AnyEvent] = [ev.Removed(at=now, seat=s, person=whom, blocked=block) for s in seats]
        return [*gone, *self._gone(seats, stand_in, now)]

    def _gone(self, seats: list[int], stand_in: int, now: int) -> list[ev.AnyEvent]:
        if self.status == "open" or (self.status == "shuffling" and not self.drawing):
            return []
        stay = [seat for seat in self.humans() if seat not in seats]
        lost = all(self.seats[seat].out for seat in seats)  # the others' match is no longer theirs to end
        if not stay or (self.setting.leave == "end" and not lost):
            return [ev.Ended(at=now, reason="abandoned", winners=[], totals=self.totals)]
        return [ev.Seated(at=now, seat=seat, level=stand_in) for seat in seats]

    def commit(self, person: str | None, seat: int, commit: str, now: int) -> list[ev.AnyEvent]:
        self._own(person, seat)
        if self.status != "shuffling":
            raise Refusal("not_shuffling")
        self.draw.may_commit(seat)
        log: list[ev.AnyEvent] = [ev.Committed(at=now, seat=seat, commit=commit)]
        if self.shuffle_waiting == [seat]:
            log.append(ev.CommitsClosed(at=now))
        return log

    def reveal(self, person: str | None, seat: int, seed: bytes, now: int) -> list[ev.AnyEvent]:
        self._own(person, seat)
        if self.status != "shuffling":
            raise Refusal("not_shuffling")
        self.draw.may_reveal(seat, seed)
        log: list[ev.AnyEvent] = [ev.Revealed(at=now, seat=seat, seed=seed.hex())]
        if self.shuffle_waiting == [seat]:
            log.append(self._first_deal(now, {seat: seed}))
        return log

    def move(
        self, person: str | None, seat: int, round: int, ply: int, text: str, ref: str, now: int
    ) -> list[ev.AnyEvent]:
        """A person's move. A repeated `ref` gives no events: it has happened."""
        place = self._own(person, seat)
        if f"{seat} {ref}" in self._refs:
            return []
        if self.status != "playing" or self.board is None:
            raise Refusal("over" if self.status == "over" else "not_playing")
        if round != self.round or ply != self.board.ply:
            raise Refusal("stale", round=self.round, ply=self.board.ply)
        if self.board.to_act != seat or place.out:
            raise Refusal("not_your_turn", to_act=self.board.to_act)
        zero = self.clock.zero_at()
        if self.clock_move == seat or (zero is not None and now >= zero):
            raise Refusal("time_up")
        return self._moved(seat, text, "person", ref, now)

    def bot_move(self, seat: int, round: int, ply: int, text: str, now: int) -> list[ev.AnyEvent]:
        """A bot's move; none when the table has moved on meanwhile."""
        due = self.bot_to_act()
        if due is None or due[0] != seat or round != self.round or ply != self.ply:
            return []
        return self._moved(seat, text, due[2], None, now)

    def _moved(
        self, seat: int, text: str, by: Literal["person", "bot", "clock"], ref: str | None, now: int
    ) -> list[ev.AnyEvent]:
        assert self.board is not None
        try:
            canonical = self.board.read(text)
        except MoveError as wrong:
            raise Refusal(wrong.kind, code=wrong.code) from None
        return [ev.Moved(at=now, seat=seat, text=canonical, by=by, ref=ref)]

    def advised(self, person: str | None, seat: int) -> Board:
        """The cards that this seat may be advised about: its person is to move, and nobody else plays here whom that
        would be unfair to, at another device or at this one."""
        place = self._own(person, seat)
        if self.status != "playing" or self.board is None:
            raise Refusal("not_playing")
        if others(self.seats, person) or len(self.seats_of(person)) > 1:
            raise Refusal("hint_others")
        if self.board.to_act != seat or place.out:
            raise Refusal("not_your_turn", to_act=self.board.to_act)
        return self.board

    def ask_takeback(self, person: str | None, seat: int, now: int) -> list[ev.AnyEvent]:
        self._own(person, seat)
        self._may_take_back(seat)
        if self.takeback.asked == seat:
            raise Refusal("already")
        log: list[ev.AnyEvent] = [ev.TakebackAsked(at=now, seat=seat)]
        if not others(self.seats, person):
            log.append(ev.TakenBack(at=now, seat=seat))
        return log

    def answer_takeback(self, person: str | None, seat: int, yes: bool, now: int) -> list[ev.AnyEvent]:
        self._own(person, seat)
        asked = self.takeback.asked
        if asked is None or self.seats[asked].person == person:
            raise Refusal("takeback_not_asked")
        if yes and seat in self.takeback.agreed:
            raise Refusal("already")
        log: list[ev.AnyEvent] = [ev.TakebackAnswered(at=now, seat=seat, yes=yes)]
        if yes and self.takeback.settled(self.seats, seat):
            self._may_take_back(asked)
            log.append(ev.TakenBack(at=now, seat=asked))
        return log

    def _may_take_back(self, seat: int) -> None:
        takeback.check(self.board, self.status == "playing", seat)

    def switch_chat(self, person: str | None, on: bool, now: int) -> list[ev.AnyEvent]:
        self._hosting(person)
        if on and (self.setting.listed or partners(self.game, self.setting.options)):
            raise Refusal("no_chat")
        if on == self.chat:
            raise Refusal("already")
        return [ev.ChatSwitched(at=now, on=on)]

    def answer_rematch(self, person: str | None, seat: int, yes: bool, now: int) -> list[ev.AnyEvent]:
        self._own(person, seat)
        if self.status != "over":
            raise Refusal("not_over")
        if self.next is not None or (seat in self.again) == yes:
            raise Refusal("already")
        return [ev.RematchAnswered(at=now, seat=seat, yes=yes)]

    def rematch_agreed(self, there: Callable[[str], bool] = lambda person: True) -> bool:
        """Every person who is still `there` has agreed, and the next table is not made yet."""
        if self.status != "over" or self.next is not None:
            return False
        wanted = {seat.person for seat in self.seats if seat.person is not None and there(seat.person)}
        return bool(wanted) and {self.seats[seat].person for seat in self.again} >= wanted

    def rematch(
        self, now: int, stand_in: int = 1, there: Callable[[str], bool] = lambda person: True
    ) -> list[ev.AnyEvent]:
        """The first events of the next table: the same seats, the starter moved on. For whoever is no longer `there`
        a bot plays, as if they had left; the host is one who plays."""
        started = self.rounds[0].first if self.rounds else (self.board.first if self.board else 0)
        setting = self.setting
        wishes = [
            Wish(level=stand_in)
            if seat.person is not None and not there(seat.person)
            else Wish(seat.person, seat.level)
            for seat in self.seats
        ]
        persons = [wish.person for wish in wishes if wish.person is not None]
        return Table.creation(
            self.game,
            wishes,
            host=self.host if self.host in persons else persons[0],
            now=now,
            options=setting.options,
            match=next(iter(setting.match.values()), None),
            clock=setting.clock,
            listed=setting.listed,
            chat=self.chat,
            leave=setting.leave,
            first=(started + 1) % self.players,
            previous=self.id,
            blocked=self.blocked,
        )

    def continued(self, table: str, now: int) -> list[ev.AnyEvent]:
        return [ev.Continued(at=now, table=table)]

    # ---- commands: what time and the server do -------------------------------------------------------------

    def tick(self, now: int) -> list[ev.AnyEvent]:
        """What the passing of time causes. Call it again until it gives nothing."""
        due = self.due()
        if due is None or now < due:
            return []
        if self.status == "shuffling":
            waiting = self.shuffle_waiting
            if not self.draw.closed:
                return [ev.CommitsClosed(at=now, missing=waiting)]
            return [self._first_deal(now)]
        seat = self.clock.running
        assert seat is not None
        then = self.setting.clock.at_zero
        log: list[ev.AnyEvent] = [ev.TimeUp(at=now, seat=seat, then=then)]
        if then == "lose":
            still_in = [s for s in range(self.players) if s != seat and not self.seats[s].out]
            sides = {side(self.game, self.setting.options, s) for s in still_in}
            sides -= {side(self.game, self.setting.options, seat)}
            if len(sides) <= 1 or len(self.humans()) <= 1:
                winners = [s for s in still_in if side(self.game, self.setting.options, s) in sides]
                if len(sides) > 1:  # only bots are left: the best of them by now
                    winners = best(self._totals_now(), winners)
                log.append(ev.Ended(at=now, reason="forfeit", winners=winners, totals=self.totals))
        return log

    def _totals_now(self) -> list[int]:
        assert self.board is not None
        return [a + b for a, b in zip(self.totals, self.board.scores(), strict=True)]

    def next_round(self, now: int) -> list[ev.AnyEvent]:
        """Deal the next round, after a pause."""
        if self.status != "pause":
            raise Refusal("not_playing")
        first = rounds.next_first(self.rounds, self.players)
        return [ev.Dealt(at=now, round=len(self.rounds), first=first)]

    def follow_up(self, now: int) -> list[ev.AnyEvent]:
        """What the events so far imply by themselves: a round ends, and with it perhaps the match; a move is taken back
        when whoever had not yet agreed has left."""
        asked = self.takeback.asked
        if asked is not None and self.takeback.settled(self.seats):
            with contextlib.suppress(Refusal):
                self._may_take_back(asked)
                return [ev.TakenBack(at=now, seat=asked)]
        if self.status != "playing" or self.board is None or not self.board.over:
            return []
        board = self.board
        done = rounds.Round(board.first, tuple(board.moves), tuple(board.scores()), tuple(board.winners()))
        finished = [*self.rounds, done]
        totals = rounds.totals(self.game, self.players, self.setting.options, finished)
        log: list[ev.AnyEvent] = [
            ev.RoundEnded(at=now, scores=list(done.scores), winners=list(done.winners), totals=totals)
        ]
        champions = rounds.winners(self.game, self.players, self.setting.options, self.setting.match, finished)
        if champions is not None:
            still = [seat for seat in range(self.players) if not self.seats[seat].out]
            winners = [seat for seat in champions if seat in still] or best(totals, still)
            log.append(ev.Ended(at=now, reason="finished", winners=winners, totals=totals))
        return log

    def give_up(self, now: int) -> list[ev.AnyEvent]:
        """Nobody has come for a long time."""
        if self.status == "over":
            return []
        return [ev.Ended(at=now, reason="abandoned", winners=[], totals=self.totals)]

    def restarted(self, away_since: int, now: int) -> list[ev.AnyEvent]:
        """The server is back; no clock ran while it was away."""
        if self.status == "over" or (self.clock.running is None and self.status != "shuffling"):
            return []
        return [ev.Restarted(at=now, away=max(0, now - away_since))]

    def _first_deal(self, now: int, also: dict[int, bytes] | None = None) -> ev.Dealt:
        """`also`: the reveal that completes it."""
        seed, given = self.draw.drawn(also)
        first = self.setting.first
        if first is None:
            first = fairness.drawn_first(seed, self.players)
        due = {*self.humans(), *(seat for seat, commit in enumerate(self.draw.commits) if commit is not None)}
        missing = sorted(seat for seat in due if given[seat] is None)
        return ev.Dealt(at=now, round=0, first=first, missing=missing)

    # ---- the fold ------------------------------------------------------------------------------------------

    def apply(self, event: ev.AnyEvent) -> None:
        """Fold one event in. Events are facts: nothing is refused here."""
        self.seq += 1
        if event.request is not None:
            self.requests[event.request] = None
            if len(self.requests) > REQUESTS_KEPT:
                del self.requests[next(iter(self.requests))]
        match event:
            case ev.Moved():
                self._fold_move(event)
            case ev.Created():
                self._fold_creation(event)
            case ev.Seated():
                self.seats[event.seat].person = event.person
                self.seats[event.seat].level = event.level
                self.seats[event.seat].seated = self.seq
                if event.person is not None:
                    self.sat[event.person] += 1
                self._seats_changed(event)
            case ev.Left() | ev.Removed():
                self.seats[event.seat].person = None
                if isinstance(event, ev.Removed) and event.blocked:
                    self.blocked.add(event.person)
                self._seats_changed(event)
            case ev.Committed():
                self.draw.commit(event.seat, event.commit)
            case ev.CommitsClosed():
                self.draw.close(event.at)
            case ev.Revealed():
                self.draw.reveal(event.seat, bytes.fromhex(event.seed))
            case ev.Dealt():
                self._fold_deal(event)
            case ev.TakebackAsked():
                self.takeback.ask(event.seat)
            case ev.TakebackAnswered():
                self.takeback.answer(event.seat, event.yes)
            case ev.TakenBack():
                assert self.board is not None
                self.board.take_back()
                self.takeback.end()
                self.clock_move = None  # whoever's time was up is not to act any more
                self.clock.take_back(self._thinking, event.at)
            case ev.TimeUp():
                self.takeback.end()
                if event.then == "lose":
                    self.seats[event.seat].out = True
                    self._run_clock(event.at)
                else:
                    self.clock_move = event.seat
            case ev.RoundEnded():
                assert self.board is not None
                self.rounds.append(
                    rounds.Round(self.board.first, tuple(self.board.moves), tuple(event.scores), tuple(event.winners))
                )
                self.paused = True
                self.takeback.end()
                self.clock.run(None, event.at)
            case ev.Ended():
                self.result = event
                self.paused = False
                self.takeback.end()
                self.clock_move = None
                self.clock.run(None, event.at)
            case ev.RematchAnswered():
                (self.again.add if event.yes else self.again.discard)(event.seat)
            case ev.Continued():
                self.next = event.table
            case ev.ChatSwitched():
                self.chat = event.on
            case ev.Restarted():
                self.clock.skip(event.away)
                if self.draw.since is not None:
                    self.draw.since += event.away

    def _fold_creation(self, event: ev.Created) -> None:
        self.setting = event
        try:
            self.game = find_game(event.game)
        except GameError as gone:
            raise Refusal("unknown_game", game=event.game) from gone
        self.seats = [Seat() for _ in range(event.players)]
        self.draw = Draw(bytes.fromhex(event.secret), event.players)
        self.chat = event.chat
        self.blocked = set(event.blocked)
        self.clock = Clock(event.clock, event.players)

    def _seats_changed(self, event: ev.Seated | ev.Left | ev.Removed) -> None:
        if self.board is None:
            # While all bind themselves, whoever comes or goes, all do so anew. After that seeds become known, and they
            # stand: who goes then has a bot in their place.
            stands_in = not isinstance(event, ev.Seated) or event.level is not None
            if not (self.draw.closed and stands_in):
                self.draw.anew()
                self.draw.since = event.at if self.status == "shuffling" else None
            return
        self.takeback.gone(event.seat)
        self.again.discard(event.seat)
        if self.clock_move == event.seat:
            self.clock_move = None
        self._run_clock(event.at)

    def _fold_deal(self, event: ev.Dealt) -> None:
        if event.round == 0:
            self.draw.finish(event.missing)
            for seat in self.seats:
                seat.dealt = seat.person is not None
        assert self.draw.deal is not None
        self.round = event.round
        self.paused = False
        self.board = Board(
            self.game,
            self.players,
            self.setting.options,
            self.draw.deal,
            event.round,
            event.first,
        )
        self.clock.reset()
        self._run_clock(event.at)

    def _fold_move(self, event: ev.Moved) -> None:
        assert self.board is not None
        self.board.play(event.text)
        self.takeback.end()
        self.clock_move = None
        if event.ref is not None:
            self._refs[f"{event.seat} {event.ref}"] = self.seq
            if len(self._refs) > REFS_KEPT:
                del self._refs[next(iter(self._refs))]
        self._run_clock(event.at, moved=True)

    @property
    def _thinking(self) -> int | None:
        """The seat to act, if a person thinks there."""
        seat = self.to_act
        return None if seat is None or self.seats[seat].by_bot else seat

    def _run_clock(self, now: int, *, moved: bool = False) -> None:
        self.clock.run(self._thinking, now, moved=moved)


def checked_options(game: Game, options: dict[str, Any], players: int) -> dict[str, Any]:
    """All options with a meaning here, defaults filled in; Refusal names the key that is wrong."""
    for key, value in options.items():
        try:
            game.check_options({key: value}, players)
        except FoxrowError:
            raise Refusal("bad_option", key=key) from None
    return dict(game.check_options(options, players))


def best(totals: Sequence[int], seats: Sequence[int]) -> list[int]:
    top = max((totals[seat] for seat in seats), default=0)
    return [seat for seat in seats if totals[seat] == top]
