"""An example of a bot from outside, in Python: it needs nothing but the standard library.

It plays any game: of the legal moves it takes the one that nobody would call extravagant, the shortest text, and lets
a throw of dice decide between equals. See docs/bot-protocol.md.
"""

import json
import random
import sys

dice = random.Random()

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello Thrifty", flush=True)
    elif word == "new":
        dice.seed(json.loads(rest)["seed"])  # the same seed, the same game
    elif word == "move":
        question = json.loads(rest)
        shortest = min(map(len, question["legal"]))
        choices = [move for move in question["legal"] if len(move) == shortest]
        print("#", len(question["legal"]), "moves,", question["clock"]["ms"], "ms", flush=True)  # a remark
        print("move", dice.choice(choices), flush=True)
    elif word == "quit":
        break
