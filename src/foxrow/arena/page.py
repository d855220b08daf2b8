"""The balance report as one HTML page: pictures by altair as SVG, tables, nothing from the network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from foxrow.arena.balance import Tally
from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError

STYLE = """
:root { color-scheme: light dark; --ink: #1d2327; --paper: #fbfaf7; --line: #d9d4c8; --soft: #6b6f72; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece9e2; --paper: #1b1d1f; --line: #3b3f42; --soft: #a5a7a8; }
  figure { background: #fbfaf7; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } p.note { color: var(--soft); }
figure { margin: 1rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; }
svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
"""


def page(game: Game, counts: Sequence[Tally], table: Sequence[dict[str, Any]], how: str) -> str:
    """The whole page. `how` is the command that made it."""
    rows = _Rows(table)
    standard = [count for count in counts if not count.condition.options]
    most = counts[0].condition.bot if not standard else standard[-1].condition.bot  # the strongest bot comes last
    parts = [
        f"<h1>{escape(game.name)}: how it plays</h1>",
        f"<p class=note>{sum(count.games for count in counts):,} games of bots. Made by <code>{escape(how)}</code>. "
        "Intervals are 95 %. Seats count from the one that starts.</p>",
        "<h2>Does the first seat help?</h2>",
        _figure(rows.bars("seat_win_share", "seat", "share of wins", fair=True), "Share of wins by seat"),
        rows.table("seat_win_share", "{:.1%}"),
        "<h2>How long is a round?</h2>",
        _figure(_lengths(counts), "Moves in a round"),
        rows.table("game_length_moves", "{:.1f}"),
        "<h2>How does it end?</h2>",
        _figure(rows.bars("ending", "ending", "share of rounds"), "How rounds end"),
        "<h2>How far apart are the scores?</h2>",
        _figure(_scores(counts), "Scores"),
        rows.table("score_spread", "{:.1f}"),
        "<h2>How many choices does a move have?</h2>",
        _figure(rows.bars("choices_per_decision", "phase", "legal moves"), "Legal moves by phase"),
        "<h2>Which kinds of moves pay?</h2>",
        "<p>The mover's share of wins when a kind of move was made, and when it could have been made and was not. "
        "A gap is no proof: good positions offer good moves.</p>",
        _figure(_kinds(counts, most), "Kinds of moves"),
        rows.kinds(),
    ]
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{escape(game.name)}: how it plays</title><style>{STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def painter() -> Any:
    """What draws the pictures, if it is there: better asked for before the games than after them."""
    try:
        import altair
        import vl_convert  # noqa: F401  (altair's pictures as SVG)
    except ImportError:
        raise FoxrowError("reports need altair: pip install 'foxrow[study]'") from None
    return altair


def _figure(chart: Any, words: str) -> str:
    import vl_convert

    spec = chart.to_dict(format="vega-lite")
    spec["padding"] = {"left": 24, "right": 48, "top": 5, "bottom": 5}  # the reader's font may be wider
    svg: str = vl_convert.vegalite_to_svg(spec)
    return f'<figure role=img aria-label="{escape(words)}">{svg}</figure>'


def _where(count: Tally) -> dict[str, Any]:
    at = count.condition
    variant = "" if not at.options else f", {at.variant}"
    return {"players": at.players, "played by": f"{at.bot}{variant}", "bot": at.bot, "variant": at.variant}


class _Rows:
    """The table of the report, cut in several ways."""

    def __init__(self, table: Sequence[dict[str, Any]]) -> None:
        self._table = table

    def of(self, measure: str) -> list[dict[str, Any]]:
        found = []
        for row in self._table:
            if row["measure"] == measure:
                variant = "" if row["variant"] == "standard" else f", {row['variant']}"
                found.append({**row, "item": str(row["item"]), "played by": f"{row['bot']}{variant}"})
        return found

    def bars(self, measure: str, item: str, value: str, *, fair: bool = False) -> Any:
        alt = painter()
        data = [{**row, "fair": 1 / row["players"]} for row in self.of(measure)]
        base = alt.Chart(alt.Data(values=data))
        bars = base.mark_bar(size=9).encode(
            x=alt.X("item:N", title=item, axis=alt.Axis(labelAngle=-25, labelLimit=300)),
            xOffset=alt.XOffset("played by:N", sort=None),
            y=alt.Y("value:Q", title=value),
            color=alt.Color(
                "played by:N",
                sort=None,
                title="played by",
                legend=alt.Legend(orient="top", labelLimit=400, columnPadding=36),
            ),
        )
        layers = [bars]
        if any(row["low"] is not None for row in data):
            layers.append(
                base.mark_rule(color="#222").encode(
                    x="item:N", xOffset=alt.XOffset("played by:N", sort=None), y="low:Q", y2="high:Q"
                )
            )
        if fair:
            layers.append(base.mark_rule(strokeDash=[4, 3], color="#888").encode(y="fair:Q"))
        return (
            alt.layer(*layers)
            .properties(width={"step": 11, "for": "offset"}, height=160)
            .facet(column=alt.Column("players:O", title="players"))
        )

    def table(self, measure: str, form: str) -> str:
        """One line a condition, one column an item."""
        data = self.of(measure)
        items = list(dict.fromkeys(row["item"] for row in data))
        lines: dict[tuple[str, int], dict[str, str]] = {}
        for row in data:
            cell = form.format(row["value"])
            if row["low"] is not None:
                cell += f" ({form.format(row['low'])} to {form.format(row['high'])})"
            lines.setdefault((row["played by"], row["players"]), {})[row["item"]] = cell
        head = "".join(f"<th>{escape(item) or 'mean'}</th>" for item in items)
        body = "".join(
            f"<tr><td>{escape(by)}, {players} players</td>"
            + "".join(f"<td>{cells.get(item, '')}</td>" for item in items)
            + "</tr>"
            for (by, players), cells in lines.items()
        )
        return f"<div class=wide><table><tr><th></th>{head}</tr>{body}</table></div>"

    def kinds(self) -> str:
        columns = {
            "kind_per_game": ("a game", "{:.1f}"),
            "kind_made_when_possible": ("made when possible", "{:.0%}"),
            "kind_win_share_when_made": ("wins when made", "{:.1%}"),
            "kind_win_share_when_passed_by": ("wins when not", "{:.1%}"),
        }
        lines: dict[tuple[str, int, str], dict[str, str]] = {}
        for measure, (_, form) in columns.items():
            for row in self.of(measure):
                cells = lines.setdefault((row["played by"], row["players"], row["item"]), {})
                cells[measure] = form.format(row["value"])
        head = "".join(f"<th>{name}</th>" for name, _ in columns.values())
        body = "".join(
            f"<tr><td>{escape(by)}, {players} players: {escape(kind)}</td>"
            + "".join(f"<td>{cells.get(measure, '–')}</td>" for measure in columns)
            + "</tr>"
            for (by, players, kind), cells in sorted(lines.items())
        )
        table = f"<table><tr><th></th>{head}</tr>{body}</table>"
        return f"<details><summary>All numbers</summary><div class=wide>{table}</div></details>"


def _lengths(counts: Sequence[Tally]) -> Any:
    alt = painter()
    data = [{**_where(count), "moves": moves} for count in counts for moves in count.lengths]
    return (
        alt.Chart(alt.Data(values=data))
        .mark_boxplot(extent="min-max")
        .encode(
            x=alt.X("moves:Q", title="moves in a round"),
            y=alt.Y("played by:N", sort=None, title=None),
            color=alt.Color("played by:N", sort=None, legend=None),
        )
        .properties(width=520, height={"step": 18})
        .facet(row=alt.Row("players:O", title="players"))
    )


def _scores(counts: Sequence[Tally]) -> Any:
    alt = painter()
    data = [{**_where(count), "score": score} for count in counts for scores in count.scores for score in scores]
    return (
        alt.Chart(alt.Data(values=data))
        .mark_boxplot(extent="min-max")
        .encode(
            x=alt.X("score:Q", title="score of a seat"),
            y=alt.Y("played by:N", sort=None, title=None),
            color=alt.Color("played by:N", sort=None, legend=None),
        )
        .properties(width=520, height={"step": 18})
        .facet(row=alt.Row("players:O", title="players"))
    )


def _kinds(counts: Sequence[Tally], bot: str) -> Any:
    alt = painter()
    data = []
    for count in counts:
        if count.condition.bot != bot or count.condition.options:
            continue
        for name, kind in sorted(count.kinds.items()):
            for words, parts in (("made", kind.made), ("not made", kind.passed_by)):
                if parts:
                    data.append({**_where(count), "kind": name, "when": words, "wins": sum(parts) / len(parts)})
    return (
        alt.Chart(alt.Data(values=data))
        .mark_point(filled=True, size=70)
        .encode(
            x=alt.X("wins:Q", title="share of wins", scale=alt.Scale(zero=False)),
            y=alt.Y("kind:N", title=None, axis=alt.Axis(labelLimit=300)),
            color=alt.Color("when:N", title=None),
            shape=alt.Shape("when:N", title=None),
        )
        .properties(width=170, title=f"by {bot}")
        .facet(column=alt.Column("players:O", title="players"))
    )
