"""Nicknames: readable, and nobody else's to look like."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from foxrow.core.registry import games
from foxrow.match.refusal import Refusal
from foxrow.server import brains

MOST = 24  # letters
# Letters and marks that show nothing: fillers of Hangul and Khmer, the empty Braille pattern, selectors.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4")
SELECTORS = re.compile("[\ufe00-\ufe0f]")  # how a symbol is drawn, which a name need not say
STACKED = 2  # marks on one letter; more are drawn over the lines above and below
# Letters of other scripts that look like Latin ones, and letters and digits that look like each other.
LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԁһӏԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχıƖɡ",
    "ABESIJKMHOPCTYXQWaesijopcyxdhlqwABEZHIKMNOPTYXaikvoptuxilg",
)
DIGITS = str.maketrans("0135", "oles")
ALIKE = str.maketrans("i", "l")
# How our clients show a bot's level in languages other than English, beside its number.
WORDS = frozenset(
    word.translate(ALIKE)
    for word in (
        *("stufe", "sanft", "leicht", "hobby", "bestandig", "solide", "stark", "experte", "meister"),
        *("niveau", "doux", "facile", "amateur", "regulier", "fort", "maitre"),
        *("livello", "mite", "amatore", "costante", "solido", "forte", "esperto", "maestro"),
    )
)
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls of all kinds, also of the direction of writing


def clean_name(name: str) -> str:
    """A nickname as it is kept, in Unicode's form C; Refusal if there is nothing to read or it looks like a bot's."""
    text = " ".join(SELECTORS.sub("", unicodedata.normalize("NFC", name)).split())
    if not 1 <= len(text) <= MOST or not readable(text) or like_a_bot(text):
        raise Refusal("bad_name")
    return text


def readable(text: str) -> bool:
    marks, seen = STACKED, False  # a mark at the beginning would sit on what stands before the name
    for letter in text:
        kind = unicodedata.category(letter)
        if kind in UNSEEN or letter in BLANK or "\U000e0100" <= letter <= "\U000e01ef":
            return False
        if kind[0] == "M":
            marks += 1
            if marks > STACKED:
                return False
        else:
            marks = 0
            seen = seen or kind[0] in "LNPS"
    return seen


def like_a_bot(text: str) -> bool:
    """ "Bot 3", "level 3", or the name of a level, however it is written: in records and lists bots are called so. The
    clients' words in other languages stand with a number there, and are names of people without one."""
    plain = shape(text)
    numbered = any(letter.isdigit() for letter in text)
    for read in (plain, plain.translate(DIGITS)):
        word = read.strip("0123456789").translate(ALIKE)
        if word in bots() or (numbered and word in WORDS):
            return True
    return False


def shape(text: str) -> str:
    """The letters and digits of a text as Latin ones that look like them."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).translate(LATIN))
    return "".join(c for c in letters.casefold() if c.isalnum())


@cache
def bots() -> frozenset[str]:
    keys = {level.key for key in games() for level in brains.levels(key)}
    return frozenset(word.translate(ALIKE) for word in ("bot", "level", *keys, *(f"bot{key}" for key in keys)))
