"""What people ask of a table, and what it comes to: events, writes, and what is done when they are on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from foxrow.match import events as ev
from foxrow.match.refusal import Refusal
from foxrow.match.seats import partners
from foxrow.match.table import Table
from foxrow.server import brains
from foxrow.server import messages as ms
from foxrow.server.audience import Audience
from foxrow.server.names import clean_name
from foxrow.store.interface import AddSaid, PutMute, PutSeat, Said, Write

if TYPE_CHECKING:
    from foxrow.server.lounge import Lounge

PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "oops", "wow", "your_turn", "one_moment", "sorry",
    "good_game",
    "rematch", "goodbye",
)  # fmt: skip
ANSWERED_KEPT = 128  # requests whose repetition is recognised, besides those that the log knows

# What could go on for ever without the game going on: a table's log has an end.
ENDLESS = (ms.Takeback, ms.SetChat)
RESERVE = 100  # events beyond it, with which the host may fill the seats that nobody can take any more
JOINERS = "\u200c\u200d"  # no letters of their own: they shape words of some languages, and families of emoji


def readable(text: str) -> str:
    """One line of it, without letters that nobody sees: some of them turn others round."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace() or c in JOINERS).split())


class Asked(NamedTuple):
    events: Sequence[ev.AnyEvent] = ()
    writes: Sequence[Write] = ()  # besides the events
    after: Callable[[], None] = lambda: None  # when all that is on disk


class Requests:
    """`ready` is called when somebody is ready for the next round."""

    def __init__(self, lounge: Lounge, table: Table, audience: Audience, ready: Callable[[], None]) -> None:
        self._lounge = lounge
        self._table = table
        self._audience = audience
        self._ready = ready
        self._answered: dict[str, None] = {}  # the last requests that went well, as `mark` has them

    # ---- repetitions -------------------------------------------------------------------------------------

    def mark(self, person: str | None, request: ms.AnyRequest | ms.JoinTable) -> str | None:
        """What a repeated request is recognised by, also after a restart. Of one seat and one kind: people on one
        device may number their requests alike. A move is recognised by the table itself, by its seat and its ref."""
        if request.ref is None or person is None or isinstance(request, ms.Move):
            return None
        text = f"{person} {type(request).__name__} {getattr(request, 'seat', None)} {request.ref}"
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    def answered(self, mark: str | None) -> bool:
        return mark is not None and (mark in self._answered or mark in self._table.requests)

    def remember(self, mark: str | None) -> None:
        """One that has left no event to remember it."""
        if mark is not None:
            self._answered[mark] = None
            if len(self._answered) > ANSWERED_KEPT:
                del self._answered[next(iter(self._answered))]

    # ---- what they come to -------------------------------------------------------------------------------

    def hear(self, person: str | None, request: ms.AnyRequest, mark: str | None, now: int) -> Asked:
        table = self._table
        no_again = isinstance(request, ms.Rematch) and not request.yes
        if no_again or isinstance(request, ENDLESS):
            self._lengthens()
        match request:
            case ms.Move():
                return Asked(
                    table.move(person, request.seat, request.round, request.ply, request.text, request.ref, now)
                )
            case ms.Takeback(seat=seat):
                return Asked(table.ask_takeback(person, seat, now))
            case ms.TakebackAnswer(seat=seat, yes=yes):
                return Asked(table.answer_takeback(person, seat, yes, now))
            case ms.Ready(seat=seat):
                self._own(person, seat)
                if table.status != "pause":
                    raise Refusal("not_playing")
                return Asked(after=lambda: self._readied(person))
            case ms.Rematch(seat=seat, yes=yes):
                answered = table.answer_rematch(person, seat, yes, now)
                if yes and person is not None:
                    self._lounge.check_new_table([person])
                return Asked(answered)
            case ms.Sit(seat=seat, name=name):
                return self.sit(person, seat, name, now)
            case ms.Leave(seat=seat):
                return self.leave(person, seat, now)
            case ms.SetSeat(seat=seat, who=who, level=level):
                self._lengthens(RESERVE)
                if who == "bot":
                    self._lounge.check_level(table.game, level)
                return Asked(table.set_seat(person, seat, level if who == "bot" else None, now))
            case ms.Remove(seat=seat, block=block, seated=seated):
                return self._vacated(table.remove(person, seat, block, brains.stand_in(), now, seated=seated))
            case ms.Say(seat=seat, phrase=phrase):
                if phrase not in PHRASES:
                    raise Refusal("unknown_phrase")
                return self._say(person, seat, phrase, None, mark, now)
            case ms.Chat(seat=seat, text=text):
                self._own(person, seat)
                if not table.chat:
                    raise Refusal("no_chat")
                line = readable(text)
                if not line.strip(JOINERS):
                    raise Refusal("malformed", place="text")
                return self._say(person, seat, None, line, mark, now)
            case ms.Mute(seat=seat, on=on):
                other = table.seats[seat].person if 0 <= seat < table.players else None
                if person is None or other is None or other == person:
                    raise Refusal("not_allowed", seat=seat)
                return Asked(writes=[PutMute(person, other, on)], after=lambda: self._lounge.mute(person, other, on))
            case ms.SetChat(on=on):
                return Asked(table.switch_chat(person, on, now))
            case ms.Commit(seat=seat, commit=commit):
                return Asked(table.commit(person, seat, commit, now))
            case ms.Reveal(seat=seat, seed=seed):
                return Asked(table.reveal(person, seat, bytes.fromhex(seed), now))
            case ms.Hello() | ms.Ping():
                raise Refusal("already")

    def sit(self, person: str | None, seat: int | None, name: str | None, now: int) -> Asked:
        if person is None or not self._lounge.people.known(person):
            raise Refusal("no_person")
        self._lengthens()
        if self._table.sat[person] >= self._lounge.settings.limits.sits:
            raise Refusal("too_many", most=self._lounge.settings.limits.sits)
        label = None if name is None else clean_name(name)
        self._lounge.check_tables_of(person, self._table.id)
        events = self._table.sit(person, seat, now)
        taken = next(event.seat for event in events if isinstance(event, ev.Seated))
        # Before the update that shows it; if it does not come to that, nobody sees the name of an empty seat.
        self._audience.names[taken] = label or self._lounge.people.name_of(person)
        return Asked(events, [PutSeat(self._table.id, taken, person, label)])

    def leave(self, person: str | None, seat: int, now: int) -> Asked:
        return self._vacated(self._table.leave(person, seat, brains.stand_in(), now))

    def _lengthens(self, reserve: int = 0) -> None:
        """The table's log, for nothing that brings the game on."""
        most = self._lounge.settings.limits.events
        if self._table.seq >= most + reserve:
            raise Refusal("too_many", most=most)

    def _vacated(self, events: Sequence[ev.AnyEvent]) -> Asked:
        gone = [event.seat for event in events if isinstance(event, ev.Left | ev.Removed)]
        return Asked(events, [PutSeat(self._table.id, seat, None) for seat in gone])

    def _own(self, person: str | None, seat: int) -> None:
        if person is None or not 0 <= seat < self._table.players or self._table.seats[seat].person != person:
            raise Refusal("not_your_seat", seat=seat)

    def _readied(self, person: str | None) -> None:
        self._audience.readied(self._table.seats_of(person))
        self._ready()

    def _say(
        self, person: str | None, seat: int, phrase: str | None, text: str | None, mark: str | None, now: int
    ) -> Asked:
        self._own(person, seat)
        assert person is not None
        if self._table.status == "playing" and partners(self._table.game, self._table.setting.options):
            raise Refusal("no_talk")  # even a "wow" would tell a partner something
        wait = self._lounge.says.take(person)
        if wait:
            raise Refusal("too_many", wait=int(wait * 1000))
        said = ms.Said(at=now, seat=seat, name=self._audience.names[seat], phrase=phrase, text=text)
        write = AddSaid(self._table.id, Said(now, seat, person, phrase, text, mark))
        return Asked(writes=[write], after=lambda: self._audience.say(person, said))
