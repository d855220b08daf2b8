"""An example of a bot from outside, in Python: it needs nothing but the standard library.

It plays any game without knowing its rules: of the legal moves it takes the one with the most words, which in many
games uses the most cards, and of equals the last; now and then it lets dice decide, so that nobody learns it by heart.
That is enough to beat random seats. What it could look at is in question["view"]; see docs/bot-protocol.md.
"""

import json
import random
import sys

dice = random.Random()


def choose(legal):
    if dice.random() < 0.05:
        return dice.choice(legal)
    most = max(len(move.split()) for move in legal)
    return [move for move in legal if len(move.split()) == most][-1]


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello Lavish", flush=True)
    elif word == "new":
        dice.seed(json.loads(rest)["seed"])  # the same seed, the same game
    elif word == "move":
        question = json.loads(rest)
        print("#", len(question["legal"]), "moves,", question["clock"]["ms"], "ms", flush=True)  # a remark
        print("move", choose(question["legal"]), flush=True)
    elif word == "quit":
        break
