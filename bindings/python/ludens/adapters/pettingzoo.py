# SPDX-License-Identifier: MIT
"""A game in the form of `pettingzoo.ParallelEnv`: each agent gives an action in each step."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ..environment import VecEnv
from ..game import Game
from .spaces import Discrete, MultiBinary

try:
    from pettingzoo import ParallelEnv as _Base
except ImportError:
    _Base = object


class ParallelGame(_Base):  # type: ignore[misc, valid-type]
    """One episode at a time. Agents are the roles of the game but `random`.

    Who waits has one legal action, `noop` in most games; it may be left out of the actions. All
    agents see the whole state: int8 [fluents], or int8 [channels, rows, columns] with `board`.
    `infos` have `action_mask`, int8 [actions]. Rewards are the goals at the end, from 0 to 1.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "ludens"}

    def __init__(self, game: Game, *, board: bool = False, max_steps: int = 0,
                 render_mode: Optional[str] = None):
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not '{render_mode}'")
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        self._env = VecEnv(game, 1, autoreset="disabled", max_steps=max_steps,
                           observation="board:uint8" if board else "uint8")
        self.observation_spaces = {agent: MultiBinary(self._env.observations.shape[1:])
                                   for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(game.actions(p)))
                              for p, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> MultiBinary:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[
            dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        self._env.reset(seed)
        self.agents = list(self.possible_agents)
        return self._seen()

    def step(self, actions: dict[str, int]) -> tuple[
            dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool],
            dict[str, dict[str, Any]]]:
        if not self.agents:
            raise RuntimeError("no episode is under way: call reset first")
        joint = np.empty((1, len(self.agents)), np.int32)
        for p, agent in enumerate(self.agents):
            legal = np.flatnonzero(self._env.mask_of(p)[0])
            if agent not in actions and len(legal) != 1:
                raise ValueError(f"{agent} has {len(legal)} legal actions and gave none")
            joint[0, p] = actions.get(agent, legal[0] if len(legal) else -1)
        unknown = sorted(set(actions) - set(self.agents))
        if unknown:
            raise ValueError(f"there is no agent {', '.join(unknown)}")
        self._env.step(joint)
        observations, infos = self._seen()
        over, cut = bool(self._env.terminated[0]), bool(self._env.truncated[0])
        rewards = {agent: float(self._env.rewards[0, p]) for p, agent in enumerate(self.agents)}
        agents = self.agents
        if over or cut:
            self.agents = []
        return (observations, rewards, {agent: over for agent in agents},
                {agent: cut for agent in agents}, infos)

    def _seen(self) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        seen = self._env.observations[0].astype(np.int8)
        return ({agent: seen.copy() for agent in self.agents},
                {agent: {"action_mask": self._env.mask_of(p)[0].astype(np.int8)}
                 for p, agent in enumerate(self.agents)})

    def state(self) -> np.ndarray:
        """The whole state, which is what every agent sees."""
        return self._env.observations[0].astype(np.int8)

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            return None
        return str(self.game.state(self._env.states()[0]))

    def close(self) -> None:
        self._env.close()
