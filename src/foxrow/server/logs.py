"""Structured logs: one JSON object a line. No cookies, codes, table ids, names, cards, or addresses of
people."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, TextIO

log = logging.getLogger("foxrow")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "data", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            # Where it happened, not with which values: an exception's message may quote what a client sent.
            entry["error"] = record.exc_info[0].__name__
            trace = record.exc_info[2]
            places = []
            while trace is not None:
                code = trace.tb_frame.f_code
                places.append(f"{code.co_name}:{trace.tb_lineno}")
                trace = trace.tb_next
            entry["at"] = places[-6:]
        return json.dumps(entry, ensure_ascii=False)


def start(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for logger, least in ((log, level), (logging.getLogger("uvicorn.error"), logging.WARNING)):
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
    logging.getLogger("uvicorn.error").filters[:] = [of_ours]


def of_ours(record: logging.LogRecord) -> bool:
    """Bytes that are no text are the client's fault: they end its socket, and fill no log."""
    return "UTF-8" not in str(record.msg)


def note(event: str, **data: Any) -> None:
    log.info(event, extra={"data": data})
