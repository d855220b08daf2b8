"""A move that somebody would like to have back: possible while it is the last one and nothing was learned by it."""

from __future__ import annotations

from collections.abc import Sequence

from foxrow.match.board import Board
from foxrow.match.refusal import Refusal
from foxrow.match.seats import Seat, others


class Takeback:
    """The question, if there is one, and who has agreed."""

    def __init__(self) -> None:
        self.asked: int | None = None  # the seat that asks
        self.agreed: set[int] = set()

    def ask(self, seat: int) -> None:
        self.asked, self.agreed = seat, set()

    def end(self) -> None:
        self.asked, self.agreed = None, set()

    def answer(self, seat: int, yes: bool) -> None:
        if yes:
            self.agreed.add(seat)
        else:
            self.end()

    def gone(self, seat: int) -> None:
        """Somebody has left the seat."""
        if self.asked == seat:
            self.end()
        self.agreed.discard(seat)

    def settled(self, seats: Sequence[Seat], also: int | None = None) -> bool:
        """Whether all other persons who play have agreed, `also` among them."""
        if self.asked is None:
            return False
        yes = {seats[seat].person for seat in self.agreed | ({also} if also is not None else set())}
        return yes >= others(seats, seats[self.asked].person)


def check(board: Board | None, playing: bool, seat: int) -> None:
    """Refusal says why the last move cannot be this seat's to take back."""
    if board is None or not playing:
        raise Refusal("not_playing")
    if not board.moves:
        raise Refusal("takeback_none")
    if board.movers[-1] != seat:
        raise Refusal("takeback_other_acted")
    if board.card_left_pile():
        raise Refusal("takeback_card_left_pile")
