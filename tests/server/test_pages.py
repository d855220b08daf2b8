"""What a page's headers tell the browser to fetch ahead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foxrow.server.pages import Pages

LISTED = {
    "pages": {"t": ["assets/Table-1.js", "assets/Table-1.css"]},
    "games": {"chess": ["assets/play-1.js", "assets/Table-1.css"]},
    "languages": {"en": ["assets/en-1.js"], "de": ["assets/de-1.js"]},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text('<!doctype html><html><head><base href="/" /></head></html>')
    (tmp_path / "preload.json").write_text(json.dumps(LISTED))
    return tmp_path


def test_a_table_s_page_names_its_files_once_each_with_the_reader_s_language(folder: Path) -> None:
    pages = Pages("/sub", folder)
    assert pages.ahead("/t/abc", "de-CH, en;q=0.8", "chess") == (
        "</sub/assets/Table-1.js>; rel=modulepreload, </sub/assets/Table-1.css>; rel=preload; as=style; crossorigin, "
        "</sub/assets/play-1.js>; rel=modulepreload, </sub/assets/de-1.js>; rel=modulepreload"
    )


def test_only_styles_are_asked_for_across_origins_as_the_built_page_asks_for_them(folder: Path) -> None:
    listed = {"pages": {"t": ["assets/one.css", "assets/two.webp", "assets/three.js"]}}
    (folder / "preload.json").write_text(json.dumps(listed))
    assert Pages("", folder).ahead("/t/abc", "en", None).split(", ") == [
        "</assets/one.css>; rel=preload; as=style; crossorigin",
        "</assets/two.webp>; rel=preload; as=image",
        "</assets/three.js>; rel=modulepreload",
    ]


@pytest.mark.parametrize("languages", ["", "*", "nl, ;q=0,,", "xx-YY;q=0.1, EN"])
def test_any_header_gets_english_when_no_language_of_ours_is_read(folder: Path, languages: str) -> None:
    assert Pages("", folder).ahead("/", languages, None) == "</assets/en-1.js>; rel=modulepreload"


def test_the_list_itself_is_no_page_and_may_be_missing(folder: Path) -> None:
    assert Pages("", folder).find("/preload.json") is None
    (folder / "preload.json").unlink()
    assert Pages("", folder).ahead("/t/abc", "de", None) == ""
