#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails on a cycle of #include lines between folders, or between modules (a header with its source).

usage: cycles_test.py ROOT

For each folder or module in a cycle the shortest cycle through it is printed, once, with the lines
that make it.
"""
import collections
import os
import re
import sys

FOLDERS = ("gdl", "search", "agent", "server", "bindings", "tests")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def sources(root):
    """Paths of all headers and sources, from the root."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def include_lines(root):
    """(file, line number, included file) of each include of a file of the project."""
    files = set(sources(root))
    for file in sorted(files):
        with open(os.path.join(root, file), encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found = INCLUDE.match(line)
                if found and found.group(1) in files:
                    yield file, number, found.group(1)


def module_of(file):
    return os.path.splitext(file)[0]


def edges_between(lines, unit_of):
    """{(from, to): lines} for units that are not the same."""
    edges = collections.defaultdict(list)
    for file, number, included in lines:
        if unit_of(file) != unit_of(included):
            edges[unit_of(file), unit_of(included)].append(f'{file}:{number}: #include "{included}"')
    return edges


def shortest_cycle(start, followers):
    """The units of a shortest path from a unit back to it; none if there is no path."""
    before = {}
    waiting = collections.deque([start])
    while waiting:
        unit = waiting.popleft()
        for follower in followers[unit]:
            if follower == start:
                cycle = [unit]
                while cycle[-1] != start:
                    cycle.append(before[cycle[-1]])
                return cycle[::-1]
            if follower not in before:
                before[follower] = unit
                waiting.append(follower)
    return []


def cycles(edges):
    followers = collections.defaultdict(list)
    for start, end in sorted(edges):
        followers[start].append(end)
    seen = set()
    for unit in sorted(followers):
        cycle = shortest_cycle(unit, followers)
        if cycle and frozenset(cycle) not in seen:
            seen.add(frozenset(cycle))
            yield cycle


def report(kind, edges):
    """Prints the cycles; how many there are."""
    count = 0
    for cycle in cycles(edges):
        count += 1
        print(f"cycle of {kind}: {' -> '.join(cycle + cycle[:1])}")
        for start, end in zip(cycle, cycle[1:] + cycle[:1]):
            for line in edges[start, end]:
                print(f"  {line}")
    return count


def main():
    lines = list(include_lines(sys.argv[1]))
    if not lines:
        sys.exit(f"no #include found below {sys.argv[1]}")
    count = report("folders", edges_between(lines, os.path.dirname))
    count += report("modules", edges_between(lines, module_of))
    if count:
        sys.exit("put what both sides need into a module below them, or make them one module")
    print("no cycle of folders, none of modules")


main()
