# SPDX-License-Identifier: MIT
"""Thousands of episodes of a game at once."""
from __future__ import annotations

import dataclasses
from typing import Any, Iterable, Optional, Union

import numpy as np

from . import _core
from .game import Game

_DTYPES = {"bits": np.uint64, "bool": np.bool_, "uint8": np.uint8, "float32": np.float32}


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """Slots as they were: `slots` (their numbers) and `rows`, uint64 [slots, words]."""

    slots: tuple[int, ...]
    rows: np.ndarray


@dataclasses.dataclass(frozen=True)
class Successors:
    """All that follows from a batch of states, one entry for each joint action of each state."""

    parent: np.ndarray    # uint32 [n]: index of the state
    actions: np.ndarray   # int32 [n, players]
    states: np.ndarray    # uint64 [n, words]
    masks: np.ndarray     # uint64 [n, mask words]
    terminal: np.ndarray  # bool [n]
    rewards: np.ndarray   # float32 [n, players], 0 where not terminal


class VecEnv:
    """`num_envs` slots, each with an episode of the game.

    Actions are numbers by `game.actions(player)`; -1 is any legal action, uniformly. All results are
    arrays of this object that each step writes in place: copy what you keep.

    game         the game
    num_envs     slots; multiples of 512 are best
    seed         of the moves of `random`, and of actions that are drawn here
    threads      that share the slots; results don't depend on their number
    autoreset    when a slot that has ended restarts, in Gymnasium's terms: `same_step` (what is
                 seen is the new initial state; the last one is in `final_observations` if
                 `keep_final` is set), `next_step` (in the step that follows, whose action is
                 ignored; the fastest) or `disabled`
    illegal      what an illegal action does: `error` (IllegalActionError, and no slot has moved) or
                 `end` (the episode terminates, with the least reward for all players)
    max_steps    episodes are truncated after this many steps; 0: never
    rewards      what goals of 0 and 100 are worth; a terminal state gives each player its own
    observation  `bits` (uint64 [n, words]), `bool`, `uint8` or `float32` ([n, fluents]); or
                 `board:uint8`, `board:bool`, `board:float32` ([n, channels, rows, columns], see
                 `game.board`; what is not on the board is in `others`, [n, len(board.others)])
    mask         `bool` ([n, actions]) or `bits` (uint64 [n, words]): legal actions, those of player
                 0 first; `mask_of(player)` is a player's part

    One thread at a time may call it; the GIL is released while it works. After a fork, make a new
    one.
    """

    def __init__(self, game: Game, num_envs: int, *, seed: int = 0, threads: int = 1,
                 autoreset: str = "same_step", illegal: str = "error", max_steps: int = 0,
                 rewards: tuple[float, float] = (0.0, 1.0), observation: str = "bool",
                 mask: str = "bool", keep_final: bool = False,
                 out: Optional[dict[str, np.ndarray]] = None):
        if num_envs < 1:
            raise ValueError("an environment has at least one slot")
        self.game = game
        self.num_envs = num_envs
        self.players = game.players
        self._core = _core.EnvironmentCore(game._core, num_envs, seed, threads, autoreset, illegal,
                                           max_steps, *rewards)
        self._out = dict(out or {})
        counts = [len(game.actions(p)) for p in range(len(self.players))]
        self._begin = np.concatenate([[0], np.cumsum(counts)])
        self._mask_form = mask
        n, players = num_envs, len(self.players)
        self.rewards = self._array("rewards", (n, players), np.float32)
        self.terminated = self._array("terminated", (n,), np.bool_)
        self.truncated = self._array("truncated", (n,), np.bool_)
        self._core.bind_results(self.rewards, self.terminated, self.truncated)
        kind, _, form = observation.rpartition(":")
        if kind not in ("", "board"):
            raise ValueError(f"an observation is a form or 'board:FORM', not '{observation}'")
        what = kind or "state"
        self.observations = self._rows("observations", what, form, False)
        self.others = self._rows("others", "others", form, False) if kind else None
        self.masks = self._rows("masks", "mask", mask, False)
        self.final_observations = (self._rows("final_observations", what, form, True)
                                   if keep_final else None)
        if self._out:
            raise ValueError(f"out has arrays that nothing is written to: {', '.join(self._out)}")
        self._core.look()

    def _array(self, name: str, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        given = self._out.pop(name, None)
        return np.zeros(shape, dtype) if given is None else given

    def _rows(self, name: str, what: str, form: str, last: bool) -> np.ndarray:
        if form not in _DTYPES:
            raise ValueError(f"rows are written as {', '.join(_DTYPES)}, not '{form}'")
        array = self._array(name, self._shape(what, form), _DTYPES[form])
        self._core.bind_rows(what, form, array, last)
        return array

    def _shape(self, what: str, form: str) -> tuple[int, ...]:
        if what in ("board", "others"):
            board = self.game.board
            if board is None:
                raise ValueError("no board was found in the rules of this game")
            if what == "board" and form != "bits":
                return (self.num_envs, *board.shape)
            size = int(np.prod(board.shape)) if what == "board" else len(board.others)
        else:
            size = len(self.game.fluents) if what == "state" else int(self._begin[-1])
        return (self.num_envs, (size + 63) // 64 if form == "bits" else size)

    # --- episodes

    def reset(self, seed: Optional[int] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """All slots at the initial state. With a seed, chance is as in a new environment."""
        self._core.reset(seed)
        self.rewards[...] = 0
        self.terminated[...] = False
        self.truncated[...] = False
        return self.observations, self._info()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray,
                                                 dict[str, Any]]:
        """A joint action in every slot: `actions` int32 [n, players] (or [n] for one player).

        Returns observations, rewards float32 [n, players], terminated bool [n], truncated bool [n]
        and `{"action_mask": masks}`.
        """
        actions = np.asarray(actions)
        if actions.ndim == 1 and len(self.players) == 1:
            actions = actions.reshape(-1, 1)
        self._core.step(actions)
        return self.observations, self.rewards, self.terminated, self.truncated, self._info()

    def roll(self, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray,
                                        dict[str, Any]]:
        """Makes this many steps with random legal actions. Returns the result of the last one."""
        self._core.roll(steps)
        return self.observations, self.rewards, self.terminated, self.truncated, self._info()

    def sample(self, out: Optional[np.ndarray] = None) -> np.ndarray:
        """A random legal action for each slot and player: int32 [n, players]; -1 where none is."""
        if out is None:
            out = np.empty((self.num_envs, len(self.players)), np.int32)
        self._core.draw(out)
        return out

    def mask_of(self, player: int) -> np.ndarray:
        """The legal actions of a player, a view of `masks`: bool [n, actions]."""
        if self._mask_form == "bits":
            raise ValueError("masks are bits here: make the environment with mask='bool'")
        return self.masks[:, self._begin[player]:self._begin[player + 1]]

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.masks}
        if self.others is not None:
            info["others"] = self.others
        if self.final_observations is not None:
            info["final_obs"] = self.final_observations
        return info

    # --- slots

    def save(self, slots: Optional[Iterable[int]] = None) -> Snapshot:
        """Slots as they are now, for `restore`; all of them if none are named."""
        chosen = list(range(self.num_envs)) if slots is None else [int(s) for s in slots]
        return Snapshot(tuple(chosen), self._core.save(chosen))

    def restore(self, snapshot: Snapshot, slots: Optional[Iterable[int]] = None) -> None:
        """Puts them back, or into other slots. Of these, `terminated` and `truncated` are as they were
        saved, and rewards 0."""
        chosen = list(snapshot.slots) if slots is None else [int(s) for s in slots]
        self._core.restore(chosen, snapshot.rows, True)

    def states(self) -> np.ndarray:
        """All slots as rows of bits: uint64 [n, words]."""
        return np.ascontiguousarray(self._core.save(list(range(self.num_envs)))[:, :-1])

    def set_states(self, states: np.ndarray, slots: Optional[Iterable[int]] = None) -> None:
        """Begins slots at states, uint64 [len(slots), words], as `State.bits` has them. Of these,
        `terminated` says whether the state is terminal; rewards are 0."""
        chosen = list(range(self.num_envs)) if slots is None else [int(s) for s in slots]
        self._core.restore(chosen, states, False)

    @property
    def total_steps(self) -> int:
        """Joint moves made so far, in all slots."""
        return self._core.steps

    def close(self) -> None:
        """Ends its threads and gives its memory back. Not to be used afterwards."""
        if not self._core.closed:
            self._core.close()

    def __enter__(self) -> VecEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ludens.VecEnv {self.game.name}, {self.num_envs} slots>"


def expand(game: Game, states: np.ndarray, *, rewards: tuple[float, float] = (0.0, 1.0),
           seed: int = 0) -> Successors:
    """All successors of states, uint64 [n, words]. Where `random` moves, its moves are drawn."""
    return Successors(**_core.expand(game._core, states, *rewards, seed))


def play_out(game: Game, states: np.ndarray, per_state: int = 1,
             seed: int = 1) -> tuple[np.ndarray, int]:
    """Random games from states, uint64 [n, words], to their ends.

    Returns the mean goals, float64 [n, roles], 0 to 100, and the number of joint moves made.
    """
    if per_state < 1:
        raise ValueError("per_state is 1 at least")
    sums, steps = _core.play_out(game._core, states, per_state, seed)
    return sums / per_state, steps
