"""PettingZoo: every game as an AEC environment with action masks.

    env = foxrow.adapters.pettingzoo.env("…", players=4)

An observation is `{"observation": int8 [FEATURES], "action_mask": int8 [MOVES]}`; see docs/features for what the
numbers mean. Rewards come at the end of the round: 1 for winning alone, ties share, the sum is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("the PettingZoo adapter needs the extra foxrow[pettingzoo]") from error

from foxrow.adapters.single import Round, name_of

Agent = str
RENDER_MODES = ["ansi", "human"]


def env(key: str, players: int | None = None, *, render_mode: str | None = None, **options: Any) -> Any:
    """A game as PettingZoo wants it: an illegal move ends the round, and whoever made it loses."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(
                raw_env(key, players, render_mode=render_mode, **options), illegal_reward=-1
            )
        )
    )


class raw_env(AECEnv[Agent, dict[str, Any], int]):  # noqa: N801  the name PettingZoo uses
    """The environment itself; an illegal move is an error here."""

    metadata = {"render_modes": RENDER_MODES, "is_parallelizable": False}  # noqa: RUF012  as PettingZoo has it

    def __init__(self, key: str, players: int | None = None, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"a render mode is {' or '.join(map(repr, RENDER_MODES))}, not {render_mode!r}")
        self.round = Round(key, players, options)
        rules = self.round.rules
        self.metadata = {**type(self).metadata, "name": name_of(self.round.game)}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{i}" for i in range(self.round.players)]
        self.agents: list[Agent] = []
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-128, 127, (rules.FEATURES,), np.int8),
                    "action_mask": spaces.Box(0, 1, (rules.MOVES,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(rules.MOVES) for agent in self.possible_agents}
        self._states = self.round.blank()
        self._lot = np.random.default_rng()

    def observation_space(self, agent: Agent) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: Agent) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew. PettingZoo wants every environment to take `options`; those of the game are given to `env`."""
        if seed is not None:
            self._lot = np.random.default_rng(seed)
            deal = int(seed)  # of NumPy, perhaps
        else:
            deal = int(self._lot.integers(2**62))
        self.agents = list(self.possible_agents)
        self.round.deal(self._states, deal)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.round.rules.actor(self._states[0])]

    def observe(self, agent: Agent) -> dict[str, Any]:
        state = self._states[0]
        seat = self.possible_agents.index(agent)
        rules = self.round.rules
        mine = rules.actor(state) == seat
        return {
            "observation": rules.features(state, seat),
            "action_mask": self.round.mask(state) if mine else np.zeros(rules.MOVES, np.int8),
        }

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        state, rules = self._states[0], self.round.rules
        if action is None or int(action) not in rules.legal(state):
            raise ValueError(f"the move {action!r} is not legal")
        self._cumulative_rewards[self.agent_selection] = 0.0
        rules.apply(state, int(action))
        seat = rules.actor(state)
        if seat < 0:
            paid = self.round.rewards(state)
            self.rewards = dict(zip(self.possible_agents, paid, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as a spectator sees it."""
        text = self.round.table(self._states[0], -1)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to close."""
