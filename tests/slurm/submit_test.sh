#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the scripts `submit` ask of Slurm, by an `sbatch` that writes it down: no job waits for ever for
# one that has failed, one that joins can start again, and large games have a beginning. Needs no
# cluster; the other tests of this folder do. Argument: the project.
set -eu
project=$1
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch"/*.calls; exit 1; }
mkdir "$scratch/tools"
cat >"$scratch/tools/sbatch" <<'END'
#!/bin/sh
echo "$@" >>"$CALLS"
wc -l <"$CALLS"
END
printf '#!/bin/sh\n' >"$scratch/tools/ludens"
chmod +x "$scratch"/tools/*
export PATH=$scratch/tools:$PATH LUDENS=$scratch/tools/ludens

CALLS=$scratch/tournament.calls "$project/config/tournaments/slurm/submit" \
  "$project/config/tournaments/minimal.xml" "$scratch/cup" 3 >"$scratch/said"
grep -q '^parts 1, standings 2:' "$scratch/said" || fail "the tournament names other jobs"
CALLS=$scratch/learning.calls "$project/config/learning/slurm/submit" nim "$scratch/nim" 3 2 1 >"$scratch/said"
grep -q '^round 2: parts 3, joined by 4 ' "$scratch/said" || fail "the rounds of learning name other jobs"
for calls in tournament learning; do
  grep -q -- '--dependency=afterok:' "$scratch/$calls.calls" || fail "$calls: nothing waits for a success"
  ! grep -- '--dependency=afterok:' "$scratch/$calls.calls" | grep -v -- '--kill-on-invalid-dep=yes' ||
    fail "$calls: a job waits for ever for one that has failed"
done

# A task that joins may be put back into the queue when its file is there.
mkdir -p "$scratch/nim/1" && touch "$scratch/nim/1/1.knowledge"
printf '#!/bin/sh\necho "$@"\n' >"$LUDENS"
bash "$project/config/learning/slurm/join.sbatch" "$LUDENS" nim "$scratch/nim" 1 1 |
  grep -q -- "--join $scratch/nim/1/1.knowledge --out $scratch/nim/1.knowledge --resume" ||
  fail "what is joined is not joined again"

# A large game takes longer to prepare than the first second; what is wrong at once is not tried again.
cat >"$LUDENS" <<'END'
#!/bin/bash
echo "$@" >>"$CALLS"
echo "ludens: learn: no time to play a game" >&2
[[ " $* " != *" --seconds 1 "* ]] || exit "$FIRST"
while [ "$1" != --out ]; do shift; done
touch "$2"
END
submit() {  # submit FIRST: of one round; the first call of the program ends with that code
  rm -rf "$scratch/hex"; : >"$scratch/first.calls"
  FIRST=$1 CALLS=$scratch/first.calls \
    "$project/config/learning/slurm/submit" hex "$scratch/hex" 2 1 1 >"$scratch/said" 2>&1
}
submit 3 || fail "a large game has no beginning"
[ -f "$scratch/hex/0.knowledge" ] || fail "there is nothing to begin with"
grep -q -- '--array=1-2' "$scratch/first.calls" || fail "no parts learn the large game"
[ "$(grep -c -- '--seconds' "$scratch/first.calls")" -eq 2 ] || fail "it learns longer than it must"
! submit 2 || fail "wrong use is no failure"
[ "$(wc -l <"$scratch/first.calls")" -eq 1 ] || fail "wrong use is tried again"
grep -q '^ludens: learn: no time' "$scratch/said" || fail "it does not say why"
echo "no job waits for ever for one that has failed; one that joins can start again; large games begin"
