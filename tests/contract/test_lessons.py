"""The lessons of every game: whatever of the right moves is made, the rest can be done, and all of it has words."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from foxrow.bots import Analyst, Verdict
from foxrow.core.contract import Game
from foxrow.core.errors import MoveError
from foxrow.core.lessons import Lesson, NotAsked, lessons
from foxrow.core.registry import games

GAMES = [game for game in games().values() if lessons(game)]
LESSONS = [lesson for game in GAMES for lesson in lessons(game)]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game.key}-{lesson.id}")


def paths(lesson: Lesson, done: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All ways through a lesson, and all their beginnings."""
    yield done
    for move in lesson.accepted(lesson.play(done), len(done)):
        yield from paths(lesson, (*done, move))


def test_there_are_lessons() -> None:
    assert GAMES


@each_lesson
def test_every_way_through_a_lesson_can_be_gone(lesson: Lesson) -> None:
    whole = 0
    for done in paths(lesson):
        position = lesson.play(done)
        if len(done) == len(lesson.steps):
            whole += 1
            continue
        assert position.to_act == lesson.seat, done
        right = lesson.accepted(position, len(done))
        assert right, done
        others = set(position.legal()) - set(right)
        # A choice is one in which something can be wrong; a first move anywhere, or the only one, is none.
        assert others or len(position.legal()) == 1 or not position.moves, done
        for move in others:
            with pytest.raises(NotAsked):
                lesson.play((*done, move))
        with pytest.raises(MoveError):
            lesson.play((*done, "no such move"))
    assert whole


@each_lesson
def test_what_follows_is_done_by_the_others(lesson: Lesson) -> None:
    for done in paths(lesson):
        if not done:
            continue
        after, before = lesson.play(done), lesson.play(done[:-1])
        for ply in range(len(before.moves) + 1, len(after.moves)):
            assert after.at(ply).to_act != lesson.seat


@each_lesson
def test_every_right_move_is_one_that_can_be_made(lesson: Lesson) -> None:
    """No step accepts what no way through the lesson ever allows."""
    seen: dict[int, set[str]] = {}
    for done in paths(lesson):
        for number, move in enumerate(done):
            seen.setdefault(number, set()).add(move)
    assert [seen[number] for number in range(len(lesson.steps))] == [set(step.accepts) for step in lesson.steps]


@each_lesson
def test_nothing_that_wins_at_once_is_refused(lesson: Lesson) -> None:
    for done in paths(lesson):
        if len(done) == len(lesson.steps):
            continue
        position = lesson.play(done)
        for move in set(position.legal()) - set(lesson.accepted(position, len(done))):
            after = position.copy().play(move)
            assert not (after.over and lesson.seat in (after.winners() or ())), (done, move)


@each_lesson
def test_what_is_asked_for_is_good_play(lesson: Lesson) -> None:
    """No right move is a mistake by the engine's word; or what the lesson asks for next makes up for it."""
    game = lesson.game
    analyst = Analyst(game, rollouts=800)

    def judged(done: tuple[str, ...], move: str) -> Verdict | None:
        view = lesson.play(done).masked(lesson.seat)
        return analyst.judge(view, game.rules.parse(view, move), {})

    for done in paths(lesson):
        if not done or (found := judged(done[:-1], done[-1])) is None or found.mark not in ("?", "??"):
            continue
        then = lesson.accepted(lesson.play(done), len(done))
        assert then, done
        later = judged(done, then[0])
        assert later is None or later.made >= found.chance - 0.05, done


@each_game
def test_every_lesson_has_its_words_in_every_language(game: Game) -> None:
    pages = sorted((game.folder / "web" / "messages").glob("*.json"))
    assert pages
    wanted = {
        f"lesson_{lesson.id}{part}"
        for lesson in lessons(game)
        for part in ("", "_why", *(f"_{n + 1}" for n in range(len(lesson.steps))), "_done")
    }
    for page in pages:
        words = {key for key in json.loads(page.read_text("utf-8")) if key.startswith("lesson_")}
        assert words == wanted, page.name


@each_game
def test_names_of_lessons_are_names(game: Game) -> None:
    """The browser keeps them in a list with commas."""
    names = [lesson.id for lesson in lessons(game)]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and name.isascii() for name in names)
