"""Draw training curves: the share of wins against the rule of thumb (or the exploited bot) over the time of training,
or, where runs had unequal shares of a device, over the moves learned from.

python bench/curves.py runs/*.csv --out training.svg
python bench/curves.py docs/curves/exploiters/*.csv --over samples --out docs/pictures/exploiters.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import altair as alt
import vl_convert

OVER = {  # what the curves go over: column, unit, words
    "minutes": ("seconds", 60, "minutes of training"),
    "samples": ("samples", 1e9, "thousand million moves learned from"),
}


def rows(path: Path, over: str) -> list[dict[str, object]]:
    """The tests of a run: `p2_best` is the share of wins with two players, the most probable moves played."""
    found: list[dict[str, object]] = []
    column, unit, _ = OVER[over]
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            for name, value in row.items():
                if name.startswith("p") and name.endswith("_best") and value and row[column]:
                    players = int(name[1:].partition("_")[0])
                    line = f"{path.stem}, {players} players"
                    found.append({"run": line, "wins": float(value), over: float(row[column]) / unit})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--over", choices=tuple(OVER), default="minutes")
    given = parser.parse_args()
    data = [row for path in given.files for row in rows(path, given.over)]
    if not data:
        parser.error("no test was made in these runs (--check says how often)")
    chart = (
        alt.Chart(alt.Data(values=data))
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{given.over}:Q", title=OVER[given.over][2]),
            y=alt.Y("wins:Q", title="share of wins", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
            color=alt.Color(
                "run:N", title=None, legend=alt.Legend(labelLimit=400), scale=alt.Scale(scheme="tableau20")
            ),
        )
        .properties(width=460, height=260)
    )
    given.out.write_text(vl_convert.vegalite_to_svg(chart.to_dict(format="vega-lite")), "utf-8")


if __name__ == "__main__":
    main()
