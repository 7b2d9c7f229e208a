#!/bin/sh
# keep_ranks.sh PROGRAM...: one rank whose death mpiexec of MPICH does not see; it would end the others, by SIGUSR1 or
# at once, or lose their output.
trap '' USR1
"$@"
exit 0
