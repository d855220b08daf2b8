"""From a log's events to what everybody may read: one case for each type, and nothing goes through by
default."""

from __future__ import annotations

from foxrow.match import events as ev
from foxrow.match.fairness import commitment
from foxrow.server import messages as ms


class Scribe:
    """Turns a table's events into entries, in order: it counts rounds and plies on the way."""

    def __init__(self) -> None:
        self.seq = 0
        self.round = 0
        self.ply = 0

    def entry(self, event: ev.AnyEvent) -> ms.AnyEntry:
        self.seq += 1
        seq, at = self.seq, event.at
        match event:
            case ev.Moved(seat=seat, text=text, by=by):
                self.ply += 1
                return ms.Moved(seq=seq, at=at, round=self.round, ply=self.ply - 1, seat=seat, text=text, by=by)
            case ev.Created(secret=secret):
                return ms.Opened(seq=seq, at=at, commit=commitment(bytes.fromhex(secret)))
            case ev.Seated(seat=seat, person=person, level=level):
                who: ms.SeatKind = "person" if person is not None else "open" if level is None else "bot"
                return ms.Seated(seq=seq, at=at, seat=seat, who=who, level=level)
            case ev.Left(seat=seat):
                return ms.Left(seq=seq, at=at, seat=seat)
            case ev.Removed(seat=seat, blocked=blocked):
                return ms.Removed(seq=seq, at=at, seat=seat, blocked=blocked)
            case ev.Committed(seat=seat, commit=commit):
                return ms.Committed(seq=seq, at=at, seat=seat, commit=commit)
            case ev.CommitsClosed(missing=missing):
                return ms.CommitsClosed(seq=seq, at=at, missing=missing)
            case ev.Revealed(seat=seat, seed=seed):
                return ms.Revealed(seq=seq, at=at, seat=seat, seed=seed)
            case ev.Dealt(round=round, first=first, missing=missing):
                self.round, self.ply = round, 0
                return ms.Dealt(seq=seq, at=at, round=round, first=first, missing=missing)
            case ev.TakebackAsked(seat=seat):
                return ms.TakebackAsked(seq=seq, at=at, seat=seat)
            case ev.TakebackAnswered(seat=seat, yes=yes):
                return ms.TakebackAnswered(seq=seq, at=at, seat=seat, yes=yes)
            case ev.TakenBack(seat=seat):
                self.ply -= 1
                return ms.TakenBack(seq=seq, at=at, round=self.round, ply=self.ply, seat=seat)
            case ev.TimeUp(seat=seat, then=then):
                return ms.TimeUp(seq=seq, at=at, seat=seat, then=then)
            case ev.RoundEnded(scores=scores, winners=winners, totals=totals):
                return ms.RoundEnded(seq=seq, at=at, round=self.round, scores=scores, winners=winners, totals=totals)
            case ev.Ended(reason=reason, winners=winners, totals=totals):
                return ms.Ended(seq=seq, at=at, reason=reason, winners=winners, totals=totals)
            case ev.RematchAnswered(seat=seat, yes=yes):
                return ms.RematchAnswered(seq=seq, at=at, seat=seat, yes=yes)
            case ev.Continued(table=table):
                return ms.Continued(seq=seq, at=at, table=table)
            case ev.ChatSwitched(on=on):
                return ms.ChatSwitched(seq=seq, at=at, on=on)
            case ev.Restarted(away=away):
                return ms.Restarted(seq=seq, at=at, away=away)
