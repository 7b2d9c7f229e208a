// Defines save, which writes a model's weights, and what their optimizers have learnt, to a file.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

struct SaveOptions {
  bool optimizers = true;  ///< also what the optimizers have learnt
};

/// Writes a file in the safetensors format. A weight "a" is the array "a", of F32 or F64 and of its shape;
/// what its optimizer keeps, such as Adam's "first" and "steps", is "optimizer/a/first" and
/// "optimizer/a/steps", of the shape [0] if it is not there yet. A weight of several names stands under the
/// first. What the program sets up, such as learning rates, is not in the file.
///
/// Each weight is of one moment; save between passes to have all of one. When this returns, the file is on
/// the disk; if it fails with FileError, or never returns, the path keeps its previous file. Throws
/// std::invalid_argument for an optimizer that does not list its parts, and for a name that begins with
/// "optimizer/". Blocks the thread.
void save(const std::filesystem::path& path, const Weights& weights, SaveOptions options = {});
template <HasWeights Model>
void save(const std::filesystem::path& path, const Model& model, SaveOptions options = {}) {
  save(path, Weights(model.weights()), options);
}

void save(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

}  // namespace tapestry
