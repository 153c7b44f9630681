# SPDX-License-Identifier: MIT
"""What the forms of Gymnasium and PettingZoo share: one episode at a time, seen and drawn."""
from __future__ import annotations

import operator
import secrets
from typing import Any, Optional

import numpy as np

from .. import _core
from ..environment import VecEnv
from ..game import Game
from .spaces import Discrete, MultiBinary


class Episode:
    """A slot of an environment. Observations are int8 [fluents], or int8 [channels, rows, columns]
    with `board`; masks are int8 [actions], in the form that `Discrete.sample(mask)` takes."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "ludens"}

    def _open(self, game: Game, board: bool, max_steps: int, render_mode: Optional[str]) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not '{render_mode}'")
        self.game = game
        self.render_mode = render_mode
        # Until `reset` gets a seed, each environment has chance of its own.
        self._env = VecEnv(game, 1, autoreset="disabled", max_steps=max_steps,
                           observation="board:uint8" if board else "uint8",
                           seed=secrets.randbits(64))

    def _observed(self) -> np.ndarray:
        return self._env.observations[0].astype(np.int8)

    def _mask(self, player: int) -> np.ndarray:
        return self._env.mask_of(player)[0].astype(np.int8)

    def _legal(self, player: int, action: Any) -> int:
        """The action; IllegalActionError if it is none that the mask allows, TypeError if it is no
        whole number."""
        number, mask = operator.index(action), self._mask(player)
        if not 0 <= number < len(mask) or not mask[number]:
            raise _core.IllegalActionError(f"action {action} of {self.game.players[player]} is not "
                                           "legal here; the action_mask tells which are")
        return number

    @property
    def _over(self) -> bool:
        return bool(self._env.terminated[0])

    @property
    def _cut(self) -> bool:
        return bool(self._env.truncated[0])

    def _reward(self, player: int) -> float:
        return float(self._env.rewards[0, player])

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            return None
        return str(self.game.state(self._env.states()[0]))

    def close(self) -> None:
        self._env.close()


class AgentsEpisode(Episode):
    """The same with an agent for each role but `random`. All agents see the whole state."""

    def _open_agents(self, game: Game, board: bool, max_steps: int,
                     render_mode: Optional[str]) -> None:
        self._open(game, board, max_steps, render_mode)
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        self.observation_spaces = {agent: MultiBinary(self._env.observations.shape[1:])
                                   for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(game.actions(p)))
                              for p, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> MultiBinary:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": self._mask(p)}
                for p, agent in enumerate(self.possible_agents)}

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def state(self) -> np.ndarray:
        """The whole state, which is what every agent sees."""
        return self._observed()
