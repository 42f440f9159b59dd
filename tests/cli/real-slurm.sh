#!/usr/bin/env bash
# A real Slurm of one node, started and ended here: munge, slurmctld, slurmd with files of its own. As root.
#   real-slurm.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

host=$(hostname -s)
chmod 755 "$work"
mkdir -p state spool log munge
# Munge, as its own user where it insists on one.
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null
chmod 700 munge && chmod 600 munge/key
munged --force --foreground --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" >log/munged 2>&1 &
pids=$!
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_min_interval=10000
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=short Nodes=$host Default=YES MaxTime=10 State=UP
END
export SLURM_CONF=$work/slurm.conf
for i in $(seq 50); do [ -S munge.socket ] && break; sleep 0.1; done
slurmctld -D -f slurm.conf >log/slurmctld.out 2>&1 &
pids="$pids $!"
slurmd -D -f slurm.conf >log/slurmd.out 2>&1 &
pids="$pids $!"
trap 'kill $pids 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 150); do sinfo -h -o %t 2>/dev/null | grep -q idle && break; sleep 0.2; done
check "a node is idle" sh -c 'sinfo -h -o %t | grep -q idle || { tail -n 5 log/*; exit 1; }'
check "submits" status 0 sweep "$box" --vary N=40 --vary mu=0.2,0.3 --vary j=0,8 --methods crisp,crisp:relax=10 --slurm folder --slurm-options "--partition=short --time=5"
check "submits: what sbatch said" has out "Submitted batch job"
for i in $(seq 300); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.2; done
check "all have ended" test -z "$(squeue -h)"
check "a file for each task" sh -c '[ $(ls folder | grep -c "^[0-7]\.jsonl$") = 8 ] || { cat folder/slurm-*.log; exit 1; }'
check "merges" status 0 sweep --merge folder --project a.stickslip
check "merges: eight" has out "8 runs came in, 0 were here already"
check "the study has ended" status 0 sweep --resume last --project a.stickslip
finish
