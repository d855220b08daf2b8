"""OpenSpiel: every game for its algorithms.

    game = foxrow.adapters.openspiel.load("…", players=3)

The deal is one chance node with sampled outcomes: it shows a single outcome, and applying it deals at random (from
`seed`, when one is given). Tensors are the game's features (docs/features); strings are for people and, with perfect
recall, tell information states apart. `resample_from_infostate` gives the unseen cards a random place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError("the OpenSpiel adapter needs the extra foxrow[openspiel]") from error

from foxrow.adapters.single import Round, version_of
from foxrow.core.chance import stream
from foxrow.core.record import TRUTH, owner

LONGEST = 100_000  # moves of a game; no round comes near, but OpenSpiel wants a number


def load(key: str, players: int | None = None, *, seed: int | None = None, **options: Any) -> Table:
    """A game as OpenSpiel plays it."""
    return Table(Round(key, players, options), seed)


def _type(around: Round) -> Any:
    game = around.game
    kind = pyspiel.GameType
    return kind(
        short_name=f"foxrow_{game.key}_v{version_of(game)}",
        long_name=game.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.SAMPLED_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
        default_loadable=False,
    )


class Table(pyspiel.Game):
    """A game with its player count and options."""

    def __init__(self, around: Round, seed: int | None = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=around.rules.MOVES,
            max_chance_outcomes=1,
            num_players=around.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_type(around), info, {})
        self.around = around
        self.lot = np.random.default_rng(seed)

    def new_initial_state(self) -> TableState:
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"there are no parameters of observation, so not {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.around, recall)


class TableState(pyspiel.State):
    """One round. Until the deal it is chance's turn."""

    def __init__(self, game: Table) -> None:
        super().__init__(game)
        self._around = game.around
        self._lot = _Shared(game.lot)
        self._states: Any = None  # an array of one state, once it is dealt
        self._heard: list[str] = []  # moves that were made
        self._seen: list[list[str]] = [
            [] for _ in range(game.around.players)
        ]  # [seat] own cards, each time they changed

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
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._around.rules.legal(self.record))

    def _apply_action(self, action: int) -> None:
        if self._states is None:
            self._states = self._around.blank()
            self._around.deal(self._states, int(self._lot.generator.integers(2**62)))
        else:
            self._heard.append(self._around.rules.move_text(self.record, action))
            self._around.rules.apply(self.record, action)
        self._remember()

    def _remember(self) -> None:
        """What each seat alone sees of its own, when it changed: the part of its memory that moves do not tell."""
        visibility = self._around.rules.State.visibility  # type: ignore[attr-defined]
        for seat, memory in enumerate(self._seen):
            own = b"".join(
                np.ascontiguousarray(self._states[0][name][seat]).tobytes()
                for name, seen in visibility.items()
                if seen is owner
            ).hex()
            if not memory or not memory[-1].endswith(f":{own}"):
                memory.append(f"{len(self._heard)}:{own}")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "deal"
        return self._around.rules.move_text(self.record, action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self._around.players
        return self._around.rewards(self.record)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> TableState:
        """The same for this seat, with other unseen cards."""
        other = self.clone()
        view = self._around.rules.mask(self.record, player_id)
        self._around.rules.fill(view, stream(int(probability_sampler() * 2**53)))
        view.seer = TRUTH
        other._states[0] = view
        return other

    def __str__(self) -> str:
        """Which state it is, to the byte; people read `observation_string`."""
        if self._states is None:
            return "before the deal"
        return f"{' '.join(self._heard)} | {self._states.tobytes().hex()}"


class _Shared:
    """A generator that copies of a state go on using together, so that no two of them deal the same."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self


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
            first = int(state.record.first) if hasattr(state.record, "first") else 0
            moves, cards = " / ".join(state._heard), " ".join(state._seen[player])
            return f"seat {player} of {self._around.players}, first {first}; moves: {moves}; own: {cards}"
        return f"seat {player}\n{self._around.table(state.record, player)}"
