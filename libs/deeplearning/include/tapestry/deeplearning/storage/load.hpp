// Defines load and loading, which set a model's weights and the state of their optimizers from a file, and
// notesOf, which reads the file's notes.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/storage/array_map.hpp"
#include "tapestry/deeplearning/storage/named_arrays.hpp"
#include "tapestry/deeplearning/weights.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct LoadOptions {
  bool optimizers = true;  ///< also sets the state of the optimizers; if false, they keep their state
  bool finite = true;      ///< refuses infinite and NaN numbers, as from a training that diverged
};

/// Reads a file that save has written, or any file in the safetensors format that has just the model's
/// weights; the optimizers then keep their state. With the same optimizers, training continues as if it had
/// not been interrupted.
///
/// Throws FileError and sets nothing unless the file has all weights of the model and no others, each of the
/// right type and shape and finite, and the state of each optimizer has parts of the same names as the saved
/// state: adam and adamW accept each other's state, as do momentum and nesterov. A program that only
/// predicts, and gives its weights no optimizers or other optimizers, passes {.optimizers = false}. Otherwise
/// sets all weights, each as setData does; load between passes, so that no pass reads some weights from
/// before. Blocks the thread.
///
/// A weight of a device keeps its device; if it is still a constant, such as a bias of 0, which has no
/// device, it gets the device of the weight before it, or else of the model's first weight that has one.
/// Throws std::invalid_argument if there is none, and the errors of the device; then nothing has been set.
void load(const std::filesystem::path& path, const Weights& weights, LoadOptions options = {});

/// The same from a file that another program has written, whose arrays have other names or forms: weights are
/// made as the map describes. Also throws FileError for an array that is missing or has another form than the
/// map requires, std::invalid_argument for a weight of the map that the model does not have.
void load(const std::filesystem::path& path, const Weights& weights, const ArrayMap& map,
          LoadOptions options = {});

void load(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

/// The same as a program: a thread for blocking calls reads the file, and no thread waits for a device.
[[nodiscard("a program does nothing until it is run")]] Do<void> loading(const std::filesystem::path& path,
                                                                         const Weights& weights,
                                                                         LoadOptions options = {});

void loading(...) = delete;  // expected a path, and Weights, or a model whose weights() gives them

/// Returns the notes that save has written, or the metadata that another program has written into a file in
/// the safetensors format; none if there are none. Reads the header of the file alone, and throws FileError
/// for a file without a valid header. Blocks the thread.
///   save("model.safetensors", model, {.notes = {{"language", "en"}}});
///   notesOf("model.safetensors").at("language")
[[nodiscard]] Notes notesOf(const std::filesystem::path& path);

}  // namespace tapestry
#pragma GCC visibility pop
