// Includes the headers that save and load tensors and models.
#pragma once

#include "tapestry/deeplearning/storage/array_map.hpp"
#include "tapestry/deeplearning/storage/load.hpp"
#include "tapestry/deeplearning/storage/safetensors.hpp"
#include "tapestry/deeplearning/storage/save.hpp"
#include "tapestry/tensor/storage/atomic_file.hpp"
#include "tapestry/tensor/storage/npy.hpp"
