"""Records from outside and the way through finished games: what the referee refuses is refused, and a match of any
length can be looked at."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import time
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import foxrow
from foxrow.bots import Analyst
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes
from foxrow.match import fairness
from foxrow.match.record import Match, parse
from foxrow.match.referee import Referee
from foxrow.server import analysis, brains
from foxrow.server import replay as replay_module
from foxrow.server.settings import Limits
from tests.server.visitor import WIDE, Browser, running, settings

SEED = "5e" * 32
COMMIT = fairness.commitment(bytes.fromhex(SEED))
PROOF = {
    "version": "foxrow-seed/1",
    "server": {"commit": COMMIT, "seed": SEED},
    "seats": [{"commit": COMMIT, "seed": SEED}, None],
}


def of_many_rounds() -> Game:
    """The game whose matches can be longest."""
    return max(games().values(), key=lambda game: game.match.high)


def match_of(game: Game, length: int, most: int = 0, names: tuple[str, ...] = ("Ann", "Ben")) -> dict[str, Any]:
    """A match with this setting, played at random to its end or until it has so many moves."""
    chance = random.Random(7)
    match = Match(
        game,
        names,
        game.check_options({}, len(names)),
        {} if game.match.setting is None else {game.match.setting: length},
        SEED,
    )
    made = 0
    while not match.over and (not most or made < most):
        position = match.next_round()
        while not position.over:
            position.play(chance.choice(position.legal()))
            made += 1
    return match.record()


def changed(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(record)), **changes}


def wrong_ones(good: dict[str, Any]) -> dict[str, dict[str, Any]]:
    first, second = good["rounds"][0], good["rounds"][1]
    cut = {**first, "moves": first["moves"][:-1]}
    return {
        "a round that is not over": changed(good, rounds=[cut, second]),
        "the wrong starter": changed(good, rounds=[first, {**second, "first": first["first"]}]),
        "a round after the end": changed(good, rounds=[*good["rounds"], first]),
        "a move that is not legal": changed(good, rounds=[{**first, "moves": [*first["moves"], first["moves"][0]]}]),
        "fair: a number": changed(good, fair=7),
        "fair: a long text": changed(good, fair="x" * 500_000),
        "fair: a long list": changed(good, fair={**PROOF, "seats": [None] * 10_000}),
        "fair: another key": changed(good, fair={**PROOF, "more": "x" * 1000}),
        "fair: a seed that is none": changed(good, fair={**PROOF, "server": {"commit": COMMIT, "seed": "x" * 64}}),
        "fair: a commitment that is none": changed(good, fair={**PROOF, "server": {"commit": [], "seed": SEED}}),
        "a long name": changed(good, players=["A" * 100_000, "Ben"]),
    }


def test_import_refuses_what_the_referee_refuses(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            good = match_of(of_many_rounds(), 1)
            assert "error" not in Referee().judge(good)
            for fair in (None, PROOF):
                for path, status in (("records", 201), ("replay", 200)):
                    answer = await ann.call("POST", f"/api/{path}", {"record": changed(good, fair=fair)})
                    assert answer.status == status, answer.raw
            for what, bad in wrong_ones(good).items():
                assert "error" in Referee().judge(bad), what
                for path in ("records", "replay"):
                    answer = await ann.call("POST", f"/api/{path}", {"record": bad})
                    assert answer.json["error"]["code"] == "bad_record", (what, path)
                    assert answer.json["error"]["data"]["place"], (what, path)
                    assert len(answer.raw) < 400
            twice = b'{"record": {"format": "foxrow-match/1", "format": "foxrow-match/1"}}'
            assert (await ann.call("POST", "/api/records", raw=twice)).json["error"]["code"] == "malformed"
            for half in (
                {"record": changed(good, players=["A\ud800", "Ben"])},
                {"record": changed(good, fair={**PROOF, "version": "\udfff"})},
                {"record": good, "ref": "\ud800" * 16},
                {"record": good, "\udc80": 1},
            ):
                for path in ("records", "replay"):
                    answer = await ann.call("POST", f"/api/{path}", half)
                    assert (answer.status, answer.json["error"]["code"]) == (400, "malformed"), answer.raw
            wish = {"game": good["game"], "seats": [{"kind": "me"}, {"kind": "open"}], "ref": "\ud800" * 16}
            assert (await ann.call("POST", "/api/tables", wish)).json["error"]["code"] == "malformed"
            # The referee has an answer for a match that has not begun, but there is nothing to keep or to look at.
            for path in ("records", "replay"):
                answer = await ann.call("POST", f"/api/{path}", {"record": changed(good, rounds=[])})
                assert answer.json["error"] == {"code": "bad_record", "data": {"place": "rounds"}}
            (person,) = site.lounge.people._names
            assert site.store.records_of(person)[0] == 2

    asyncio.run(story())


def test_records_are_taken_apart_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken apart, a record is many times what it is as text: whoever waits has the text alone."""
    parsed = answered = most = 0

    def counted(raw: bytes) -> object:
        nonlocal parsed, most
        parsed += 1
        most = max(most, parsed - answered)
        return parse(raw)

    async def asked(browser: Browser, path: str, record: dict[str, Any]) -> int:
        nonlocal answered
        answer = await browser.call("POST", f"/api/{path}", {"record": record})
        answered += 1
        return answer.status

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            monkeypatch.setattr("foxrow.server.visit.parse", counted)
            good = match_of(of_many_rounds(), 1)
            bad = changed(good, players=["A" * 1000, "Ben"])
            browsers = [Browser(site, f"10.0.0.{n}") for n in range(12)]
            kinds = [("replay", good), ("records", good), ("replay/views", bad), ("records", bad)]
            calls = [asked(browser, *kinds[n % 4]) for n, browser in enumerate(browsers)]
            assert sorted(await asyncio.gather(*calls)) == [200] * 3 + [201] * 3 + [422] * 6
            assert (parsed, most) == (12, 2)

    asyncio.run(story())


def test_who_may_not_send_a_record_is_told_before_it_is_read(tmp_path: Path) -> None:
    async def story() -> None:
        few = {"replays": 1e-3, "replays_burst": 1, "new_tables": 1e-3, "new_tables_burst": 1}
        async with running(settings(tmp_path, limited(**few))) as site:
            ann = Browser(site)
            for path in ("replay", "records"):
                codes = [(await ann.call("POST", f"/api/{path}", raw=b"{")).json["error"]["code"] for _ in range(2)]
                assert codes == ["malformed", "too_many"]

    asyncio.run(story())


def test_what_one_person_may_keep_is_bounded(tmp_path: Path) -> None:
    async def story() -> None:
        record = match_of(of_many_rounds(), 1)
        size = len(json.dumps(record))
        for folder, few in (("size", {"records_size": 2 * size}), ("count", {"records_of_person": 2})):
            async with running(settings(tmp_path / folder, limited(**few))) as site:
                ann = Browser(site)
                for status in (201, 201, 429):
                    assert (await ann.call("POST", "/api/records", {"record": record})).status == status

    asyncio.run(story())


def limited(**few: Any) -> Limits:
    return Limits(**{**{name: getattr(WIDE, name) for name in WIDE.__dataclass_fields__}, **few})


def test_what_is_kept_is_what_was_understood(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            match = match_of(of_many_rounds(), 1)
            single = games()[match["game"]].new(players=2, seed=5)
            single.play(single.legal()[0])
            for good in (match, json.loads(json.dumps(single.record()))):
                text = json.dumps(good)
                parts = good.get("rounds", [good])
                for part in parts:
                    part["moves"] = [move.rjust(200).upper() for move in part["moves"]]
                kept = await ann.call("POST", "/api/records", {"record": good})
                assert kept.status == 201, kept.raw
                out = await ann.call("GET", f"/api/tables/{kept.json['id']}/record")
                assert out.json == json.loads(text)
                shown = await ann.call("POST", "/api/replay", {"record": good})
                assert shown.json["match"] == json.loads(text)
                parts[0]["moves"][0] += " "
                refused = await ann.call("POST", "/api/records", {"record": good})
                assert refused.json["error"]["data"]["place"] == "rounds[0].moves[0]"

    asyncio.run(story())


def test_who_is_somebody_new_each_time_fills_no_disk(tmp_path: Path) -> None:
    """Bytes are counted for an address, and for all together."""

    async def story() -> None:
        record = match_of(of_many_rounds(), 1)
        size = len(json.dumps(record, separators=(",", ":")))
        room = int(2.5 * size)

        async def keep(site: Any, address: str) -> tuple[Any, Browser]:
            browser = Browser(site, address)
            answer = await browser.call("POST", "/api/records", {"record": record})
            return (answer.status, answer.json.get("error")), browser

        few = limited(record_bytes=1.0, record_bytes_burst=room)
        async with running(settings(tmp_path / "address", few)) as site:
            told = [(await keep(site, "10.0.0.1"))[0] for _ in range(3)]
            assert [status for status, _ in told] == [201, 201, 429]
            assert told[2][1]["code"] == "too_many"
            assert (size / 2 - 60) * 1000 < told[2][1]["data"]["wait"] <= (size / 2 + 1) * 1000
            assert (await keep(site, "10.0.0.2"))[0] == (201, None)
            assert site.store.records_size() == 3 * size
        full = (507, {"code": "no_space", "data": {"most": room}})
        few = limited(records_in_all=room)
        async with running(settings(tmp_path / "all", few)) as site:
            kept = [await keep(site, f"10.0.0.{n}") for n in range(3)]
            assert [told for told, _ in kept] == [(201, None), (201, None), full]
            await kept[0][1].call("DELETE", "/api/me")
            assert [(await keep(site, f"10.0.1.{n}"))[0] for n in range(2)] == [(201, None), full]
        async with running(settings(tmp_path / "all", few)) as site:
            assert (await keep(site, "10.0.0.1"))[0] == full

    asyncio.run(story())


async def all_views(
    browser: Browser, path: str, replay: dict[str, Any], eyes: str, body: Any = None
) -> list[list[Any]]:
    """Every view of a replay, page by page, as a client asks for them."""
    found = []
    method = "GET" if body is None else "POST"
    for number, part in enumerate(replay["rounds"]):
        views = list(part["views"])
        assert views
        while len(views) <= len(part["moves"]):
            page = await browser.call(method, f"{path}/views?{eyes}&round={number}&from={len(views)}", body)
            assert page.status == 200, page.raw
            assert (page.json["round"], page.json["from"]) == (number, len(views))
            views += page.json["views"]
        assert len(views) == len(part["moves"]) + 1
        assert part["scores"] == [view["scores"] for view in views]
        assert part["seats"] == [view["to_act"] for view in views[:-1]]
        found.append(views)
    return found


@pytest.mark.parametrize("eyes", ["open=1", "seat=1", "seat=none"])
def test_pages_of_a_replay_are_the_whole_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, eyes: str) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            record = match_of(of_many_rounds(), 1)
            kept = (await ann.call("POST", "/api/records", {"record": record})).json["id"]
            path = f"/api/tables/{kept}/replay"
            whole = (await ann.call("GET", f"{path}?{eyes}")).json
            views = [part["views"] for part in whole["rounds"]]
            assert await all_views(ann, path, whole, eyes) == views  # no page is needed
            monkeypatch.setattr(replay_module, "FIRST_PAGE", 9)
            monkeypatch.setattr(replay_module, "PAGE", 7)
            short = (await ann.call("GET", f"{path}?{eyes}")).json
            assert sum(len(part["views"]) for part in short["rounds"]) == 9 + len(short["rounds"]) - 1
            assert await all_views(ann, path, short, eyes) == views
            assert await all_views(ann, "/api/replay", short, eyes, {"record": record}) == views
            for wrong in ("round=99", "round=0&from=99999"):
                answer = await ann.call("GET", f"{path}/views?{eyes}&{wrong}")
                assert answer.json["error"]["code"] == "bad_page"
            for wrong in ("round=-1", "from=x", "from=1e3", "round=0000000000"):
                answer = await ann.call("GET", f"{path}/views?{eyes}&{wrong}")
                assert answer.json["error"]["code"] == "malformed"

    asyncio.run(story())


def test_a_replay_says_who_has_won_and_nothing_while_it_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            for game in games().values():
                names = tuple("ABCDEFGH"[: game.players[-1]])
                whole = match_of(game, max(game.match.low, 1), names=names)
                assert foxrow.load(whole).winners()
                for record in (whole, changed(whole, rounds=[{**whole["rounds"][0], "moves": []}])):
                    kept = (await ann.call("POST", "/api/records", {"record": record})).json["id"]
                    replay = (await ann.call("GET", f"/api/tables/{kept}/replay?open=1")).json
                    assert replay["winners"] == foxrow.load(record).winners()

    asyncio.run(story())


def test_a_match_of_many_thousand_moves_is_kept_and_replayed(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            game = of_many_rounds()
            record = match_of(game, game.match.high, 6_500, tuple("ABCDEFGH"[: game.players[-1]]))
            moves = sum(len(part["moves"]) for part in record["rounds"])
            assert moves > 6000
            made = await ann.call("POST", "/api/records", {"record": record})
            assert made.status == 201, made.raw
            path = f"/api/tables/{made.json['id']}/replay"
            answer = await ann.call("GET", f"{path}?open=1", headers={"accept-encoding": "gzip"})
            replay = json.loads(gzip.decompress(answer.raw))
            assert sum(len(part["moves"]) for part in replay["rounds"]) == moves
            assert sum(len(part["views"]) for part in replay["rounds"]) <= 1000 + len(replay["rounds"])
            last = len(replay["rounds"]) - 1
            page = (await ann.call("GET", f"{path}/views?open=1&round={last}&from=1")).json
            assert [view["scores"] for view in page["views"]] == replay["rounds"][last]["scores"][1:201]

    asyncio.run(story())


def test_a_finished_match_is_analysed_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision has its verdict, asked for once; nothing is told of a match that goes on."""

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            game = of_many_rounds()
            record = match_of(game, 1)
            kept = (await ann.call("POST", "/api/records", {"record": record})).json["id"]
            path = f"/api/tables/{kept}/analysis"
            part = record["rounds"][0]
            asked: list[str] = []
            judge, judge_instead = brains.judge, brains.judge_instead

            counts: set[Stakes | None] = set()

            def counted(key: str, packed: bytes, options: Any, stakes: Stakes | None, made: str) -> Any:
                asked.append(made)
                counts.add(stakes)
                return judge(key, packed, options, stakes, made)

            def other_counted(
                key: str, packed: bytes, options: Any, stakes: Stakes | None, made: str, move: str
            ) -> Any:
                asked.append(move)
                counts.add(stakes)
                return judge_instead(key, packed, options, stakes, made, move)

            monkeypatch.setattr(brains, "judge", counted)
            monkeypatch.setattr(brains, "judge_instead", other_counted)
            monkeypatch.setattr(brains, "Analyst", partial(Analyst, rollouts=24))
            monkeypatch.setattr(analysis, "MOST", 7)
            verdicts: list[Any] = []
            while len(verdicts) < len(part["moves"]):
                page = await ann.call("GET", f"{path}?round=0&from={len(verdicts)}")
                assert page.status == 200, page.raw
                assert (page.json["round"], page.json["from"]) == (0, len(verdicts))
                assert {verdict["wins"] for verdict in page.json["verdicts"] if verdict} <= {"match"}
                assert 0 < len(page.json["verdicts"]) <= 7
                verdicts += page.json["verdicts"]
            end = await ann.call("GET", f"{path}?round=0&from={len(verdicts)}")
            assert end.json["verdicts"] == []
            replay = (await ann.call("GET", f"/api/tables/{kept}/replay?seat=none")).json["rounds"][0]
            assert len(verdicts) == len(replay["moves"])
            assert len(asked) == sum(verdict is not None for verdict in verdicts)
            for verdict in filter(None, verdicts):
                assert 0 <= verdict["made"] <= verdict["chance"] <= 1
                assert verdict["tried"][0]["move"] == verdict["best"]
            before = len(asked)
            again = await ann.call("GET", f"{path}?round=0&from=0")
            assert again.json["verdicts"] == verdicts[: len(again.json["verdicts"])]
            assert len(asked) == before  # they were kept

            # What another move would have been worth there: of every legal one, kept likewise, and of nothing else.
            at = next(i for i, verdict in enumerate(verdicts) if verdict)
            seen = f"/api/tables/{kept}/replay/views?seat={replay['seats'][at]}&round=0&from={at}"
            view = (await ann.call("GET", seen)).json["views"][0]
            assert len(view["legal"]) > 1
            few = view["legal"][:3]
            for move in few:
                for _ in range(2):
                    other = (await ann.call("GET", f"{path}?round=0&from={at}&move={quote(move)}")).json
                    assert (other["round"], other["from"], len(other["verdicts"])) == (0, at, 1)
                    told = other["verdicts"][0]
                    assert 0 <= told["made"] <= told["chance"] <= 1
                    assert (told["best"], told["chance"]) == (verdicts[at]["best"], verdicts[at]["chance"])
                    assert {"move": move, "chance": told["made"]} in told["tried"]
            assert asked[before:] == few
            assert counts == {Stakes((0, 0), len(record["rounds"]) - 1)}
            second = await ann.call("GET", f"{path}?round=1")
            assert second.json["verdicts"]
            ended = tuple(replay["scores"][-1])
            assert counts == {Stakes((0, 0), len(record["rounds"]) - 1), Stakes(ended, len(record["rounds"]) - 2)}
            single = {"format": "foxrow/1", "game": game.key, "players": record["players"], "moves": part["moves"]}
            alone = {**single, "first": part["first"], "deal": {"seed": record["seed"], "round": 0}}
            other_kept = (await ann.call("POST", "/api/records", {"record": alone})).json["id"]
            page = await ann.call("GET", f"/api/tables/{other_kept}/analysis")
            told = {verdict["wins"] for verdict in page.json["verdicts"] if verdict}
            assert told == {"round"} and None in counts
            for wrong, code in (
                (f"from={at}&move=nonsense", "parse"),
                (f"from={at}&move=", "parse"),
                (f"from={len(verdicts)}&move={quote(view['legal'][0])}", "bad_page"),
            ):
                assert (await ann.call("GET", f"{path}?{wrong}")).json["error"]["code"] == code
            for wrong, code in (("round=99", "bad_page"), ("from=99999", "bad_page"), ("from=x", "malformed")):
                assert (await ann.call("GET", f"{path}?{wrong}")).json["error"]["code"] == code
            table = await ann.call(
                "POST", "/api/tables", {"game": game.key, "seats": [{"kind": "me"}, {"kind": "open"}]}
            )
            going_on = game.new(players=2, seed=1)
            kept = (await ann.call("POST", "/api/records", {"record": going_on.record()})).json["id"]
            last = f"/api/tables/{kept}/analysis?round=0&from=0&move={quote(going_on.legal()[0])}"
            at_the_end = await ann.call("GET", last)
            assert (at_the_end.status, at_the_end.json["error"]["code"]) == (422, "bad_page")
            running_one = await ann.call("GET", f"/api/tables/{table.json['id']}/analysis")
            assert running_one.json["error"]["code"] in ("not_over", "never_dealt")

    asyncio.run(story())


def test_an_analysis_waits_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the search is being compiled, or others wait too long, whoever asks is told to come again, but not where
    judging fails; and an address may ask for two pages at once."""

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            game = of_many_rounds()
            kept = (await ann.call("POST", "/api/records", {"record": match_of(game, 1)})).json["id"]
            path = f"/api/tables/{kept}/analysis?round=0&from=0"
            site.lounge.bots._cold.add(game.key)
            assert (await ann.call("GET", path)).status == 503
            site.lounge.bots._cold.clear()

            def broken(*_: Any) -> None:
                raise ValueError("no analyst")

            monkeypatch.setattr(brains, "judge", broken)
            assert (await ann.call("GET", path)).json["error"]["code"] == "failed"
            monkeypatch.setattr(brains, "judge", lambda *_: time.sleep(0.3))
            monkeypatch.setattr(analysis, "LONG", 0.0)
            pages = await asyncio.gather(*(ann.call("GET", path) for _ in range(3)))
            assert sorted(page.status for page in pages) == [200, 200, 429]
            monkeypatch.setattr(analysis, "PATIENCE", 0.05)
            site.lounge.analyses._kept.clear()
            assert (await ann.call("GET", path)).json["error"]["code"] == "busy"

    asyncio.run(story())
