# SPDX-License-Identifier: MIT
"""Every player against every other, with seats exchanged."""
from __future__ import annotations

import collections
import dataclasses
import itertools
import math
import os
import pathlib
import queue
import threading
from typing import Iterator, Mapping, Optional, Sequence, Union

from .game import Game
from .match import AnyPlayer, Match, Record, Stopped
from .player import Player
from .thinker import player_name


@dataclasses.dataclass(frozen=True)
class PlayedMatch:
    """A match that is over."""

    number: int               # in the schedule, from 0
    game: Game
    players: tuple[str, ...]  # names, by role without `random`
    goals: tuple[int, ...]    # likewise, 0 to 100
    faults: int               # answers that were not taken
    record: Record

    def __str__(self) -> str:
        seats = ", ".join(f"{name} {goal}" for name, goal in zip(self.players, self.goals))
        return f"{self.game.name}: {seats}" + (f" ({self.faults} faults)" if self.faults else "")


@dataclasses.dataclass(frozen=True)
class Standing:
    """What a player has reached so far."""

    name: str
    matches: int
    mean: float   # goal, 0 to 100
    error: float  # standard error of the mean
    faults: int


class Tournament:
    """Matches of all players in all seats of all games; iterate over it to play them.

        tournament = ludens.Tournament(["tic_tac_toe", "connect_four"],
                                       {"mine": MyPlayer, "mcts": "mcts:playouts=500"}, rounds=2)
        for match in tournament:
            print(f"{tournament.done} of {tournament.total}  {match}")
        print(tournament)

    games       games, names or paths
    players     what `Match` takes, by name or in a list; a `Player` is made anew for each match, and
                so is a class. Give classes where several matches run at once
    rounds      how often each seating is played
    at_once     matches that run at the same time, each on a thread of its own
    records     a folder for records, one file a match; None: they are not kept

    Each game of n roles is played by each choice of n players in each order; if there are fewer
    players than roles, some have several seats. Iterating goes on where it was left; a match that was
    broken off, by Ctrl-C for example, is played again then.
    """

    def __init__(self, games: Sequence[Union[Game, str, os.PathLike[str]]],
                 players: Union[Mapping[str, AnyPlayer], Sequence[AnyPlayer]], *, rounds: int = 1,
                 at_once: int = 1, start_clock: float = 10.0, play_clock: float = 5.0,
                 seed: int = 1, records: Optional[Union[str, os.PathLike[str]]] = None):
        if not isinstance(players, Mapping):
            players = _named(players)
        if not players or not games or rounds < 1 or at_once < 1:
            raise ValueError("a tournament has at least a game, a player, a round and a match at "
                             "once")
        self.players = dict(players)
        self.at_once = at_once
        self._clocks = {"start_clock": start_clock, "play_clock": play_clock}
        self._seed = seed
        self._folder = None if records is None else pathlib.Path(records)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        loaded = [game if isinstance(game, Game) else Game(game) for game in games]
        self._schedule = [(game, seats) for _ in range(rounds) for game in loaded
                          for seats in _seatings(list(self.players), len(game.players))]
        self._played: dict[int, PlayedMatch] = {}

    @property
    def total(self) -> int:
        """Matches of the schedule."""
        return len(self._schedule)

    @property
    def done(self) -> int:
        """Matches that are over."""
        return len(self._played)

    @property
    def matches(self) -> list[PlayedMatch]:
        """Those that are over, in the order of the schedule."""
        return [self._played[number] for number in sorted(self._played)]

    def __iter__(self) -> Iterator[PlayedMatch]:
        """Plays what is left, and gives each match as it ends."""
        left = [n for n in range(self.total) if n not in self._played]
        for match in self._one_by_one(left) if self.at_once == 1 else self._together(left):
            self._played[match.number] = match
            if self._folder is not None:
                match.record.save(self._folder / f"{match.number:05}.json")
            yield match

    def play(self) -> list[Standing]:
        """All that is left."""
        for _ in self:
            pass
        return self.standings

    def _one_by_one(self, numbers: list[int]) -> Iterator[PlayedMatch]:
        for number in numbers:
            match = self._match(number)
            match.play()
            yield self._over(number, match)

    def _together(self, numbers: list[int]) -> Iterator[PlayedMatch]:
        waiting, over = collections.deque(numbers), queue.Queue()
        running: set[Match] = set()

        def work() -> None:
            while waiting:
                try:
                    number = waiting.popleft()
                    match = self._match(number)
                    running.add(match)
                    match.play()
                    running.discard(match)
                    over.put(self._over(number, match))
                except (IndexError, Stopped):  # another thread has the last one; or all is over
                    return
                except Exception as error:
                    over.put(error)

        threads = [threading.Thread(target=work, name="ludens-match", daemon=True)
                   for _ in range(self.at_once)]
        for thread in threads:
            thread.start()
        try:
            for _ in numbers:
                found = over.get()
                if isinstance(found, Exception):
                    raise found
                yield found
        finally:
            waiting.clear()
            for thread in threads:
                while thread.is_alive():
                    for match in list(running):
                        match.stop()
                    thread.join(0.01)

    def _match(self, number: int) -> Match:
        game, seats = self._schedule[number]
        players = [self.players[name] for name in seats]
        return Match(game, [p.anew() if isinstance(p, Player) else p for p in players],
                     seed=self._seed + number, names=seats, **self._clocks)

    def _over(self, number: int, match: Match) -> PlayedMatch:
        goals = tuple(goal for role, goal in enumerate(match.goals)
                      if role != match.game.random_role)
        return PlayedMatch(number, match.game, self._schedule[number][1], goals,
                           len(match.faults), match.record)

    @property
    def standings(self) -> list[Standing]:
        """All players by what they have reached so far, the best first."""
        table = []
        for name in self.players:
            goals = [goal for match in self.matches
                     for player, goal in zip(match.players, match.goals) if player == name]
            roles = [(match, match.game.players[seat]) for match in self.matches
                     for seat, player in enumerate(match.players) if player == name]
            faults = sum(1 for match, role in roles for row in match.record.errors
                         if row[match.game.roles.index(role)])
            mean = sum(goals) / len(goals) if goals else 0.0
            spread = sum((goal - mean) ** 2 for goal in goals)
            error = math.sqrt(spread / (len(goals) - 1) / len(goals)) if len(goals) > 1 else 0.0
            table.append(Standing(name, len(goals), mean, error, faults))
        return sorted(table, key=lambda standing: -standing.mean)

    def __str__(self) -> str:
        width = max(6, *(len(name) for name in self.players))
        lines = [f"{'player':{width}} matches   mean   error  faults"]
        lines += [f"{s.name:{width}} {s.matches:7} {s.mean:6.1f} {s.error:7.1f} {s.faults:7}"
                  for s in self.standings]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<ludens.Tournament: {self.done} of {self.total} matches played>"


def _named(players: Sequence[AnyPlayer]) -> dict[str, AnyPlayer]:
    named: dict[str, AnyPlayer] = {}
    for player in players:
        name = player if isinstance(player, str) else player_name(player)
        if name in named:
            raise ValueError(f"two players are called {name}: give them names, as in "
                             f"{{'first': ..., 'second': ...}}")
        named[name] = player
    return named


def _seatings(names: list[str], seats: int) -> list[tuple[str, ...]]:
    if len(names) >= seats:
        return list(itertools.permutations(names, seats))
    return [seating for seating in itertools.product(names, repeat=seats)
            if len(set(seating)) == len(names)]
