# SPDX-License-Identifier: MIT
"""What changed in the tree, for the checks that look only at changes."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = ("gdl", "search", "agent", "server", "bindings")


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split("\n")


def changed(since, last):
    """Files of the layers that are changed and not committed, then those of the commits after `since`, or where it
    is None of the `last` commits; the newest first, and each once."""
    names = git("ls-files", "--modified", "--others", "--exclude-standard")
    names += git("log", "--format=", "--name-only", f"{since}..HEAD" if since else f"-{last}")
    return [name for name in dict.fromkeys(names) if name.startswith(tuple(layer + "/" for layer in LAYERS))]
