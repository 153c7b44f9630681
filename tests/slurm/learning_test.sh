#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Learns in rounds of three tasks on a Slurm cluster of this one machine. One of them is killed, and
# must go on; one can't write its file, and must be left out. Then learns one round more.
#
#     tests/slurm/learning_test.sh [LUDENS]
#
# Needs Debian's slurm-wlm and munge (see cluster.sh).
. "$(dirname "$0")/cluster.sh"

out=$scratch/out
submit() {  # submit ROUNDS SECONDS: adds the jobs, and sets what was said
  said=$(LUDENS=$ludens "$project/config/learning/slurm/submit" tic_tac_toe "$out" 3 "$1" "$2" \
         --cpus-per-task=1) || fail "submit: $said"
  echo "$said"
  jobs+=($(sed 's/.* parts \([0-9]*\), joined by \([0-9]*\) .*/\1 \2/' <<<"$said"))
}
logs() { tail "$out"/*/*.log; }

# Two rounds, in the first of which part 2 is killed and a folder is where the file of part 3 should be.
mkdir -p "$out/1/3.knowledge"
submit 2 20
await 120 test -f "$out/1/2.knowledge" || fail "part 2 learns nothing: $(squeue; logs)"
kill_command "^$ludens learn .*--out $out/1/2.knowledge " ||
  fail "part 2 ended before it could be killed; it needs more seconds"
await 400 ended || fail "not over in time: $(squeue; logs)"
grep "part 2 of round 1 .*goes back into the queue" "$out/1/2.log" || fail "part 2 was not put back"
grep "part 3 of round 1 .*is left out" "$out/1/join.log" || fail "part 3 was not left out: $(logs)"
[ -s "$out/2.knowledge" ] || fail "the second round was not joined: $(logs)"
! grep "left out" "$out/2/join.log" || fail "the second round has not all parts"
games() { sed -n 's/.* \([0-9]*\) games .*/\1/p' "$out/$1/join.log"; }
seconds() { sed -n 's/^ *\([0-9]*\)\.[0-9] s .*/\1/p' "$out/$1/join.log"; }
[ "$(seconds 1)" -lt 28 ] || fail "part 2 learned for more than its seconds: $(logs)"
[ "$(games 2)" -gt "$(games 1)" ] || fail "the second round learned nothing"

# A third one.
submit 3 1
[ "$(wc -l <<<"$said")" -eq 1 ] || fail "rounds that were joined are played again"
await 200 ended || fail "the third round is not over in time: $(squeue; logs)"
[ "$(games 3)" -gt "$(games 2)" ] || fail "the third round learned nothing: $(logs)"
grep -h " games " "$out"/*/join.log
echo "passed: three rounds, of which each began with what all had learned before"
