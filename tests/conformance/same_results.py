#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what two builds of the program find where no clock has a say, for changes that should change no behaviour.

    same_results.py BEFORE NOW [--traces FOLDER]

BEFORE and NOW are programs. Both play matches of strategies with limits of counts and a seed on the bundled games, a
tournament of such, and check, show, count (perft), compare machines (agree) and prove (solve); with --traces, a folder
with games/ and traces/, also `conform` on some large ones. What is printed and recorded has to be the same byte for
byte but for times, identifiers and versions. A result that BEFORE itself does not repeat is left out, and named. Exit
code: 0 all the same, 1 a difference.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

GAMES = pathlib.Path(__file__).resolve().parent.parent.parent / "config/games"
MCTS = "mcts:playouts=300"
TWO_ROLES = [MCTS, "alphabeta:nodes=400", "minimax:nodes=300", "maxn:nodes=300", "bounded:nodes=300",
             "paranoid:nodes=300", "mcts:playouts=300,policy=decisive",
             "mcts:playouts=200,transpositions=off,grave=0.2", "mcts:playouts=300,simultaneous=regret",
             "alphabeta:nodes=300,evaluation=playouts", "mcts:playouts=300,pn=0.5",
             "mcts:playouts=300,evaluation=mixed"]
# By game: the strategies of the first role; all others play `mcts`, in every second match by chance.
MATCHES = {
    "breakthrough_small": TWO_ROLES, "connect_four_small": TWO_ROLES, "tic_tac_toe": TWO_ROLES[:6],
    "hex_small": TWO_ROLES[6:8], "amazons_small": TWO_ROLES[:2], "othello": ["mcts:playouts=60"],
    "checkers": ["mcts:playouts=60"], "chess": ["mcts:playouts=2"], "tron": [MCTS, TWO_ROLES[8]],
    "cooperative": [MCTS], "bidding_tic_tac_toe": [TWO_ROLES[8]], "goofspiel": ["mcts:playouts=100"],
    "three_player": ["mcts:playouts=100", "maxn:nodes=300"], "pig": ["mcts:playouts=100", "expectimax:nodes=200"],
    "eight_puzzle": ["puzzle:nodes=3000", "puzzle:search=astar,nodes=3000", "puzzle:search=nested,nodes=3000"],
    "lights_out": ["puzzle:nodes=3000", "puzzle:search=beam,nodes=2000"],
    "knights_tour": ["puzzle:search=ida,nodes=3000"], "three_boards": ["puzzle:nodes=2000"],
}
LARGE = ["breakthrough", "reversi", "chess_200", "hex", "checkers", "connectFour", "skirmish", "pentago"]
VARIABLE_FIELDS = ("matchId", "startTime", "randomToken", "stateTimes", "x-latenciesMs", "x-version")
TIMES = re.compile(r"[0-9.]+ (s|ms|seconds)\b")


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout.decode("utf-8", "replace")


def records(folder):
    texts = []
    for path in sorted(pathlib.Path(folder).rglob("*.json")):
        record = json.loads(path.read_text())
        if "moves" not in record:
            continue
        texts.append(json.dumps({key: value for key, value in record.items() if key not in VARIABLE_FIELDS}))
    return "\n".join(sorted(texts))


def match(program, game, strategy, number):
    path = GAMES / f"{game}.kif"
    roles = len(re.findall(r"^\(role (?!random\))", path.read_text(), re.MULTILINE))
    players = [strategy] + ["random" if number % 2 or game == "chess" else "mcts:playouts=50"] * (roles - 1)
    with tempfile.TemporaryDirectory() as folder:
        printed = run(program, "match", path, *sum((["--player", p] for p in players), []), "--seed", 7 + number,
                      "--start-clock", 600, "--play-clock", 600, "--out", folder, "--quiet")
        return records(folder) or "no record: " + printed


TOURNAMENT = f"""<tournament><name>same</name><rounds>2</rounds><seed>3</seed>
<start-clock>600</start-clock><play-clock>600</play-clock>
<game>{GAMES}/tic_tac_toe.kif</game><game>{GAMES}/connect_four_small.kif</game>
<player>mcts:playouts=100</player><player>alphabeta:nodes=100</player></tournament>"""


def tournament(program):
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder, "plan.xml")
        plan.write_text(TOURNAMENT)
        printed = run(program, "tournament", plan, "--out", pathlib.Path(folder, "out"))
        return records(pathlib.Path(folder, "out")) or "no record: " + printed


def conform(program, traces):
    with tempfile.TemporaryDirectory() as folder:
        games, recorded = pathlib.Path(folder, "games"), pathlib.Path(folder, "traces")
        games.mkdir(), recorded.mkdir()
        for name in LARGE:
            (games / f"{name}.kif").symlink_to(traces / f"games/{name}.kif")
            (recorded / f"{name}.jsonl.gz").symlink_to(traces / f"traces/{name}.jsonl.gz")
        return run(program, "conform", games, recorded).replace(folder, "")


def tasks(traces):
    for game, strategies in MATCHES.items():
        for number, strategy in enumerate(strategies):
            yield f"match {game} {strategy}", lambda p, g=game, s=strategy, n=number: match(p, g, s, n)
    yield "tournament", tournament
    for path in sorted(GAMES.glob("*.kif")):
        for arguments in (["check", path], ["show", path], ["perft", path, "--depth", 2]):
            yield " ".join(map(str, arguments)), lambda p, a=tuple(arguments): run(p, *a)
    for game in ("breakthrough", "checkers", "amazons_small"):
        yield f"agree {game}", lambda p, g=game: run(p, "agree", GAMES / f"{g}.kif")
    for game in ("tic_tac_toe", "nim"):
        yield f"solve {game}", lambda p, g=game: run(p, "solve", GAMES / f"{g}.kif")
    if traces:
        yield "conform", lambda p: conform(p, traces)


def compare(name, task, before, now):
    first = TIMES.sub("", task(before))
    if first != TIMES.sub("", task(before)):
        return "does not repeat before the change, left out"
    return "" if first == TIMES.sub("", task(now)) else "DIFFERS"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("before", metavar="BEFORE")
    parser.add_argument("now", metavar="NOW")
    parser.add_argument("--traces", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    all_tasks = list(tasks(options.traces))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda task: compare(*task, options.before, options.now), all_tasks)
        said = [(name, text) for (name, _), text in zip(all_tasks, results) if text]
    for name, text in said:
        print(f"{name}: {text}")
    differ = sum(text == "DIFFERS" for _, text in said)
    print(f"{len(all_tasks) - len(said) + differ} results compared, {differ} differ")
    return differ != 0


if __name__ == "__main__":
    sys.exit(main())
