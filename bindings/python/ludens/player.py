# SPDX-License-Identifier: MIT
"""Searches of the engine."""
from __future__ import annotations

import atexit
import dataclasses
import time
import weakref
from typing import Callable, Optional

from . import _core
from .evaluator import Evaluator, batches_of
from .game import Role, State
from .thinker import player_name


@dataclasses.dataclass(frozen=True)
class MoveValue:
    """What is known of one move. Values are goals of the searching role, 0 to 100."""

    move: str
    value: float
    visits: int  # descents through it, or states below it
    low: float   # the value is proved to lie from low to high; 0 to 100 if information is hidden
    high: float
    line: list[tuple[str, ...]]  # joint moves that begin with it, as far as they are known


@dataclasses.dataclass(frozen=True)
class Choice:
    """What a search has chosen."""

    move: str
    value: float      # goal of the searching role, 0 to 100
    exact: bool       # the value is proved; never if information is hidden
    depth: int        # deepest joint move reached
    iterations: int
    nodes: int        # states visited
    seconds: float
    root: list[MoveValue]        # legal moves in their order; may be empty
    line: list[tuple[str, ...]]  # joint moves of the principal variation
    explanation: str             # how the choice was made; may be empty


@dataclasses.dataclass(frozen=True)
class Solution:
    """What a position is worth against best play, as far as it is known."""

    value: float  # 0 to 100
    low: float
    high: float
    exact: bool
    move: Optional[str]
    nodes: int
    root: list[MoveValue]  # where it was asked for


def strategies() -> dict[str, str]:
    """Names of the strategies, and a line on each."""
    return _core.strategies()


def _only_role(state: State, role: Optional[Role]) -> int:
    if role is not None:
        return state.game._core.role(role)
    choosing = state.to_move
    if len(choosing) > 1:
        names = ", ".join(state.game.roles[r] for r in choosing)
        raise ValueError(f"several roles have a choice here: name one of {names}")
    return choosing[0] if choosing else 0


class Player:
    """A strategy that keeps what it finds from move to move of a match.

    `strategy` is a name with options, `mcts:playouts=2000,seed=7`; `strategies()` lists them.
    With an `evaluator` (see `Evaluator`), the tree search `value` asks it for values and priors of
    its leaves, `leaves` states at a time, `nodes` states a move at most:

        ludens.Player("value:leaves=64,nodes=800,exploration=1.0", evaluator=my_network)

    What the evaluator raises ends the search and is raised by `choose`.
    """

    def __init__(self, strategy: str = "auto", *, evaluator: Optional[Evaluator] = None,
                 threads: int = 1, memory_mb: int = 1024):
        self.strategy = strategy
        self.evaluator = evaluator
        self._resources = {"threads": threads, "memory_mb": memory_mb}
        self._core = _core.PlayerCore(strategy, threads, memory_mb << 20,
                                      None if evaluator is None else batches_of(evaluator))
        _players.add(self)

    def stop(self) -> None:
        """Ends the search that runs on another thread: `choose` returns what it has."""
        self._core.stop()

    def anew(self) -> Player:
        """A player like this one that knows of no match."""
        return Player(self.strategy, evaluator=self.evaluator, **self._resources)

    @property
    def name(self) -> str:
        """What records and tables call it."""
        if self.evaluator is None:
            return self.strategy
        return f"{player_name(self.evaluator)} {self.strategy}"

    def choose(self, state: State, role: Optional[Role] = None, seconds: float = 1.0) -> Choice:
        """Thinks for `seconds` at most; Ctrl-C ends it. `role`: that with a choice, if it is one.

        In a game of hidden information the search gets what the role knows, and nothing else of
        the state; if nothing that fits this is found in a quarter of the time, the choice is the
        first legal move.
        """
        return self._choose(state, role, seconds)

    def _choose(self, state: State, role: Optional[Role], seconds: float,
                stopped: Optional[Callable[[], bool]] = None) -> Choice:
        """`stopped` is asked once the search can be stopped: whether that has happened before."""
        found = self._core.choose(state, _only_role(state, role), float(seconds), stopped)
        found["root"] = [MoveValue(*m) for m in found["root"]]
        return Choice(**found)

    def __repr__(self) -> str:
        return f"<ludens.Player {self.strategy}>"


_players: weakref.WeakSet[Player] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Searches on threads that no caller waits for must not outlive the interpreter."""
    end = time.monotonic() + 2.0
    for player in list(_players):
        player.stop()
        while player._core.thinking and time.monotonic() < end:
            time.sleep(0.005)


def search(state: State, role: Optional[Role] = None, strategy: str = "auto",
           seconds: float = 1.0, *, threads: int = 1, memory_mb: int = 1024) -> Choice:
    """One search from one state."""
    player = Player(strategy, threads=threads, memory_mb=memory_mb)
    return player.choose(state, role, seconds)


def solve(state: State, role: Optional[Role] = None, *, method: str = "search",
          seconds: float = 60.0, all_moves: bool = False, memory_mb: int = 1024) -> Solution:
    """The exact value of a state, or what is known of it after `seconds`.

    `method`: `search` (alpha-beta), `proof` (proof numbers) or `backward` (all states). ValueError
    in a game of hidden information, where a state has no such value.
    """
    found = _core.solve(state, _only_role(state, role), method, float(seconds), all_moves,
                        memory_mb << 20)
    found["root"] = [MoveValue(*m) for m in found["root"]]
    return Solution(**found)
