// Defines importOnnx and OnnxNetwork, a network that an ONNX file describes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tapestry/deeplearning/numeric.hpp>
#include <tapestry/deeplearning/weights.hpp>
#include <tapestry/onnx/onnx_choice.hpp>
#include <tapestry/tensor/storage/file_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// What a network takes: numbers, or whole numbers that choose rows.
using OnnxValue = std::variant<TensorLayer, Indices>;

/// An input of a network from a file.
struct OnnxInput {
  std::string name;
  bool indices = false;  ///< whether it takes Indices
  /// The extents, where an extent of any size is empty; none if the file does not specify them.
  std::optional<std::vector<std::optional<std::size_t>>> shape;
};

/// The layers that a network makes.
struct OnnxLayers {
  std::vector<TensorLayer> outputs;  ///< in the order of the file
  /// A choice for each output of each `If` of the network, for OnnxExportOptions::choices.
  std::vector<OnnxChoice> choices;
};

/// A function of layers, copied in O(1), that makes the operations of an ONNX file. Copies share their
/// weights, which train as the weights of layers do. The weights are the file's initializers of numbers, by
/// their names; the statistics of batch normalization are running averages. Values of `Constant` nodes and
/// initializers within the branches of an `If` are no weights. Several threads may use one object at once.
class OnnxNetwork {
 public:
  /// What the network takes, in the order of the file.
  const std::vector<OnnxInput>& inputs() const noexcept;
  /// The names of the outputs.
  const std::vector<std::string>& outputs() const noexcept;

  /// The layer of a network with one input of numbers and one output. Throws std::invalid_argument for
  /// another network, ShapeError and FileError, which name the operation or the node, for a shape that does
  /// not fit, and std::out_of_range for an index beyond the rows that it chooses from: at once where it is
  /// known by then, else from the pass.
  template <detail::TensorOf<float> X>
  TensorLayer operator()(const X& x) const {
    return single(detail::layerOf(x));
  }
  void operator()(...) const = delete;  // expected a Differentiable tensor of float; for more inputs: all

  /// The layers of all outputs, from all inputs in their order. Throws std::invalid_argument for another
  /// number or kind of inputs; else as above.
  std::vector<TensorLayer> all(const std::vector<OnnxValue>& inputs) const;
  /// The same, with what exportOnnx needs to write a network that has an `If`. Cost: also, for each `If`,
  /// linear in the operations before it.
  OnnxLayers layers(const std::vector<OnnxValue>& inputs) const;

  /// The weights and running averages, by the names of the file's initializers.
  Weights weights() const;

  class Content;
  /// For importOnnx.
  explicit OnnxNetwork(std::shared_ptr<const Content> content) noexcept : content_(std::move(content)) {}

 private:
  TensorLayer single(const TensorLayer& x) const;
  void requireInputs(const std::vector<OnnxValue>& given) const;

  std::shared_ptr<const Content> content_;
};

/// Reads a network from a file of ONNX's opsets 11 to 20. Numbers become float, also those of FLOAT16,
/// BFLOAT16 and DOUBLE. docs/files_of_others.md lists the operations. Throws FileError for a file that is not
/// of the format, and for one with another operation, which it names. Tensors may have their values in files
/// in the folder of the model or below it, links followed; no two tensors may share bytes of such a file if
/// all together need more than it has. Blocks the thread; memory: the file and its weights.
[[nodiscard]] OnnxNetwork importOnnx(const std::filesystem::path& path);

}  // namespace tapestry
#pragma GCC visibility pop
