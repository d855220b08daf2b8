"""The table in the terminal: a Textual app for any game, by keyboard and mouse, against bots of a level."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Label, Markdown, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from foxrow.bots.analysis import Analyst, Verdict
from foxrow.bots.protocol import Bot
from foxrow.core.contract import Game
from foxrow.core.errors import MoveError
from foxrow.core.position import Position
from foxrow.match.record import Match

ASK = "type a move, or choose one above (↑ ↓ and Enter, or click)"
RED = r"\d*[♥♦]"  # the suits that are red on every card


class Page(ModalScreen[None]):
    """Something to read over the table; any of the usual keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss", "Back")]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Markdown(self._text)
        yield Footer()


class Line(Input):
    """What is typed. A question mark is in no game's notation: it asks for the rules."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character != "?" and super().check_consume_key(key, character)


class Tabletop(App[None]):
    """You in one seat, bots in the others."""

    TITLE = "Foxrow"
    ENABLE_COMMAND_PALETTE = False
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012  (so the base class declares it)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (90, "-wide")]  # noqa: RUF012  (so the base class declares it)
    CSS = """
    #board { height: 1fr; padding: 0 1; }
    #side { width: 34; border-left: solid $panel; }
    .-narrow #side { display: none; }
    #log { height: 1fr; padding: 0 1; scrollbar-gutter: stable; }
    #hint { height: auto; max-height: 12; padding: 0 1; color: $text-accent; display: none; }
    #hint.-shown { display: block; }
    #news { height: 1; padding: 0 1; color: $text-muted; text-overflow: ellipsis; text-wrap: nowrap; }
    .-low #news { display: none; }
    #ask { height: auto; max-height: 60%; border-top: solid $panel; }
    #say { width: 100%; height: auto; padding: 0 1; text-style: bold; }
    #moves { height: auto; max-height: 9; border: none; }
    .-low #moves { max-height: 4; }
    .-low #hint { max-height: 2; }
    #typed { border: none; height: 1; padding: 0 1; dock: bottom; }
    Page { align: center middle; }
    #page { width: 90%; max-width: 100; height: 90%; border: round $accent; padding: 0 2; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "rules", "Rules", key_display="?", priority=True),
        Binding("ctrl+t,f2", "hint", "Hint", key_display="^t", priority=True),
        Binding("ctrl+z,f3", "undo", "Undo", key_display="^z", priority=True),
        Binding("ctrl+n,f4", "next", "Next round", key_display="^n", priority=True),
        Binding("ctrl+q,ctrl+c", "quit", "Quit", key_display="^q", priority=True),
        Binding("up", "up", show=False, priority=True),
        Binding("down", "down", show=False, priority=True),
    ]

    def __init__(
        self,
        match: Match,
        opponents: Sequence[Bot | None],
        *,
        seat: int = 0,
        delay: float = 0.5,
        analyst: Analyst | None = None,
    ) -> None:
        """`opponents` has a bot for every seat but yours; `delay` is how long a bot's move stays before the next."""
        super().__init__()
        self.match = match
        self.seat = seat
        self.position: Position | None = None
        self._bots = list(opponents)
        self._delay = delay
        self._analyst = analyst or Analyst(match.game)
        self._written = 0  # moves in the log

    @property
    def game(self) -> Game:
        return self.match.game

    # what is on the screen ------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        with Horizontal():
            with Vertical():
                with VerticalScroll(id="board"):
                    yield Static(id="table")
                with Vertical(id="ask"):
                    yield Static(id="news")
                    yield Static(id="hint")
                    yield Label(id="say")
                    yield OptionList(id="moves")
                    yield Line(id="typed", placeholder=ASK)
            with Vertical(id="side"):
                yield RichLog(id="log", wrap=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#board").can_focus = False
        self.query_one("#log").can_focus = False
        self.query_one("#typed").focus()
        self.deal()

    def deal(self) -> None:
        """The next round of the match."""
        self.position = self.match.next_round()
        self._written = 0
        for seat, bot in enumerate(self._bots):
            if bot is not None:
                bot.plays_for(self.match.stakes())
                bot.start(seat, self.match.players, self.match.options)
        log = self.query_one("#log", RichLog)
        log.write(Text(f"{self.game.name}, round {len(self.match.rounds)}", style="bold"))
        self.go_on()

    def go_on(self) -> None:
        """Show the position, and let whoever is to act, act."""
        position = self.position
        assert position is not None
        if not position.over and position.to_act != self.seat:
            self.let_bots_play()
        self.refresh_table()

    def refresh_table(self) -> None:
        position = self.position
        assert position is not None
        over = position.over
        board, _, situation = position.table(self.seat, open=over).rpartition("\n\n")  # its last words are the question
        self.query_one("#table", Static).update(self.coloured(board))
        self.query_one("#news", Static).update(self.news())
        self.advise(None)
        log = self.query_one("#log", RichLog)
        for line in self.told()[self._written :]:
            log.write(line)
        self._written = len(position.moves)
        say = self.query_one("#say", Label)
        if over:
            say.update(self.verdict())
        elif position.to_act == self.seat:
            say.update(f"Your move. {situation}")
        else:
            say.update(f"{position.names[position.to_act or 0]} is thinking …")
        self.list_moves("")
        self.query_one("#typed", Input).value = ""
        ended = "the match is over: ^q leaves" if self.match.over else "^n deals the next round"
        self.query_one("#typed", Input).placeholder = ended if over else ASK

    def coloured(self, board: str) -> Text:
        """The board with names and the turn easy to find, and red what is red on cards."""
        assert self.position is not None
        text = Text(board)
        text.highlight_regex(RED, "red")
        text.highlight_words(["▸"], "bold yellow")
        for seat, name in enumerate(self.position.names):
            text.highlight_words([f" {name} "], "bold green" if seat == self.seat else "bold cyan")
        return text

    def news(self) -> Text:
        """What the others did since your last move; small screens have no room for the log."""
        position = self.position
        assert position is not None
        made: list[tuple[str, str]] = []  # name and move, the newest first
        for i in range(len(position.moves) - 1, -1, -1):
            mover = position.at(i).to_act
            if mover is None or mover == self.seat:
                break
            made.append((position.names[mover], position.moves[i]))
        if made:
            return Text(" · ".join(f"{name}: {move}" for name, move in reversed(made)))
        others = ", ".join(name for seat, name in enumerate(position.names) if seat != self.seat)
        return Text(f"{self.game.name}, round {len(self.match.rounds)}, against {others}")

    def advise(self, text: Text | str | None) -> None:
        """Show a hint, or take it away."""
        shown = self.query_one("#hint", Static)
        shown.set_class(text is not None, "-shown")
        shown.update(text or "")

    def told(self) -> list[Text]:
        """All moves so far, each with its mover."""
        position = self.position
        assert position is not None
        lines = []
        for i, move in enumerate(position.moves):
            mover = position.at(i).to_act if i >= self._written else None
            name = position.names[mover] if mover is not None else ""
            style = "bold green" if mover == self.seat else "cyan"
            lines.append(Text.assemble((f"{name} ", style), move))
        return lines

    def verdict(self) -> str:
        position = self.position
        assert position is not None
        names = " and ".join(position.names[seat] for seat in position.winners() or [])
        scores = ", ".join(f"{name} {n}" for name, n in zip(position.names, position.scores(), strict=True))
        said = f"The round goes to {names} ({scores})."
        if self.match.over:
            winners = " and ".join(position.names[seat] for seat in self.match.winners() or [])
            return f"{said} The match goes to {winners}." if len(self.match.rounds) > 1 else said
        totals = ", ".join(f"{name} {n}" for name, n in zip(position.names, self.match.totals(), strict=True))
        return f"{said} So far: {totals}. ^n deals the next round."

    def list_moves(self, typed: str) -> None:
        """The legal moves that begin like what is typed."""
        position = self.position
        moves = self.query_one("#moves", OptionList)
        moves.clear_options()
        if position is None or position.over or position.to_act != self.seat:
            return
        wanted = " ".join(typed.lower().split())
        rules, state = self.game.rules, position.state
        texts = [rules.move_text(state, move) for move in rules.legal(state)]  # in the game's own order
        fitting = [text for text in texts if text.lower().startswith(wanted)]
        moves.add_options([Option(text, id=f"m{i}") for i, text in enumerate(fitting)])
        if fitting:
            moves.highlighted = 0

    # moves ----------------------------------------------------------------------------------------------

    def make_move(self, text: str) -> None:
        position = self.position
        if position is None or position.over or position.to_act != self.seat:
            return
        try:
            move = self.game.rules.parse(position.state, text)
        except MoveError as error:
            self.query_one("#say", Label).update(f"{error.reason} (it is still your move)")
            return
        self.played(move)
        self.go_on()

    def played(self, move: int) -> None:
        position = self.position
        assert position is not None
        seat = position.to_act
        assert seat is not None
        position.play_move(move)
        for bot in self._bots:
            if bot is not None:
                bot.saw(seat, move)

    @work(exclusive=True, group="bots")
    async def let_bots_play(self) -> None:
        """Bots think beside the screen, one move after the other, until it is your turn."""
        position = self.position
        assert position is not None
        while (seat := position.to_act) is not None and seat != self.seat:
            bot = self._bots[seat]
            assert bot is not None
            view = position.masked(seat)
            legal = self.game.rules.legal(view)
            choice = await asyncio.to_thread(bot.choose, view, legal)
            if position is not self.position:
                return
            self.played(choice.move)
            self.refresh_table()
            if self._delay and not position.over:
                await asyncio.sleep(self._delay)

    @on(OptionList.OptionSelected, "#moves")
    def chosen(self, event: OptionList.OptionSelected) -> None:
        self.query_one("#typed", Input).focus()
        self.make_move(str(event.option.prompt))

    @on(Input.Changed, "#typed")
    def typing(self, event: Input.Changed) -> None:
        self.list_moves(event.value)

    @on(Input.Submitted, "#typed")
    def entered(self, event: Input.Submitted) -> None:
        """Enter makes the highlighted move; what is written in full wins over it."""
        moves = self.query_one("#moves", OptionList)
        exact = self.position is not None and event.value.strip() in self.position.legal()
        if not exact and moves.highlighted is not None and moves.option_count:
            self.make_move(str(moves.get_option_at_index(moves.highlighted).prompt))
        elif event.value.strip():
            self.make_move(event.value)

    # keys -----------------------------------------------------------------------------------------------

    def action_up(self) -> None:
        self.query_one("#moves", OptionList).action_cursor_up()

    def action_down(self) -> None:
        self.query_one("#moves", OptionList).action_cursor_down()

    def action_rules(self) -> None:
        if isinstance(self.screen, Page):
            self.pop_screen()
        else:
            self.push_screen(Page(rules_text(self.game)))

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """What a strong player thinks, with its numbers."""
        position = self.position
        if position is None or position.over or position.to_act != self.seat:
            return
        self.advise("Thinking about it …")
        asked = len(position.moves)
        view = position.masked(self.seat)
        found = await asyncio.to_thread(self._analyst.advise, view, position.options, self.match.stakes())
        if position is self.position and len(position.moves) == asked:
            self.advise(Text("There is only one move." if found is None else self.hint_text(found)))
            self.point_at(self.game.rules.legal(view)[0] if found is None else found.best)

    def point_at(self, move: int) -> None:
        """Highlight a move in the list, so that Enter makes it."""
        assert self.position is not None
        text = self.game.rules.move_text(self.position.state, move)
        moves = self.query_one("#moves", OptionList)
        for i in range(moves.option_count):
            if str(moves.get_option_at_index(i).prompt) == text:
                moves.highlighted = i

    def hint_text(self, found: Verdict) -> str:
        assert self.position is not None
        state, rules = self.position.state, self.game.rules
        tried = [
            f"  {rules.move_text(state, move):<12} wins the {found.wins} {chance:4.0%}" for move, chance in found.tried
        ]
        return "A strong player would weigh:\n" + "\n".join(tried)

    def action_undo(self) -> None:
        """Back to your decision before this one."""
        position = self.position
        if position is None:
            return
        for made in range(len(position.moves) - 1, -1, -1):
            if position.at(made).to_act == self.seat:
                self.workers.cancel_group(self, "bots")
                again = position.at(made)
                self.match.rounds[-1] = again
                self.position = again
                self._written = made
                for seat, bot in enumerate(self._bots):
                    if bot is not None:
                        bot.plays_for(self.match.stakes())
                        bot.start(seat, self.match.players, self.match.options)
                self.query_one("#log", RichLog).write(Text("taken back", style="dim"))
                self.refresh_table()
                return
        self.query_one("#say", Label).update("There is nothing of yours to take back.")

    def action_next(self) -> None:
        if self.position is not None and self.position.over and not self.match.over:
            self.deal()


def rules_text(game: Game) -> str:
    """The game's own page of rules, as it comes with it."""
    page = game.folder / "rules.md"
    return page.read_text("utf-8") if page.is_file() else f"# {game.name}\n\n{game.summary}"
