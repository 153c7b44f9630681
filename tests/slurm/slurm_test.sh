#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plays a tournament as an array job of four tasks on a Slurm cluster of this one machine, kills one
# of them, and compares the standings with those of a run without Slurm.
#
#     tests/slurm/slurm_test.sh [LUDENS]
#
# Needs Debian's slurm-wlm and munge (see cluster.sh).
. "$(dirname "$0")/cluster.sh"

# Four parts, the second of which is killed when it has played a few matches.
file=$project/tests/slurm/tournament.xml parts=4
said=$(LUDENS=$ludens "$project/config/tournaments/slurm/submit" "$file" "$scratch/out" $parts \
       --cpus-per-task=1) || fail "submit: $said"
echo "$said"
jobs=($(sed 's/^parts \([0-9]*\), standings \([0-9]*\).*/\1 \2/' <<<"$said"))
log=$scratch/out/2/tournament.jsonl
has_played() { [ -f "$log" ] && [ "$(wc -l <"$log")" -gt 5 ]; }
await 120 has_played || fail "part 2 plays nothing: $(squeue; cat "$scratch"/out/part-2.log)"
kill_command "^$ludens tournament .*--out $scratch/out/2 " ||
  fail "part 2 ended before it could be killed; it needs more rounds"
before=$(wc -l <"$log")
echo "killed part 2 after $((before - 1)) matches"
await 400 ended || fail "not over in time: $(squeue; tail "$scratch"/out/*.log)"
grep -E "goes back into the queue|played already" "$scratch/out/part-2.log" || fail "part 2 was not put back"

[ -s "$scratch/out/join.log" ] || fail "nothing was joined"

# The same without Slurm.
"$ludens" tournament "$file" --out "$scratch/alone" --json --concurrency 2 \
          >"$scratch/alone.json" 2>"$scratch/alone.err" || fail "alone: $(cat "$scratch/alone.err")"
folders=(); for ((part = 1; part <= parts; ++part)); do folders+=("$scratch/out/$part"); done
"$ludens" tournament --merge "${folders[@]}" --json >"$scratch/parts.json" 2>"$scratch/parts.err" ||
  fail "merge: $(cat "$scratch/parts.err")"
timeless() {  # timeless FILE: its lines in a fixed order, without what differs from run to run
  sed -E 's/"think":\{[^}]*\}//g; s/"times":\{[^}]*\}//g; s/"record":"[^"]*"//g' "$1" | sort
}
timeless "$scratch/alone.json" >"$scratch/alone.txt"
timeless "$scratch/parts.json" >"$scratch/parts.txt"
matches=$(grep -c '"match"' "$scratch/alone.txt")
[ "$matches" -gt 100 ] || fail "only $matches matches"
[ "$(grep -c '"standings"' "$scratch/alone.txt")" -gt 0 ] || fail "no standings"
cmp "$scratch/alone.txt" "$scratch/parts.txt" || fail "the results differ: diff $scratch/{alone,parts}.txt"
cat "$scratch/out/join.log"
echo "passed: $matches matches and the standings are the same with Slurm and without"
