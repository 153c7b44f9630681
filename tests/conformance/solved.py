#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Solves games of two roles from the start, as far as a limit allows, and prints those solved.

    solved.py LUDENS RESULTS [--seconds 60] [--methods proof,search,backward] [--memory-mb M] GAMES...
    solved.py --table RESULTS

LUDENS is the program. GAMES are rulesheets, or folders of them; those with other than two roles, and
those with the role `random`, are passed over. Each method in turn gets SECONDS of processor time, so
that a busy machine matters little, until one has the exact value of what the first role can force.
RESULTS takes one JSON object for each attempt, written when it ends: a run that was interrupted goes
on where it stopped, and one with more seconds tries again what is not solved. --table prints the
solved games as a table.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess


def roles(path):
    """Roles of a rulesheet, in order."""
    text = re.sub(r";[^\n]*", "", path.read_text(encoding="utf-8", errors="replace")).lower()
    return re.findall(r"\(\s*role\s+([^\s()?]+)\s*\)", text)


def rulesheets(arguments):
    """Of two roles without chance, the smallest first."""
    found = []
    for argument in arguments:
        path = pathlib.Path(argument)
        found += sorted(path.glob("*.kif")) if path.is_dir() else [path]
    two = [path for path in found if len(set(roles(path))) == 2 and "random" not in roles(path)]
    return sorted(two, key=lambda path: path.stat().st_size)


def ask(command, cap):
    """The JSON that a command prints within this much processor time, or None; and the time it took."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cap, cap + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = done.stdout.decode().splitlines()
    return (json.loads(lines[0]) if lines else None), seconds


def in_turn(ludens, game):
    """Whether the roles move in turn, as far as `analyze` knows."""
    facts, _ = ask([ludens, "analyze", game, "--json"], 30)
    return facts is not None and bool(facts.get("turn_taking"))


def read(results):
    """All attempts so far."""
    if not os.path.exists(results):
        return []
    with open(results, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def solve(options):
    """Tries what was not tried, or with less time."""
    attempts = read(options.results)
    solved = {attempt["game"] for attempt in attempts if attempt["exact"]}
    tried = {(a["game"], a["method"]) for a in attempts if a["limit"] >= options.seconds}
    for path in rulesheets(options.games):
        game = str(path)
        name = path.resolve().parent.parent.name + "/" + path.stem
        for method in options.methods.split(","):
            if name in solved or (name, method) in tried:
                continue
            command = [options.ludens, "solve", game, "--method", method, "--json",
                       "--memory-mb", str(options.memory_mb)]
            answer, seconds = ask(command, options.seconds)
            exact = answer is not None and answer["exact"]
            attempt = {"game": name, "method": method, "limit": options.seconds, "exact": exact,
                       "seconds": round(seconds, 2)}
            if exact:
                attempt.update(role=answer["role"], value=answer["value"], states=answer["nodes"],
                               in_turn=in_turn(options.ludens, game))
                solved.add(name)
            with open(options.results, "a", encoding="utf-8") as file:
                file.write(json.dumps(attempt) + "\n")
            print(json.dumps(attempt), flush=True)


def table(results):
    """The solved games, by name."""
    solved = {a["game"]: a for a in read(results) if a["exact"]}
    print("| game | moves | value | method | states | seconds |\n|---|---|---|---|---|---|")
    for game, one in sorted(solved.items()):
        moves = "in turn" if one["in_turn"] else "at once"
        print(f"| {game} | {moves} | {one['role']} {one['value']:g} | {one['method']} | "
              f"{one['states']:,} | {one['seconds']:.1f} |")
    tried = {a["game"] for a in read(results)}
    print(f"\n{len(solved)} of {len(tried)} games")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", metavar="RESULTS")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--methods", default="proof,search,backward")
    parser.add_argument("--memory-mb", type=int, default=2048)
    parser.add_argument("arguments", nargs="*", metavar="LUDENS RESULTS GAMES...")
    options = parser.parse_intermixed_args()
    if options.table:
        table(options.table)
        return
    if len(options.arguments) < 3:
        parser.error("LUDENS, RESULTS and GAMES are needed")
    options.ludens, options.results, *options.games = options.arguments
    solve(options)


if __name__ == "__main__":
    main()
