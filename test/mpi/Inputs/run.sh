# run.sh openmpi|mpich RANKS COMMAND...: more ranks than processors, as root too, on this host alone. Of Open MPI's own tools for launching none
# is needed.
kind=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=${BTL:-self,vader}
# the ranks of a job that fails have time to write
export OMPI_MCA_odls_base_sigkill_timeout=${KILL_SECONDS:-60} OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_plm=isolated
exec timeout 300 "mpirun.$kind" -n "$ranks" "$@"
