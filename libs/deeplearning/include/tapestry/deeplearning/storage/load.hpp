// Defines load, which sets a model's weights, and what their optimizers have learnt, from a file.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

struct LoadOptions {
  bool optimizers = true;  ///< also what the optimizers have learnt; if not, they go on with what they have
  bool finite = true;      ///< refuses numbers that are infinite or NaN, as of a training that diverged
};

/// Reads what save has written, or any file in the safetensors format that has just the model's weights;
/// then the optimizers go on with what they have. With the same optimizers, training continues as if it had
/// not been interrupted.
///
/// Throws FileError, and has set nothing, unless the file has all weights of the model and no others, each
/// of its type and shape and finite, and each optimizer keeps what the saved one has kept, by the names of
/// its parts: adam and adamW take each other's, as do momentum and nesterov. A program that only predicts,
/// and gives its weights no optimizers or others, says {.optimizers = false}. Otherwise sets all, each as
/// setData does; load between passes, so that none reads some weights from before. Blocks the thread.
void load(const std::filesystem::path& path, const Weights& weights, LoadOptions options = {});
template <HasWeights Model>
void load(const std::filesystem::path& path, const Model& model, LoadOptions options = {}) {
  load(path, Weights(model.weights()), options);
}

void load(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

}  // namespace tapestry
