// Defines Model, the content of an ONNX file as far as the library uses it, and its parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tapestry/deeplearning/storage/named_arrays.hpp>

namespace tapestry::onnx {

struct Graph;

/// The numbers that the format gives to types of elements (TensorProto.DataType).
enum class ElementType : std::int64_t { floats = 1, int64 = 7, truth = 9, doubles = 11 };

/// A tensor of whole numbers or truth values becomes Integers, each other one a Tensor<float>.
using Array = std::variant<Tensor<float>, Integers>;

struct Attribute {
  using Value = std::variant<float, std::int64_t, std::string, Array, std::shared_ptr<const Graph>,
                             std::vector<float>, std::vector<std::int64_t>, std::vector<std::string>>;
  std::string name;
  Value value;

  /// The number that the format gives to the type of the value (AttributeProto.AttributeType).
  static std::int64_t typeOf(const Value& value) { return static_cast<std::int64_t>(value.index()) + 1; }
};

struct Node {
  std::string operation;  ///< of the domain unless that is ONNX's own: "domain.Operation"
  std::string name;
  std::vector<std::string> inputs;  ///< an input that is left out is empty
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;
};

/// An extent of 0 or more, or a name that represents any extent.
using Extent = std::variant<std::int64_t, std::string>;

struct ValueInfo {
  std::string name;
  ElementType type = ElementType::floats;
  std::optional<std::vector<Extent>> shape = std::nullopt;
};

struct Initializer {
  std::string name;
  Array value;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Initializer> initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
};

/// Calls f(graph) for each graph within the node, such as the branches of an If.
void forEachGraphIn(const Node& node, const auto& f) {
  for (const auto& attribute : node.attributes)
    if (const auto* graph = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) f(**graph);
}

/// The version of ONNX's operations that files are written with, and those that are read.
inline constexpr std::int64_t writtenOpset = 12, leastOpset = 11, greatestOpset = 20;

struct Model {
  std::int64_t opset = writtenOpset;
  Graph graph;
};

/// Throws FileError, which names the operation, for a file that is not of the format, or that uses more of it
/// than Model can hold: sparse tensors, functions, other opsets. `path` is read whole, and of the files
/// beside it what tensors refer to.
Model readModel(const std::filesystem::path& path, const std::string& operation);

/// Writes the numbers of initializers into the data file, which is beside the model, unless its name is
/// empty. Throws FileError, which names the operation, if a file cannot be written, and for a model beyond
/// the 2 GiB that Protocol Buffers can hold.
void writeModel(const std::filesystem::path& path, const Model& model, const std::string& dataFile,
                const std::string& operation);

}  // namespace tapestry::onnx
