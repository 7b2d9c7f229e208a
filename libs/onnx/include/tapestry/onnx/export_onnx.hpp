// Defines exportOnnx, which writes a network to an ONNX file.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tapestry/deeplearning/extend/graph.hpp>
#include <tapestry/deeplearning/observed.hpp>
#include <tapestry/deeplearning/predict.hpp>
#include <tapestry/onnx/import_onnx.hpp>
#include <tapestry/onnx/onnx_choice.hpp>
#include <tapestry/tensor/storage/file_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// A name for a value that the caller of the file's network gives: a layer of a constant, on which the
/// exported layer is built, or the Indices of its `gather` or `embedding`. The constant gives the shape.
struct OnnxArgument {
  std::string name;
  OnnxValue value;
};

/// Settings of exportOnnx.
struct OnnxExportOptions {
  /// Weights get their names in the model; others are numbered.
  Weights weights = {};
  /// The name of each output; "output", or "output0", "output1", ..., if there are none.
  std::vector<std::string> outputs = {};
  /// If given, the first extent of the inputs may have any size, under this name, and so may the extents of
  /// outputs that change with it. A network that fits only one size is refused.
  std::string batch = {};
  /// If given, the name of a file in the model's folder that gets the numbers of all weights. A model of more
  /// than 2 GiB needs one, since a message of Protocol Buffers cannot be larger. The two files are replaced
  /// one after the other: if the process ends between, an old model of these names has the numbers of the new
  /// one.
  std::string dataFile = {};
  /// The layers of the network that are made in a pass, but choose between known layers; for a network from a
  /// file, those of OnnxNetwork::layers.
  std::vector<OnnxChoice> choices = {};
};

namespace detail {

/// Records the shapes of the layers of a pass.
class OnnxShapes final : public PassObserver {
 public:
  void observeNode(Event event, const extend::NodeView& node) noexcept override;
  /// The shape of a node, or null.
  const Shape* find(const extend::NodeView& node) const;

 private:
  mutable std::mutex mutex_;
  std::map<const void*, Shape> shapes_;
};

void exportOnnx(const extend::Graph& graph, const std::vector<OnnxArgument>& inputs,
                const std::filesystem::path& path, const OnnxExportOptions& options,
                const OnnxShapes& shapes);

}  // namespace detail

/// Writes the network of a layer, or of a tuple or range of layers, as it computes in Mode::predict, with the
/// present values of its weights, in ONNX's opset 12:
///   const TensorLayer x(Tensor<float>::zeros({1, 784}));
///   exportOnnx(model(x), {{"image", x}}, "digits.onnx", {.weights = model.weights()});
/// Numbers are written as FLOAT, also those that are double. A layer that is made while a pass runs cannot be
/// written: throws std::invalid_argument for a layer that a program makes, with the place of its `flatMap`,
/// unless it is one of the `choices`; for an operation that has no counterpart, which it names, for a shape
/// that is not known, for an input on which the layer does not depend, for a name that an input, an output or
/// a weight already has, and for a network that fits only one size of the batch. Throws FileError if the file
/// cannot be written; the path keeps its previous file then. The data file appears just before the model: use
/// a new name where a program may end in between. Blocks the thread. `choices` cost a pass, and a batch with
/// `choices` costs a second one.
template <Differentiable L>
void exportOnnx(const L& layer, const std::vector<OnnxArgument>& inputs, const std::filesystem::path& path,
                const OnnxExportOptions& options = {}) {
  const auto shapes = std::make_shared<detail::OnnxShapes>();
  // data that only a pass has: the shapes of choices and of the layers after them
  if (!options.choices.empty()) observed(predict(layer), shapes).blockingAwait();
  detail::exportOnnx(extend::graphOf(layer), inputs, path, options, *shapes);
}
void exportOnnx(...) = delete;  // expected a Differentiable, its inputs {{"name", layer}}, and a path

}  // namespace tapestry
#pragma GCC visibility pop
