"""The file of a run: a line for the plan, then a line a game, only ever added to. A kill costs the last at most."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from json import JSONDecodeError
from pathlib import Path
from typing import Any, BinaryIO

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result
from foxrow.core.errors import FoxrowError

FORMAT = "foxrow-arena/1"


class ResultsError(FoxrowError):
    """A results file that cannot be used for this run."""


def written(document: dict[str, Any]) -> bytes:
    """A line of the file."""
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def default_path(plan: Plan) -> Path:
    """Where a run is kept unless a file is named: the user's state folder, as each system names it."""
    if chosen := os.environ.get("FOXROW_STATE"):
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "foxrow"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support" / "foxrow"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "foxrow"
    return base / "arena" / f"{plan.key}.jsonl"


class Results:
    """The games of a run so far, and the file that keeps them."""

    found = 0  # games that were there already

    def __init__(self, plan: Plan, path: Path | None, *, fresh: bool = False) -> None:
        self.plan = plan
        self.path = path
        self._games: dict[tuple[int, int], Result] = {}
        self._file: BinaryIO | None = None
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")  # of bytes: what is whole is counted in them
        except OSError as error:
            raise ResultsError(f"cannot write {path}: {error.strerror or error}") from None
        try:
            self._lock()
            if fresh:
                self.forget()
            else:
                self._load()
        except BaseException:
            self.close()
            raise
        self.found = len(self._games)

    def _lock(self) -> None:
        """Two runs must not write one file. The lock goes with the process, however it ends."""
        if sys.platform == "win32":
            return
        import fcntl

        assert self._file is not None
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ResultsError(f"another run is writing {self.path}") from None

    def forget(self) -> None:
        """Begin anew, in the file too."""
        self._games.clear()
        self.found = 0
        if self._file is not None:
            self._file.truncate(0)
            self._write(self._head)

    def _load(self) -> None:
        """Read what is there. A file that is refused stays as it is."""
        assert self._file is not None
        self._file.seek(0)
        whole = 0  # bytes of complete lines
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):  # the kill came in the middle of it
                if number == 1 and not written(self._head).startswith(line):  # or no run has ever written it
                    raise self._no_run()
                break
            try:
                document = json.loads(line.decode())
                if number == 1:
                    self._check(document)
                else:
                    self._take(Result.read(document))
            except (ValueError, RecursionError) as error:
                if number == 1:
                    raise self._no_run() from None
                why = "this is not JSON" if isinstance(error, JSONDecodeError | UnicodeDecodeError) else str(error)
                raise ResultsError(
                    f"{self.path}, line {number}: {why}; take the line out, and its game is played again"
                ) from None
            whole += len(line)
        if whole == 0:
            self.forget()
        else:
            self._file.truncate(whole)

    @property
    def _head(self) -> dict[str, Any]:
        """The first line: whose games follow."""
        return {"format": FORMAT, **self.plan.identity}

    def _no_run(self) -> ResultsError:
        return ResultsError(
            f"{self.path}, line 1: an arena run does not begin so, and nothing was changed; name another file"
        )

    def _check(self, head: Any) -> None:
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise ValueError
        for key, value in json.loads(json.dumps(self.plan.identity)).items():
            if head.get(key) != value:
                what = "older or newer code" if key == "code" else f"{key} {head.get(key)!r}, not {value!r}"
                raise ResultsError(f"{self.path} holds another run ({what}); name another file or use --fresh")

    def _take(self, result: Result) -> None:
        """A game from the file; it may be of more deals than are asked for now."""
        lineups = self.plan.lineups
        if not (result.deal >= 0 and 0 <= result.game < len(lineups) and result.lineup == lineups[result.game]):
            raise ValueError("this run has no such game")
        self._games[result.deal, result.game] = result

    def _write(self, *documents: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(b"".join(map(written, documents)))
        self._file.flush()

    def add(self, results: Iterable[Result]) -> None:
        """Games that are done. One that is there already is not counted twice."""
        new = [result for result in results if (result.deal, result.game) not in self._games]
        self._games.update({(result.deal, result.game): result for result in new})
        if self._file is not None and new:
            self._write(*(result.line() for result in new))

    def missing(self) -> list[int]:
        """The deals of the plan that are not complete."""
        each = len(self.plan.lineups)
        return [deal for deal in range(self.plan.deals) if any((deal, game) not in self._games for game in range(each))]

    @property
    def beyond(self) -> int:
        """Games of deals beyond the plan: once, more were asked for."""
        return sum(deal >= self.plan.deals for deal, _ in self._games)

    def deals(self) -> list[list[Result]]:
        """The complete deals of the plan, in order."""
        each = len(self.plan.lineups)
        return [
            [self._games[deal, game] for game in range(each)]
            for deal in range(self.plan.deals)
            if all((deal, game) in self._games for game in range(each))
        ]

    def leading(self) -> list[list[Result]]:
        """The complete deals up to the first that is not: what a test that may stop looks at, in any order of work."""
        whole: list[list[Result]] = []
        for deal in self.deals():
            if deal[0].deal != len(whole):
                break
            whole.append(deal)
        return whole

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
