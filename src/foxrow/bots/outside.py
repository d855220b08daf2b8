"""Bots from outside: a program that speaks lines on standard input and output (docs/bot-protocol.md).

Whatever it does wrong (crash, hang, rubbish, an illegal move) becomes one BotError with the reason, never a wait
without an end.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foxrow.bots.protocol import Bot, BotError, Budget, Choice, Reason
from foxrow.core.contract import Choice as Value
from foxrow.core.contract import Game
from foxrow.core.errors import MoveError
from foxrow.core.position import view_json
from foxrow.core.record import View

PROTOCOL = 1
HELLO_SECONDS = 20.0  # an interpreter may have to start
MOVE_MS = 10_000.0  # for a move, unless the budget says less
GRACE_MS = 250.0  # for the way there and back
MOST_BYTES = 1 << 16  # of a line from the program
STARTS = 3  # that may fail one after the other before a program is given up
MOST_REMARKS = 1000  # lines starting with # before an answer


def command(spec: str) -> list[str] | None:
    """The program and its arguments, if the text names a program that is there."""
    try:
        words = shlex.split(spec)
    except ValueError:
        return None
    return words if words and shutil.which(words[0]) else None


def obstacle(spec: str) -> str | None:
    """Why a text that looks like a program is none."""
    words = spec.split()
    if not words or not Path(words[0]).is_file():
        return None
    return (
        f"{words[0]} may not be run: chmod +x {words[0]}, or put its interpreter in front, as in 'python3 {words[0]}'"
    )


class Program:
    """A running program: lines go in, lines come out, within a time.

    Threads of their own read and write, so that a program which neither reads nor writes holds nobody up. It has a
    process group of its own: what it started ends with it.
    """

    def __init__(self, words: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                list(words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise BotError(f"it did not start: {error.strerror or error}") from None
        self._closing = threading.Event()
        self._said: queue.Queue[bytes | None] = queue.Queue()  # to it; None: no more
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=4 * MOST_REMARKS)  # from it; None: its end
        self._complaints: deque[bytes] = deque(maxlen=5)  # its last lines on standard error
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._speak, self._listen, self._overhear)
        ]
        for thread in self._threads:
            thread.start()
        try:
            self.name = self._hello()
        except BotError:
            self.close()
            raise

    # the threads: each has one pipe, and closes it ------------------------------------------------------

    def _speak(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with pipe:
                while (line := self._said.get()) is not None:
                    pipe.write(line)
                    pipe.flush()
        except (OSError, ValueError):
            return  # it reads no more: its answers, or their absence, tell the rest

    def _listen(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe:
            while line := pipe.readline(MOST_BYTES + 1):
                if not self._hand_over(line) or len(line) > MOST_BYTES:
                    break
        self._hand_over(None)

    def _hand_over(self, line: bytes | None) -> bool:
        """Wait until there is room for a line, or until nobody wants it any more."""
        while not self._closing.is_set():
            try:
                self._lines.put(line, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False

    def _overhear(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        with pipe:
            while line := pipe.readline(MOST_BYTES):
                if line.strip():
                    self._complaints.append(line.strip())

    # questions and answers ------------------------------------------------------------------------------

    def _hello(self) -> str:
        word, _, name = self.ask(f"hello {PROTOCOL}", HELLO_SECONDS).partition(" ")
        if word != "hello":
            raise BotError(f"it answered hello with {word[:40]!r}")
        return name.strip()[:60]

    def tell(self, line: str) -> None:
        self._said.put(line.encode() + b"\n")

    def ask(self, line: str, seconds: float) -> str:
        """Its next line that is no remark."""
        until = time.monotonic() + seconds
        self._drain()
        self.tell(line)
        for _ in range(MOST_REMARKS):
            try:
                answer = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise BotError(self._end() or f"it did not answer within {seconds:.1f} s") from None
            if answer is None:
                raise BotError(self._end(1.0) or "it closed its output")
            if len(answer) > MOST_BYTES:
                raise BotError("it sent a line without an end")
            text = answer.decode("utf-8", "replace").strip()
            if text and not text.startswith("#"):
                return text
        raise BotError("it sent remarks without an end")

    def _drain(self) -> None:
        """What it said without being asked is no answer to what comes now."""
        for _ in range(self._lines.qsize()):  # no more than that: it may be talking all the time
            if self._lines.get() is None:
                raise BotError(self._end(1.0) or "it closed its output")

    def _end(self, patience: float = 0.0) -> str | None:
        """In what way it ended, if it did."""
        try:
            code = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        for thread in self._threads[1:]:
            thread.join(0.5)
        how = f"with status {code}" if code >= 0 else f"by signal {-code}"
        last = self._complaints[-1].decode("utf-8", "replace")[:200] if self._complaints else ""
        return f"it ended {how}" + (f": {last}" if last else "")

    def close(self) -> None:
        """Ask it to quit, then make it, and with it whatever it started."""
        self.tell("quit")
        self._said.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.3)
        self._closing.set()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (AttributeError, OSError):  # a system without groups, or nobody is left
            self._process.kill()
        self._process.wait()


class Outside(Bot):
    """A program at the table. It starts with its first round and may play many."""

    def __init__(self, game: Game, words: Sequence[str], *, seed: int = 0, name: str | None = None) -> None:
        self.name = name or shlex.join(words)
        self._game = game
        self._words = list(words)
        self._seed = seed
        self._options: dict[str, Value] = {}
        self._program: Program | None = None
        self._failed = 0  # starts, since the last that went well

    def start(self, seat: int, players: int, options: Mapping[str, Value]) -> None:
        if self._program is None:
            self._program = self._started()
        self._options = dict(options)
        self._tell(
            "new",
            {"game": self._game.key, "players": players, "seat": seat, "options": self._options, "seed": self._seed},
        )

    def _started(self) -> Program:
        if self._failed >= STARTS:
            raise BotError(f"it was given up: {self._failed} starts failed")
        try:
            program = Program(self._words)
        except BotError:
            self._failed += 1
            raise
        self._failed = 0
        return program

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        state: Any = view
        if self._program is None:
            self.start(int(state.seer), int(state.players), {})
        assert self._program is not None
        rules = self._game.rules
        ms = budget.ms if budget is not None and budget.ms is not None else MOVE_MS
        document = view_json(self._game, view, self._options)
        question = {"view": document, "clock": {"ms": ms}, "legal": document["legal"]}
        try:
            answer = self._program.ask(f"move {json.dumps(question)}", (ms + GRACE_MS) / 1000)
            word, _, text = answer.partition(" ")
            if word != "move":
                raise BotError(f"it answered with {answer[:60]!r} where a move was asked for")
            move = rules.parse(view, text.strip())
        except MoveError as error:
            self.close()
            raise BotError(f"its move {text.strip()[:60]!r} is refused: {error.reason}") from None
        except BotError:
            self.close()
            raise
        return Choice(move, (Reason(move, note="from outside"),))

    def finish(self, scores: Sequence[int], winners: Sequence[int]) -> None:
        if self._program is not None:
            self._tell("over", {"scores": list(scores), "winners": list(winners)})

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None

    def _tell(self, word: str, what: Mapping[str, Any]) -> None:
        assert self._program is not None
        self._program.tell(f"{word} {json.dumps(what)}")
