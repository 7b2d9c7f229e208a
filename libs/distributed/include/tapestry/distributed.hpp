// Includes the distributed library: communicators among ranks, and replicas of a model that train together.
#pragma once

#include "tapestry/distributed/all_reduce.hpp"
#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/checkpoint.hpp"
#include "tapestry/distributed/communicator.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/distributed/model_mismatch.hpp"
#include "tapestry/distributed/mpi/mpi_communicator.hpp"
#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/distributed/replicas.hpp"
#include "tapestry/distributed/scatter.hpp"
#include "tapestry/distributed/wire.hpp"
