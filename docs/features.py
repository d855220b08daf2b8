"""Write a page for every game: what each number of its feature vector means, and its shapes in each library.

python docs/features.py          # docs/features/<key>.md
"""

from __future__ import annotations

import importlib
from pathlib import Path

from foxrow.adapters.single import name_of, openspiel_name
from foxrow.core.contract import Game
from foxrow.core.registry import games

FOLDER = Path(__file__).parent / "features"


def page(game: Game) -> str:
    view = importlib.import_module(f"{game.package}.view")
    rules = game.rules
    options = "; ".join(f"`{o.key}`: " + ", ".join(map(repr, o.choices)) for o in game.options) or "none"
    n, moves, seats = rules.FEATURES, rules.MOVES, rules.SEATS
    shapes = (
        f"observations int8 `[n, {n}]`, masks bool `[n, {moves}]`, actors int8 `[n]`,"
        f" rewards float32 `[n, {seats}]`, done bool `[n]`, scores int32 `[n, {seats}]`"
    )
    spaces = f'`{{"observation": Box(-128, 127, ({n},), int8), "action_mask": Box(0, 1, ({moves},), int8)}}`'
    lines = [
        f"# {game.name} as numbers: `{name_of(game)}`",
        "",
        f"Features version {view.FEATURES_VERSION}. One vector of {n} small whole numbers (int8) holds all that the"
        " view of the acting seat holds, and nothing else. Its length is the same for all player counts and options;"
        " seats are counted clockwise from the seat that sees.",
        "",
        "| | |",
        "|---|---|",
        f"| players | {', '.join(map(str, game.players))} |",
        f"| options | {options} |",
        f"| phases | {', '.join(game.phases)} |",
        f"| moves | 0 … {moves - 1}; at most {rules.MAX_LEGAL} are legal at once |",
        f'| `foxrow.batch("{game.key}", n)` | {shapes} |',
        f'| `pettingzoo.env("{game.key}")` | {spaces}, `Discrete({moves})` |',
        f'| `openspiel.load("{game.key}")` | `{openspiel_name(game)}`, tensors `[{n}]`, {moves} actions |',
        "",
        "| index | field | meaning |",
        "|---|---|---|",
    ]
    at = 0
    for name, size, meaning in view.FEATURE_FIELDS:
        lines.append(f"| {at if size == 1 else f'{at} … {at + size - 1}'} | `{name}` | {meaning} |")
        at += size
    lines += ["", "This page is made by `python docs/features.py`; a test keeps it true.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for card in games().values():
        (FOLDER / f"{card.key}.md").write_text(page(card), "utf-8")
