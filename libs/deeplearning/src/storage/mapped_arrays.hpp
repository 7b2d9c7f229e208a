// Defines mappedArrays, which makes the arrays of a model from those of another program's file.
#pragma once

#include <filesystem>

#include <tapestry/deeplearning/storage/array_map.hpp>
#include <tapestry/deeplearning/storage/named_arrays.hpp>
#include <tapestry/deeplearning/weights.hpp>

namespace tapestry {

/// Returns the arrays under the names of the weights, and the file's other arrays as they are. Throws
/// FileError, which names the weight and the array, for an array that is missing or has another form.
NamedArrays mappedArrays(const std::filesystem::path& path, NamedArrays file, const Weights& weights,
                         const ArrayMap& map);

}  // namespace tapestry
