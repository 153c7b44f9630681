#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what two builds of the program find where no clock has a say, for changes that should change no behaviour.

    same_results.py BEFORE NOW [--traces FOLDER] [--only TEXT]

BEFORE and NOW are programs. Both search and play on the bundled games with limits of counts and seeds, hold a
tournament, and check, show, count (perft), compare machines (agree) and prove (solve); with --traces, a folder
with games/ and traces/, also `conform` on some large ones. What is printed and recorded has to be the same byte for
byte but for times, identifiers and versions, and so have the exit codes. A result that BEFORE itself does not repeat is
left out, and named. --only compares the results whose name contains the text. Exit code: 0 all the same, 1 a difference
or something that a program can't do.
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
# In a match mcts would look for its policy by the clock, and the others would fit their evaluation by it.
MCTS = "mcts:playouts=300,policy=uniform"
MOBILITY = "evaluation=mobility"
TWO_ROLES = [MCTS, f"alphabeta:nodes=400,{MOBILITY}", f"minimax:nodes=300,{MOBILITY}", f"maxn:nodes=300,{MOBILITY}",
             f"bounded:nodes=300,{MOBILITY}", f"paranoid:nodes=300,{MOBILITY}", "mcts:playouts=300,policy=decisive",
             "mcts:playouts=200,policy=uniform,transpositions=off,grave=0.2",
             "mcts:playouts=300,policy=uniform,simultaneous=regret",
             "alphabeta:nodes=300,evaluation=playouts", "mcts:playouts=300,policy=uniform,pn=0.5",
             "mcts:playouts=300,policy=uniform,evaluation=mixed"]
# By game: searched from its initial state, and played where it has two roles.
SEARCHES = {
    "breakthrough_small": TWO_ROLES, "connect_four_small": TWO_ROLES, "tic_tac_toe": TWO_ROLES[:6],
    "hex_small": TWO_ROLES[6:8], "amazons_small": TWO_ROLES[:2], "othello": [MCTS], "checkers": [MCTS],
    "chess": ["mcts:playouts=4,policy=uniform"], "tron": [MCTS, TWO_ROLES[8]], "cooperative": [MCTS],
    "bidding_tic_tac_toe": [TWO_ROLES[8]], "goofspiel": [MCTS], "three_player": [MCTS, "maxn:nodes=300"],
    "pig": [MCTS, "expectimax:nodes=200"], "eight_puzzle": ["puzzle:nodes=3000", "puzzle:search=astar,nodes=3000"],
    "lights_out": ["puzzle:nodes=3000", "puzzle:search=beam,nodes=2000"],
    "knights_tour": ["puzzle:search=ida,nodes=3000"], "three_boards": ["puzzle:nodes=2000"],
}
LARGE = ["breakthrough", "reversi", "chess_200", "hex", "checkers", "connectFour", "skirmish", "pentago"]
VARIABLE_FIELDS = ("matchId", "startTime", "randomToken", "stateTimes", "x-latenciesMs", "x-version")
TIMES = re.compile(r"[0-9.]+ (s|ms|seconds)\b|\"seconds\":[0-9.E+-]+")
WRONG_USE = 2  # from this exit code on, a program has not done what it was asked
LEFT_OUT = "does not repeat before the change, left out"


class Refused(Exception):
    """The program could not do what it was asked: what it says of that is no result."""


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode >= WRONG_USE:
        raise Refused(f"{program} can't: {text.strip()}")
    return f"{text}exit code {done.returncode}"


def records(folder):
    texts = []
    for path in sorted(pathlib.Path(folder).rglob("*.json")):
        record = json.loads(path.read_text())
        if "moves" not in record:
            continue
        texts.append(json.dumps({key: value for key, value in record.items() if key not in VARIABLE_FIELDS}))
    return "\n".join(sorted(texts))


def think(program, game, strategy):
    return run(program, "think", GAMES / f"{game}.kif", "--strategy", strategy + ",seed=5", "--seconds", 600, "--json")


def match(program, game, strategy):
    with tempfile.TemporaryDirectory() as folder:
        printed = run(program, "match", GAMES / f"{game}.kif", "--player", strategy + ",seed=5", "--player", "random:seed=3",
                      "--seed", 7, "--start-clock", 600, "--play-clock", 600, "--out", folder, "--quiet")
        return records(folder) or "no record: " + printed


TOURNAMENT = f"""<tournament><name>same</name><rounds>2</rounds><seed>3</seed>
<start-clock>600</start-clock><play-clock>600</play-clock>
<game>{GAMES}/tic_tac_toe.kif</game><game>{GAMES}/connect_four_small.kif</game>
<player>{MCTS},seed=1</player><player>alphabeta:nodes=100,seed=2</player></tournament>"""


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
        return run(program, "conform", games, recorded, "--threads", "1").replace(folder, "")


def tasks(traces):
    for game, strategies in SEARCHES.items():
        for strategy in strategies:
            yield f"think {game} {strategy}", lambda p, g=game, s=strategy: think(p, g, s)
    for game in ("breakthrough_small", "connect_four_small"):
        for strategy in (s for s in TWO_ROLES if s.startswith("mcts")):
            yield f"match {game} {strategy}", lambda p, g=game, s=strategy: match(p, g, s)
    yield "tournament", tournament
    for path in sorted(GAMES.glob("*.kif")):
        for command, *more in (["check"], ["show"], ["perft", 2]):
            yield f"{command} {path.stem}", lambda p, a=(command, path, *more): run(p, *a)
    for game in ("breakthrough", "checkers", "amazons_small"):
        yield f"agree {game}", lambda p, g=game: run(p, "agree", GAMES / f"{g}.kif")
    for game in ("tic_tac_toe", "nim"):
        yield f"solve {game}", lambda p, g=game: run(p, "solve", GAMES / f"{g}.kif")
    if traces:
        yield "conform", lambda p: conform(p, traces)


def compare(task, before, now):
    """What is wrong with the result, or why it is left out."""
    try:
        first = TIMES.sub("", task(before))
        if first != TIMES.sub("", task(before)):
            return LEFT_OUT
        return "" if first == TIMES.sub("", task(now)) else "DIFFERS"
    except Refused as refused:
        return str(refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("before", metavar="BEFORE")
    parser.add_argument("now", metavar="NOW")
    parser.add_argument("--traces", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    chosen = [(name, task) for name, task in tasks(options.traces) if options.only in name]
    if not chosen:
        parser.error(f"no result has '{options.only}' in its name")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda task: compare(task[1], options.before, options.now), chosen))
    for (name, _), text in zip(chosen, said):
        if text:
            print(f"{name}: {text}")
    compared = len(said) - said.count(LEFT_OUT)
    wrong = compared - said.count("")
    print(f"{compared} results compared, {wrong} differ")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
