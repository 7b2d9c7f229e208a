// Includes the headers that provide data for training: batches, and readers of files.
#pragma once

#include "tapestry/deeplearning/data/batches.hpp"
#include "tapestry/deeplearning/data/cifar.hpp"
#include "tapestry/deeplearning/data/input_file.hpp"
#include "tapestry/deeplearning/data/prefetch_traverse.hpp"
#include "tapestry/deeplearning/data/read_csv.hpp"
#include "tapestry/deeplearning/data/read_idx.hpp"
