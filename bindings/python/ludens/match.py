# SPDX-License-Identifier: MIT
"""Matches between strategies of the engine and players written in Python, and their records."""
from __future__ import annotations

import os
import random
import threading
import time
from typing import Callable, Iterator, Optional, Sequence, Union

from . import _core
from .game import Game, State
from .player import Player
from .thinker import AnyThinker, Asked, Call, Position, StillThinking, Told, player_name

AnyPlayer = Union[str, Player, AnyThinker]


class Record:
    """A match as it is kept."""

    def __init__(self, core: _core.RecordCore):
        self._core = core

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._core, name)

    def json(self) -> str:
        """The record as ggp.org keeps it: one object on one line."""
        return self._core.json()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it; `ludens replay` and `read_records` read it."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.json() + "\n")

    def disagreements(self, game: Game) -> list[str]:
        """Where the record and the rules part; empty for a match of that game."""
        return self._core.disagreements(game._core)

    def __repr__(self) -> str:
        end = f"goals {self.goals}" if self.completed else "not completed"
        return f"<ludens.Record {self.match_id}: {len(self.moves)} moves, {end}>"


def read_records(path: Union[str, os.PathLike[str]]) -> list[Record]:
    """The records of a file or folder, in any form that `ludens replay` reads."""
    return [Record(core) for core in _core.read_records(os.fspath(path))]


class _Searching:
    """A player of the engine, asked as one in Python is."""

    def __init__(self, player: Player, stopped: Callable[[], bool]):
        self._player = player
        self._stopped = stopped

    def think(self, position: Position, deadline: float) -> str:
        seconds = max(0.0, deadline - time.monotonic())
        return self._player._choose(position.state, position.role, seconds, self._stopped).move

    def stop(self) -> None:
        self._player.stop()


class Stopped(Exception):
    """The match was aborted."""


class _Seat:
    """One player of a match, asked under a clock."""

    def __init__(self, player: AnyPlayer, seed: int, stopped: Callable[[], bool], told: Told):
        self.name = player if isinstance(player, str) else player_name(player)
        if isinstance(player, str):
            player = Player(_seeded(player, seed))
        self._random = random.Random(seed)
        self._stopped = stopped  # whether the match is
        # A search without an evaluator ends in time, and checks for Ctrl-C.
        trusted = isinstance(player, Player) and player.evaluator is None
        self._search = _Searching(player, stopped) if isinstance(player, Player) else None
        self._asked = None if trusted else Asked(self._search or player, told)

    def start(self, game: Game, role: int, deadline: float) -> str:
        if self._asked is None:
            return ""
        return self._answer(lambda asked: asked.start(game, role, deadline), deadline)[1]

    def stop(self) -> None:
        """Ends the answer that is waited for; `stopped` must say so before."""
        if self._search is not None:
            self._search.stop()
        if self._asked is not None:
            self._asked.abandon()

    def move(self, state: State, role: int, deadline: float) -> tuple[str, str]:
        """A legal move, and the code of the fault if it is not the player's own."""
        legal = state.legal_moves(role)
        if len(legal) == 1:
            return legal[0], ""
        if self._asked is None:
            move = self._search.think(Position(state, role), deadline)
            return (move, "") if move in legal else (self._random.choice(legal), "IL")
        told = state if self._search else state._believed(role, deadline - time.monotonic(),
                                                          self._stopped)
        if told is None:  # nothing that the role knows could be told in time
            move, fault = None, "TO"
        else:
            position = Position(told, role)
            move, fault = self._answer(lambda asked: asked.think(position, deadline), deadline)
        if not fault and move not in legal:
            fault = "IL"
        return (self._random.choice(legal), fault) if fault else (move, "")

    def _answer(self, ask: Callable[[Asked], Call], deadline: float) -> tuple[object, str]:
        """What a call returns by the deadline. A call that continues is abandoned, and its player
        is not asked again until it has returned."""
        try:
            call = ask(self._asked)
            if self._stopped():  # and perhaps before there was a call to abandon
                call.abandon()
            answer = call.wait(deadline - time.monotonic())
        except StillThinking:
            return None, "TO"
        except Exception:  # a player's fault is its own
            return None, "CE"
        return (None, "TO") if answer is None else (answer[0], "")


def _seeded(strategy: str, seed: int) -> str:
    """The strategy with that seed, where its text has none."""
    name, _, options = strategy.partition(":")
    if any(option.startswith("seed=") for option in options.split(",")):
        return strategy
    return f"{name}:{options + ',' if options else ''}seed={max(1, seed)}"


class Match:
    """A match between players, one a role in the order of the rules without `random`.

    A player is a strategy of the engine (`mcts:playouts=2000`), a `Player`, an object or class with
    `think(position, deadline)` (see `Thinker`), or a function of this form. If a player is late,
    illegal or raises, a random legal move replaces its answer, and the record contains the fault
    (`TO`, `IL`, `CE`); what it raised is logged with its traceback by the logger `ludens`, once for
    each place in the code. What is no player is a TypeError. A player with a single legal move is not asked. In a game of hidden
    information players know their own moves and percepts (`Position.known`) and get a state that
    fits these. `seed`: of random moves, of replaced moves, and of strategies by name without a seed.
    `names`: what the record calls the players; `match_id`: the match. Clocks are seconds, from 0 to
    86400.

        match = ludens.Match(game, ["mcts:playouts=500", my_player], play_clock=1.0)
        for state in match:
            print(state)
        print(match.goals)
    """

    def __init__(self, game: Game, players: Sequence[AnyPlayer], *, start_clock: float = 10.0,
                 play_clock: float = 5.0, seed: int = 1, names: Optional[Sequence[str]] = None,
                 match_id: Optional[str] = None, _told: Optional[Told] = None):
        roles = [r for r in range(len(game.roles)) if r != game.random_role]
        if len(players) != len(roles):
            raise ValueError(f"{game.name} needs {len(roles)} players: "
                             f"{', '.join(game.roles[r] for r in roles)}")
        _core.check_clocks(start_clock, play_clock)
        self.game = game
        self.start_clock = start_clock
        self.play_clock = play_clock
        self.state = game.initial
        self._told = game._complete.initial  # with all facts, for the record
        self._stopped = threading.Event()
        self._random = random.Random(seed)
        told = set() if _told is None else _told
        self._seats = {role: _Seat(player, (seed + role) % 2**64, self._stopped.is_set, told)
                       for role, player in zip(roles, players)}
        self._id = match_id or _core.new_match_id(game.name)
        self._start_time = time.time_ns() // 1_000_000
        called = dict(zip(roles, names or [self._seats[r].name for r in roles]))
        self._called = [called.get(r, "random") for r in range(len(game.roles))]
        self._seed = seed
        self._errors: list[list[str]] = []
        self._latencies: list[list[float]] = []
        self._states: list[str] = []
        self._times: list[int] = []
        self._note(self._started())

    def _started(self) -> list[str]:
        faults = [""] * len(self.game.roles)
        for role, seat in self._seats.items():
            faults[role] = seat.start(self.game, role, time.monotonic() + self.start_clock)
        return faults

    def _note(self, faults: list[str], latencies: Optional[list[float]] = None) -> None:
        self._states.append(self._told.facts)
        self._times.append(time.time_ns() // 1_000_000)
        self._errors.append(faults)
        self._latencies.append(latencies or [0.0] * len(self.game.roles))

    def step(self) -> State:
        """One joint move. Players are asked one after the other, each with a whole clock."""
        if self.state.is_terminal:
            raise ValueError("the match is over")
        joint, faults, latencies = [], [], []
        for role in range(len(self.game.roles)):
            self._expect_open()
            begin, fault = time.monotonic(), ""
            if role in self._seats:
                move, fault = self._seats[role].move(self.state, role, begin + self.play_clock)
            else:
                move = self._random.choice(self.state.legal_moves(role))
            joint.append(move)
            faults.append(fault)
            latencies.append((time.monotonic() - begin) * 1000)
        self._expect_open()
        self.state = self.state.play(joint)
        self._told = self._told.play(joint)
        self._note(faults, latencies)
        return self.state

    def _expect_open(self) -> None:
        if self._stopped.is_set():
            raise Stopped("the match was broken off")

    def stop(self) -> None:
        """Breaks the match off, from any thread: searches end, players in Python are left behind,
        and no further step is made. The step that is under way raises `Stopped`."""
        self._stopped.set()
        for seat in self._seats.values():
            seat.stop()

    def __iter__(self) -> Iterator[State]:
        """The states from here to the end, as they are played."""
        yield self.state
        while not self.state.is_terminal:
            yield self.step()

    def play(self) -> Record:
        """To the end."""
        for _ in self:
            pass
        return self.record

    @property
    def goals(self) -> tuple[int, ...]:
        """Goals of all roles, once the match is over."""
        if not self.state.is_terminal:
            raise ValueError("the match is not over")
        return self.state.goals

    @property
    def faults(self) -> list[tuple[int, int, str]]:
        """(step, role, code) of each answer that was not taken; step 0 is the start."""
        return [(step, role, code) for step, row in enumerate(self._errors)
                for role, code in enumerate(row) if code]

    @property
    def record(self) -> Record:
        """The match as far as it has come: what follows does not change it."""
        core = _core.RecordCore()
        core.match_id, core.start_time_ms, core.seed = self._id, self._start_time, self._seed
        core.game, core.rulesheet = self.game.name, self.game.text
        core.roles, core.players = list(self.game.roles), self._called
        core.start_clock, core.play_clock = self.start_clock, self.play_clock
        core.states, core.state_times_ms = self._states, self._times
        core.moves = [list(joint) for joint in self.state.moves]
        core.percepts = _core.percepts_of(self._told)
        core.errors, core.latencies_ms = self._errors, self._latencies
        core.completed = self.state.is_terminal
        core.goals = list(self.state.goals) if self.state.is_terminal else []
        return Record(core)
