"""How a run is told to end: a pipe that is closed. All of its processes hear it, and none can leave a lock behind."""

from __future__ import annotations

from multiprocessing import Pipe


class Halt:
    """Said once, to everybody; also by the death of the process that would have said it."""

    def __init__(self) -> None:
        self.ear, self._mouth = Pipe(duplex=False)  # the ear may be given to other processes

    def call(self) -> None:
        self._mouth.close()

    @property
    def called(self) -> bool:
        return self.ear.poll()
