#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plays a tournament as an array job of four tasks on a Slurm cluster of this one machine, kills one
# of them, and compares the standings with those of a run without Slurm.
#
#     tests/slurm/slurm_test.sh [LUDENS]
#
# Needs Debian's slurm-wlm and munge; says that it is skipped, and ends with 77, where they are
# missing. Its daemons keep to a folder of their own and are ended with the test.
set -u
project=$(cd "$(dirname "$0")/../.." && pwd)
ludens=$(realpath -e "${1:-$project/build/release/ludens}") || exit 3
for tool in munged slurmctld slurmd sbatch scontrol squeue; do
  PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
    { echo "skipped: $tool is missing (apt-get install slurm-wlm munge)"; exit 77; }
done
export PATH=$PATH:/usr/sbin

scratch=$(mktemp -d /tmp/ludens_slurm.XXXXXX)
daemons=()
finish() {
  code=$?
  [ -n "${job:-}" ] && scancel "$job" 2>/dev/null
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    kill "${daemons[i]}" 2>/dev/null && wait "${daemons[i]}" 2>/dev/null
  done
  if [ $code -eq 0 ]; then rm -rf "$scratch"; else echo "what is left is in $scratch"; fi
  exit $code
}
trap finish EXIT
trap 'exit 130' INT TERM
fail() { echo "FAILED: $*"; exit 1; }
free_port() {  # free_port FIRST: the first one from there on that nobody listens at
  local port=$1
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo "$port"
}
await() {  # await SECONDS COMMAND...: until the command succeeds
  local until=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $until ] || return 1
    sleep 0.2
  done
}

# A cluster of one node.
mkdir -m 700 "$scratch"/{munge,state,spool}
dd if=/dev/urandom of="$scratch/munge/key" bs=128 count=1 status=none && chmod 600 "$scratch/munge/key"
munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" \
       --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" \
       --seed-file="$scratch/munge/seed" >"$scratch/munge.out" 2>&1 &
daemons+=($!)
await 20 test -S "$scratch/munge/socket" || fail "munged did not start: $(cat "$scratch/munge.out")"
user=$(id -un) cpus=$(nproc)
controller_port=$(free_port 17817) node_port=$(free_port 18818)
export SLURM_CONF=$scratch/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=ludens_test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
# A task that is put back may start again as soon as its credential has expired.
AuthInfo=socket=$scratch/munge/socket,cred_expire=5
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName=node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D -c >"$scratch/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -N node >"$scratch/slurmd.log" 2>&1 &
daemons+=($!)
idle() { [ "$(sinfo --noheader --format=%T)" = idle ]; }
await 60 idle || fail "the node is not idle: $(sinfo 2>&1; tail -5 "$scratch"/slurm{ctld,d}.log)"
echo "a cluster of one node with $cpus processors runs"

# Four parts, the second of which is killed when it has played a few matches.
file=$project/tests/slurm/tournament.xml parts=4
said=$(LUDENS=$ludens "$project/config/tournaments/slurm/submit" "$file" "$scratch/out" $parts \
       --cpus-per-task=1) || fail "submit: $said"
echo "$said"
job=$(sed 's/^parts \([0-9]*\).*/\1/' <<<"$said") join=$(sed 's/.*standings \([0-9]*\).*/\1/' <<<"$said")
log=$scratch/out/2/tournament.jsonl
has_played() { [ -f "$log" ] && [ "$(wc -l <"$log")" -gt 5 ]; }
await 120 has_played || fail "part 2 plays nothing: $(squeue; cat "$scratch"/out/part-2.log)"
victim=
for process in /proc/[0-9]*; do
  { tr "\0" " " <"$process/cmdline"; } 2>/dev/null | grep -q "^$ludens tournament .*--out $scratch/out/2 " &&
    victim=${process#/proc/}
done
[ -n "$victim" ] || fail "part 2 ended before it could be killed; it needs more rounds"
kill -9 "$victim"
before=$(wc -l <"$log")
echo "killed part 2 after $((before - 1)) matches"
ended() { [ -z "$(squeue --noheader --jobs="$job" 2>/dev/null)" ] && [ -s "$scratch/out/join.log" ] &&
          [ -z "$(squeue --noheader --jobs="$join" 2>/dev/null)" ]; }
await 400 ended || fail "not over in time: $(squeue; tail "$scratch"/out/*.log)"
grep -E "goes back into the queue|played already" "$scratch/out/part-2.log" || fail "part 2 was not put back"

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
