// Includes the distributed library: communicators among ranks.
#pragma once

#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/communicator.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/distributed/mpi/mpi_communicator.hpp"
#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/distributed/scatter.hpp"
#include "tapestry/distributed/wire.hpp"
