# SPDX-License-Identifier: MIT
# Sourced by tests that need a Slurm cluster: starts one of this one machine, with daemons that keep
# to a folder of their own and end with the test. Needs Debian's slurm-wlm and munge; says that the
# test is skipped, and ends it with 77, where they are missing.
#
# Sets `project`, `ludens` (the first argument of the test) and `scratch`. The test adds its jobs to
# `jobs`.
set -u
project=$(cd "$(dirname "$0")/../.." && pwd)
ludens=$(realpath -e "${1:-$project/build/release/ludens}") || exit 3
for tool in munged slurmctld slurmd sbatch scontrol squeue; do
  PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null ||
    { echo "skipped: $tool is missing (apt-get install slurm-wlm munge)"; exit 77; }
done
export PATH=$PATH:/usr/sbin

scratch=$(mktemp -d /tmp/ludens_slurm.XXXXXX)
daemons=() jobs=()
finish() {
  code=$?
  [ ${#jobs[@]} -eq 0 ] || scancel "${jobs[@]}" 2>/dev/null
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
kill_command() {  # kill_command PATTERN: the process whose command line matches; false if none does
  local victim
  victim=$(pgrep --newest --full "$1") && kill -9 "$victim"
}
ended() { [ -z "$(squeue --noheader --jobs="$(IFS=,; echo "${jobs[*]}")" 2>/dev/null)" ]; }

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
