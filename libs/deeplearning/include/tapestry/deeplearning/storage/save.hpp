// Defines save and saving, which write a model's weights and the state of their optimizers to a file.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/storage/named_arrays.hpp"
#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct SaveOptions {
  bool optimizers = true;  ///< also writes the state of the optimizers
  Notes notes = {};        ///< what else a program needs to use the model, such as the names of its classes
};

/// Writes a file in the safetensors format. A weight "a" becomes the array "a", of type F32 or F64 and of the
/// weight's shape; the state of its optimizer, such as Adam's "first" and "steps", becomes
/// "optimizer/a/first" and "optimizer/a/steps", of shape [0] if it does not exist yet. A weight with several
/// names is saved under the first. Settings of the program, such as learning rates, are not in the file, but
/// for the texts that `notes` has, which notesOf(path) returns.
///
/// Each weight is saved as of one moment; save between passes to have all weights of one moment. When this
/// returns, the file is on the disk; if it throws FileError before the file has its name, or never returns,
/// the path keeps its previous file. Throws std::invalid_argument for an optimizer that does not list its
/// parts or lists two under one name, for a name that begins with "optimizer/", and for a name or a note that
/// is not UTF-8. Blocks the thread, also while tensors are fetched from a device; a weight of a device has
/// the same arrays in the file as one of the host.
void save(const std::filesystem::path& path, const Weights& weights, SaveOptions options = {});

void save(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

/// The same as a program, which saves the values of the moment when it runs: tensors of a device are fetched
/// without a thread that waits, and a thread for blocking calls writes the file. A request to stop ends the
/// transfers; then nothing is written. The program keeps the weights.
[[nodiscard("a program does nothing until it is run")]] Do<void> saving(const std::filesystem::path& path,
                                                                        const Weights& weights,
                                                                        SaveOptions options = {});

void saving(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

}  // namespace tapestry
#pragma GCC visibility pop
