"""Connect Four, the card: the proof that a fourth game needs no change in Foxrow."""

from foxrow.core.contract import Game, MatchRule

GAME = Game(
    key="connect_four",
    name="Connect Four",
    summary="Drop discs into columns; four in a line win.",
    publisher="Hasbro",
    players=(2,),
    phases=("drop", "over"),
    match=MatchRule("single"),
    package=__name__,
)
