"""Line-it, the card."""

from foxrow.core.contract import Game, MatchRule

GAME = Game(
    key="lineit",
    name="Line-it",
    summary="Build one rising or falling line, win jackpots on the way, and close it before it is stuck.",
    publisher="Gigamic",
    players=(2, 3, 4, 5),
    phases=("turn", "final", "over"),
    match=MatchRule("single"),
    package=__name__,
)
