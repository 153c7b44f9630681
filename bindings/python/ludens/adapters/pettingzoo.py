# SPDX-License-Identifier: MIT
"""A game in the forms of PettingZoo: `ParallelGame` takes an action of each agent in each step, in
`TurnGame` one agent acts after the other."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from ..game import Game
from .episode import AgentsEpisode

try:
    from pettingzoo import AECEnv as _TurnBase, ParallelEnv as _ParallelBase
except ImportError:
    _TurnBase = _ParallelBase = object


class ParallelGame(AgentsEpisode, _ParallelBase):  # type: ignore[misc, valid-type]
    """One episode at a time. Agents are the roles of the game but `random`.

    Who waits has one legal action, `noop` in most games; it may be left out of the actions. Each
    observation has `observation`, the whole state, int8 [fluents], or int8 [channels, rows, columns]
    with `board`, and `action_mask`, int8 [actions], which is in `infos`, too. Rewards are the goals at
    the end, from 0 to 1. An action that the mask does not allow raises IllegalActionError; with
    `illegal="end"` it ends the episode, with reward -1 for who chose it and 0 for the others.
    """

    def __init__(self, game: Game, *, board: bool = False, max_steps: int = 0,
                 render_mode: Optional[str] = None, illegal: str = "raise"):
        self._open_agents(game, board, max_steps, render_mode, illegal)

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[
            dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        self._reset(seed)
        self.agents = list(self.possible_agents)
        return self._seen()

    def step(self, actions: dict[str, int]) -> tuple[
            dict[str, dict[str, np.ndarray]], dict[str, float], dict[str, bool], dict[str, bool],
            dict[str, dict[str, Any]]]:
        if not self.agents:
            raise RuntimeError("no episode is under way: call reset first")
        unknown = sorted(set(actions) - set(self.agents))
        if unknown:
            raise ValueError(f"there is no agent {', '.join(unknown)}")
        self._offenders.clear()  # of a step that was refused
        joint = np.empty((1, len(self.agents)), np.int32)
        for p, agent in enumerate(self.agents):
            if agent in actions:
                joint[0, p] = self._legal(p, actions[agent])
                continue
            legal = np.flatnonzero(self._mask(p))
            if len(legal) != 1:
                raise ValueError(f"{agent} has {len(legal)} legal actions and gave none")
            joint[0, p] = legal[0]
        if not self._offenders:
            self._env.step(joint)
        observations, infos = self._seen()
        rewards = {agent: self._reward(p) for p, agent in enumerate(self.agents)}
        agents = self.agents
        if self._over or self._cut:
            self.agents = []
        return (observations, rewards, {agent: self._over for agent in agents},
                {agent: self._cut for agent in agents}, infos)

    def _seen(self) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        return {agent: self._observed_by(agent) for agent in self.agents}, self._infos()


class TurnGame(AgentsEpisode, _TurnBase):  # type: ignore[misc, valid-type]
    """One episode at a time, one agent after the other: those that have a choice, in the order of
    the rules. If several have one at the same time, none sees what the others have chosen; if no
    agent has one, the game goes on without them. Observations, masks and rewards as in `ParallelGame`.

        game.reset(seed=1)
        for agent in game.agent_iter():
            observation, reward, terminated, truncated, info = game.last()
            over = terminated or truncated
            game.step(None if over else choose(observation["observation"], observation["action_mask"]))
    """

    metadata = {**AgentsEpisode.metadata, "is_parallelizable": True}

    def __init__(self, game: Game, *, board: bool = False, max_steps: int = 0,
                 render_mode: Optional[str] = None, illegal: str = "raise"):
        self._open_agents(game, board, max_steps, render_mode, illegal)

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        self._reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self._go_on()

    def step(self, action: Optional[int]) -> None:
        if not self.agents:
            raise RuntimeError("no episode is under way: call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._leave(agent, action)
        player = self.possible_agents.index(agent)
        self._joint[0, player] = self._legal(player, action)
        self._cumulative_rewards[agent] = 0.0
        self._waiting.pop(0)
        self.rewards = {name: 0.0 for name in self.agents}
        if self._offenders:
            self._end()
        elif self._waiting:
            self.agent_selection = self._waiting[0]
        else:
            self._env.step(self._joint)
            self._go_on()

    def _go_on(self) -> None:
        """To the next state in which an agent has a choice, or to the end."""
        while not (self._over or self._cut):
            self._joint = np.full((1, len(self.possible_agents)), -1, np.int32)
            self.infos = self._infos()
            self._waiting = [agent for agent in self.agents
                             if self.infos[agent]["action_mask"].sum() > 1]
            if self._waiting:
                self.agent_selection = self._waiting[0]
                return
            self._env.step(self._joint)
        self._end()

    def _end(self) -> None:
        for p, agent in enumerate(self.possible_agents):
            self.rewards[agent] = self._reward(p)
            self._cumulative_rewards[agent] += self.rewards[agent]
            self.terminations[agent], self.truncations[agent] = self._over, self._cut
        self.infos = self._infos()
        self.agent_selection = self.agents[0]

    def _leave(self, agent: str, action: Optional[int]) -> None:
        if action is not None:
            raise ValueError("the episode is over: the last action of each agent is None")
        self.agents.remove(agent)
        for table in (self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del table[agent]
        self.rewards = {name: 0.0 for name in self.agents}  # those of the end were given with it
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self._observed_by(agent)

    def last(self, observe: bool = True) -> tuple[Optional[dict[str, np.ndarray]], float, bool, bool,
                                                  dict[str, Any]]:
        """Observation, reward since it last acted, terminated, truncated and info of the agent
        whose turn it is."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent whose turn it is, until all have left."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1
