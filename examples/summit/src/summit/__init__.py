"""Summit, the card: tricks with twelve cards, the smallest game with hidden hands, to begin a game of your own from."""

from foxrow.core.contract import Game, MatchRule, Option

GAME = Game(
    key="summit",
    name="Summit",
    summary="Four tricks with four cards each; the highest card takes the trick.",
    publisher="nobody: it is an example",
    players=(2, 3),
    phases=("play", "over"),
    match=MatchRule("single"),
    package=__name__,
    options=(Option("valley", choices=(False, True), default=False, note="The lowest card takes the trick."),),
)
