# build.sh openmpi|mpich HCCT-CC ARGUMENTS...: what a user does.
kind=$1
export OMPI_CC="$2" MPICH_CC="$2"
shift 2
exec "mpicc.$kind" -O2 -gline-tables-only "$@"
