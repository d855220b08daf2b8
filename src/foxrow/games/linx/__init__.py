"""LINX, the card."""

from foxrow.core.contract import Game, MatchRule, Option

GAME = Game(
    key="linx",
    name="LINX",
    summary="Rock, paper, scissors on a grid: align three tiles of yours, all face up or all face down.",
    publisher="Matagot",
    players=(2, 3, 4),
    phases=("place", "over"),
    match=MatchRule("points", default=2, low=1, high=20),
    package=__name__,
    options=(
        Option(
            "layout",
            choices=("square", "corners"),
            default="square",
            note="The unplayed colour's tiles at the start: nine in a square, or five in an X. The printed "
            "picture is lost to us, so both are our ruling.",
            players=(3,),
        ),
        Option(
            "teams",
            choices=(False, True),
            default=False,
            note="The first and third seat play against the second and fourth, each with a colour of their own.",
            players=(4,),
            partners=(True,),
        ),
    ),
)
