// Includes the headers that provide data for training: batches, and readers of files.
#pragma once

#include "tapestry/deeplearning/data/batches.hpp"
#include "tapestry/deeplearning/data/cifar.hpp"
#include "tapestry/deeplearning/data/input_file.hpp"
#include "tapestry/deeplearning/data/prefetch_traverse.hpp"
#include "tapestry/deeplearning/data/read_csv.hpp"
#include "tapestry/deeplearning/data/read_idx.hpp"
#include "tapestry/deeplearning/data/read_image.hpp"
#include "tapestry/deeplearning/data/read_text.hpp"
#include "tapestry/deeplearning/data/text_windows.hpp"
#include "tapestry/deeplearning/data/vocabulary.hpp"
