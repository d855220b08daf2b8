"""OpenSpiel: every game for its algorithms.

    game = foxrow.adapters.openspiel.load("…", players=3)
    game = pyspiel.load_game("foxrow_…(players=3)")  # the same, once this module is imported

The deal is a number of four bytes, each of them a chance node with 256 outcomes that are equally likely: so
OpenSpiel's own lots decide, and `history()` tells deals apart. With `deals=100` there are only so many, drawn at one
node: what goes through a whole tree, as CFR does, cannot end otherwise. Tensors are the game's features
(docs/features). Strings tell apart what looks alike to people: by a mark of what is seen or, with perfect recall, of
all that was. `resample_from_infostate` gives the unseen cards a random place, and the other seats no memory of those
that they had.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError("the OpenSpiel adapter needs the extra foxrow[openspiel]") from error

from foxrow.adapters.single import Round, openspiel_name
from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.errors import IllegalMove
from foxrow.core.record import TRUTH
from foxrow.core.registry import games

LONGEST = 100_000  # moves of a game; no round comes near, but OpenSpiel wants a number
BYTES = 4  # of the number of a deal
OUTCOMES = 256  # of each of them


def load(key: str, players: int | None = None, *, seed: int = 0, deals: int = 0, **options: Any) -> Table:
    """A game as OpenSpiel plays it. With another seed the same numbers are other deals; `deals` leaves only so many."""
    around = Round(key, players, options)
    return Table(around.game, {"players": around.players, "seed": seed, "deals": deals, **around.variant.options})


def _type(game: Game) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=openspiel_name(game),
        long_name=game.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.players[0],
            "seed": 0,
            "deals": 0,
            **{option.key: option.default for option in game.options},
        },
        default_loadable=True,
    )


class Table(pyspiel.Game):
    """A game with its player count and options."""

    def __init__(self, card: Game, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        players = options.pop("players", card.players[0])
        self.seed, deals = (_whole(name, options.pop(name, 0)) for name in ("seed", "deals"))
        self.outcomes = (deals,) if deals else (OUTCOMES,) * BYTES  # of each chance node
        meant = {option.key for option in card.options if option.players is None or players in option.players}
        defaults = {option.key: option.default for option in card.options}
        # OpenSpiel gives every parameter; what has no meaning at this table must only not be asked for
        asked = {key: value for key, value in options.items() if key in meant or value != defaults.get(key)}
        self.around = Round(card.key, players, asked)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.around.rules.MOVES,
            max_chance_outcomes=self.outcomes[0],
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_type(card), info, {"players": players, "seed": self.seed, "deals": deals, **asked})

    def new_initial_state(self) -> TableState:
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"there are no parameters of observation, so not {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.around, recall)


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < 2**30:
        raise ValueError(f"{name} is a whole number from 0 to {2**30 - 1}, not {value!r}")
    return int(value)


class TableState(pyspiel.State):
    """One round. Until the deal it is chance's turn."""

    def __init__(self, game: Table) -> None:
        super().__init__(game)
        self._around = game.around
        self._seed = game.seed
        self._outcomes = game.outcomes
        self._deal: list[int] = []  # what chance chose so far
        self._states: Any = None  # an array of one state, once it is dealt
        self._heard: list[str] = []  # moves that were made
        self._seen = [b""] * (game.around.players + 1)  # [seat] a mark of all its views; the last, −1, a spectator's

    @property
    def record(self) -> Any:
        """The state of our rules."""
        return self._states[0]

    def current_player(self) -> Any:
        if self._states is None:
            return pyspiel.PlayerId.CHANCE
        seat = self._around.rules.actor(self.record)
        return seat if seat >= 0 else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        return self._states is not None and self._around.rules.actor(self.record) < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        many = self._outcomes[len(self._deal)]
        return [(outcome, 1 / many) for outcome in range(many)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._around.rules.legal(self.record))

    def _apply_action(self, action: int) -> None:
        if self._states is None:
            self._draw(action)
            return
        rules = self._around.rules
        if action not in rules.legal(self.record):
            raise IllegalMove(*rules.why_not(self.record, action))
        self._heard.append(rules.move_text(self.record, action))
        rules.apply(self.record, action)
        self._remember()

    def _draw(self, outcome: int) -> None:
        many = self._outcomes[len(self._deal)]
        if not 0 <= outcome < many:
            raise ValueError(f"an outcome of chance is 0 to {many - 1}, not {outcome}")
        self._deal.append(outcome)
        if len(self._deal) == len(self._outcomes):
            self._states = self._around.blank()
            number = 0
            for drawn in self._deal:
                number = number * many + drawn
            self._around.deal(self._states, (self._seed << 8 * BYTES) + number)
            self._remember()

    def _remember(self) -> None:
        """What every seat, and a spectator, sees now joins what it has seen."""
        for seat in range(-1, self._around.players):
            self._seen[seat] = self._after(self._seen[seat], seat)

    def _after(self, seen: bytes, seat: int) -> bytes:
        """The mark of a memory and of what the seat sees now."""
        view = np.asarray(self._around.rules.mask(self.record, seat))
        return hashlib.blake2b(seen + view.tobytes(), digest_size=16).digest()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self._around.rules.move_text(self.record, action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self._around.players
        return self._around.rewards(self.record)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> TableState:
        """The same for this seat, with other unseen cards. Its history stays that of the deal it comes from.

        The other seats remember what all have seen, and of their own what they hold now: what they remember in truth
        would tell this seat their true cards.
        """
        other = self.clone()
        if self._states is None:
            return other
        view = self._around.rules.mask(self.record, player_id)
        self._around.rules.fill(view, stream(int(probability_sampler() * 2**53)))
        view.seer = TRUTH
        other._states[0] = view
        for seat in range(self._around.players):
            if seat != player_id:
                other._seen[seat] = other._after(b"", seat)
        return other

    def __str__(self) -> str:
        """The moves and the open table; the last line tells states apart that look alike."""
        if self._states is None:
            return " ".join(["before the deal", *map(str, self._deal)])
        names = [f"seat {seat}" for seat in range(self._around.players)]
        table = self._around.rules.text.table(self.record, names)
        mark = hashlib.blake2b(self._states.tobytes(), digest_size=6).hexdigest()
        return f"moves: {' / '.join(self._heard)}\n{table}\nstate {mark}"


class Observer:
    """What a seat sees, as numbers and as text."""

    def __init__(self, around: Round, recall: bool) -> None:
        self._around = around
        self._recall = recall
        self.tensor = np.zeros(around.rules.FEATURES, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        if state._states is None:
            self.tensor[...] = 0
        else:
            self.tensor[...] = self._around.rules.features(state.record, player)

    def string_from(self, state: TableState, player: int) -> str:
        if state._states is None:
            return "before the deal"
        if self._recall:
            moves, table, own = " / ".join(state._heard), state._seen[-1].hex(), state._seen[player].hex()
            return f"seat {player} of {self._around.players}; moves: {moves}; table: {table}; own: {own}"
        mark = state._after(b"", player).hex()
        return f"seat {player}\n{self._around.table(state.record, player)}\nview {mark}"


class Maker:
    """Makes a game from OpenSpiel's parameters."""

    def __init__(self, card: Game) -> None:
        self.card = card
        self.itself = self  # OpenSpiel lets go of it after Python's end: it must not be freed then

    def __call__(self, params: dict[str, Any] | None = None) -> Table:
        return Table(self.card, params)


for card in games().values():  # `pyspiel.load_game` finds them by their names
    pyspiel.register_game(_type(card), Maker(card))
