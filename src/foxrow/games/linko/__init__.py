"""Linko, the card."""

from foxrow.core.contract import Game, MatchRule, Option

GAME = Game(
    key="linko",
    name="Linko",
    summary="Lay rows of equal cards, snatch the rows you beat, be rid of your hand first.",
    publisher="Ravensburger",
    players=(2, 3, 4, 5),
    phases=("lay", "attacker", "victim", "draw", "over"),
    match=MatchRule("cycles", default=1, low=0, high=20),
    package=__name__,
    options=(
        Option(
            "optional_snatch",
            choices=(False, True),
            default=False,
            note="Whoever hits a row may also ignore it, and nothing happens to it.",
        ),
    ),
)
