// Includes MPI's functions of C, which no other file includes.
#pragma once

#include <mpi.h>
