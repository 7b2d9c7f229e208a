// Defines modelArrays and setModelArrays, a model's weights and the state of their optimizers as named
// arrays.
#pragma once

#include "tapestry/deeplearning/storage/load.hpp"
#include "tapestry/deeplearning/storage/named_arrays.hpp"
#include "tapestry/deeplearning/storage/save.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Yields the arrays that save(path, weights, options) writes, for other ways to store or send a model. Fails
/// with std::invalid_argument as save does. No thread waits for a device.
[[nodiscard("a program does nothing until it is run")]] Do<NamedArrays> modelArrays(const Weights& weights,
                                                                                    SaveOptions options = {});

/// Sets the weights and the state of their optimizers from such arrays, all of them or none, as load does.
/// Fails with FileError as load does; `origin` names the arrays in its message.
[[nodiscard("a program does nothing until it is run")]] Do<void> setModelArrays(
    const Weights& weights, NamedArrays arrays, LoadOptions options = {},
    const std::filesystem::path& origin = "arrays");

}  // namespace tapestry
#pragma GCC visibility pop
