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
from .spaces import Dict, Discrete, MultiBinary


# The reward of an illegal action that ends an episode.
ILLEGAL_REWARD = -1.0


class Episode:
    """A slot of an environment. Observations are int8 [fluents], or int8 [channels, rows, columns]
    with `board`; masks are int8 [actions], in the form that `Discrete.sample(mask)` takes. An action
    that is not legal raises with `illegal="raise"`; with `illegal="end"` it ends the episode with
    `ILLEGAL_REWARD` for who chose it and 0 for the others, as PettingZoo's TerminateIllegalWrapper
    does. What is no action of the space raises in any case."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1, "name": "ludens"}

    def _open(self, game: Game, board: bool, max_steps: int, render_mode: Optional[str],
              illegal: str) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not '{render_mode}'")
        if illegal not in ("raise", "end"):
            raise ValueError(f"illegal is 'raise' or 'end', not '{illegal}'")
        self.game = game
        self.render_mode = render_mode
        self._illegal_ends = illegal == "end"
        self._offenders: set[int] = set()  # players whose illegal actions have ended the episode
        # Until `reset` gets a seed, each environment has chance of its own.
        self._env = VecEnv(game, 1, autoreset="disabled", max_steps=max_steps,
                           observation="board:uint8" if board else "uint8",
                           seed=secrets.randbits(64))

    def _observed(self) -> np.ndarray:
        return self._env.observations[0].astype(np.int8)

    def _mask(self, player: int) -> np.ndarray:
        return self._env.mask_of(player)[0].astype(np.int8)

    def _reset(self, seed: Optional[int]) -> None:
        self._offenders.clear()
        self._env.reset(seed)

    def _legal(self, player: int, action: Any) -> int:
        """The action. If the mask does not allow it, it ends the episode or raises
        IllegalActionError; TypeError if it is no whole number."""
        number, mask = operator.index(action), self._mask(player)
        if 0 <= number < len(mask) and mask[number]:
            return number
        if not 0 <= number < len(mask) or not self._illegal_ends:
            raise _core.IllegalActionError(f"action {action} of {self.game.players[player]} is not "
                                           "legal here; the action_mask tells which are")
        self._offenders.add(player)
        return number

    @property
    def _over(self) -> bool:
        return bool(self._offenders) or bool(self._env.terminated[0])

    @property
    def _cut(self) -> bool:
        return bool(self._env.truncated[0])

    def _reward(self, player: int) -> float:
        if self._offenders:
            return ILLEGAL_REWARD if player in self._offenders else 0.0
        return float(self._env.rewards[0, player])

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            return None
        return str(self.game.state(self._env.states()[0]))

    def close(self) -> None:
        self._env.close()


class AgentsEpisode(Episode):
    """The same with an agent for each role but `random`. All agents see the whole state, and each its
    own mask: observations are `{"observation": ..., "action_mask": ...}`, as those of PettingZoo's own
    games, so that its tests and wrappers find the mask."""

    def _open_agents(self, game: Game, board: bool, max_steps: int, render_mode: Optional[str],
                     illegal: str) -> None:
        self._open(game, board, max_steps, render_mode, illegal)
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        self.action_spaces = {agent: Discrete(len(game.actions(p)))
                              for p, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: Dict({"observation": MultiBinary(self._env.observations.shape[1:]),
                         "action_mask": MultiBinary(len(game.actions(p)))})
            for p, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def _observed_by(self, agent: str) -> dict[str, np.ndarray]:
        return {"observation": self._observed(),
                "action_mask": self._mask(self.possible_agents.index(agent))}

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
