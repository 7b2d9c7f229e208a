#include <limits>
#include <optional>
#include <span>
#include <string>

#include <tapestry/tensor/storage/atomic_file.hpp>
#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/version.hpp>

#include "model.hpp"
#include "wire/writer.hpp"

namespace tapestry::onnx {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The file beside the model that gets the numbers of its initializers; none without a name.
class DataFile {
 public:
  DataFile(const std::filesystem::path& model, std::string name, const std::string& operation)
      : name_(std::move(name)) {
    if (!name_.empty()) file_.emplace(std::filesystem::path(model).replace_filename(name_), operation);
  }

  explicit operator bool() const noexcept { return file_.has_value(); }

  /// Writes the numbers, and their place into the tensor's message.
  void write(std::span<const float> values, WireWriter& tensor) {
    const auto bytes = std::as_bytes(values);
    file_->write(bytes);
    addPlace(tensor, "location", name_);
    addPlace(tensor, "offset", std::to_string(size_));
    addPlace(tensor, "length", std::to_string(bytes.size()));
    constexpr std::int64_t external = 1;
    tensor.integer(14, external);
    size_ += bytes.size();
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  static void addPlace(WireWriter& tensor, std::string_view key, std::string_view value) {
    WireWriter entry;
    entry.bytes(1, key);
    entry.bytes(2, value);
    tensor.message(13, entry);
  }

  std::string name_;
  std::optional<AtomicFile> file_;
  std::uint64_t size_ = 0;
};

WireWriter written(const Graph& graph, DataFile& data);

std::string_view bytesOf(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

/// The tensor without its numbers.
WireWriter written(const std::string& name, const Array& array) {
  WireWriter message;
  const auto* floats = std::get_if<Tensor<float>>(&array);
  const Shape& shape = floats ? floats->shape() : std::get<Integers>(array).shape;
  for (const std::size_t extent : shape) message.integer(1, static_cast<std::int64_t>(extent));
  message.integer(2, static_cast<std::int64_t>(floats ? ElementType::floats : ElementType::int64));
  message.bytes(8, name);
  return message;
}

void addNumbers(const Array& array, WireWriter& tensor) {
  const auto* floats = std::get_if<Tensor<float>>(&array);
  tensor.bytes(9, floats ? bytesOf(floats->values()) : bytesOf(std::get<Integers>(array).values));
}

WireWriter written(const Attribute& attribute, DataFile& data) {
  WireWriter message;
  message.bytes(1, attribute.name);
  std::visit(Overloaded{[&](float value) { message.number(2, value); },
                        [&](std::int64_t value) { message.integer(3, value); },
                        [&](const std::string& value) { message.bytes(4, value); },
                        [&](const Array& value) {
                          WireWriter tensor = written("", value);
                          addNumbers(value, tensor);
                          message.message(5, tensor);
                        },
                        [&](const std::shared_ptr<const Graph>& value) {
                          message.message(6, written(*value, data));
                        },
                        [&](const std::vector<float>& values) {
                          for (const float value : values) message.number(7, value);
                        },
                        [&](const std::vector<std::int64_t>& values) {
                          for (const auto value : values) message.integer(8, value);
                        },
                        [&](const std::vector<std::string>& values) {
                          for (const auto& value : values) message.bytes(9, value);
                        }},
             attribute.value);
  message.integer(20, Attribute::typeOf(attribute.value));
  return message;
}

WireWriter written(const Node& node, DataFile& data) {
  WireWriter message;
  for (const auto& input : node.inputs) message.bytes(1, input);
  for (const auto& output : node.outputs) message.bytes(2, output);
  message.bytes(3, node.name);
  message.bytes(4, node.operation);
  for (const auto& attribute : node.attributes) message.message(5, written(attribute, data));
  return message;
}

WireWriter written(const ValueInfo& info) {
  WireWriter tensor;
  tensor.integer(1, static_cast<std::int64_t>(info.type));
  if (info.shape) {
    WireWriter shape;
    for (const Extent& extent : *info.shape) {
      WireWriter dimension;
      if (const auto* number = std::get_if<std::int64_t>(&extent))
        dimension.integer(1, *number);
      else
        dimension.bytes(2, std::get<std::string>(extent));
      shape.message(1, dimension);
    }
    tensor.message(2, shape);
  }
  WireWriter type;
  type.message(1, tensor);
  WireWriter message;
  message.bytes(1, info.name);
  message.message(2, type);
  return message;
}

WireWriter written(const Initializer& initializer, DataFile& data) {
  WireWriter tensor = written(initializer.name, initializer.value);
  const auto* floats = std::get_if<Tensor<float>>(&initializer.value);
  if (data && floats && floats->size() > 0)
    data.write(floats->values(), tensor);
  else
    addNumbers(initializer.value, tensor);
  return tensor;
}

WireWriter written(const Graph& graph, DataFile& data) {
  WireWriter message;
  for (const auto& node : graph.nodes) message.message(1, written(node, data));
  message.bytes(2, graph.name);
  for (const auto& initializer : graph.initializers) message.message(5, written(initializer, data));
  for (const auto& input : graph.inputs) message.message(11, written(input));
  for (const auto& output : graph.outputs) message.message(12, written(output));
  return message;
}

/// The size of the weights in the message of the model, the largest part of it.
std::uint64_t bytesOfWeights(const Graph& graph, const std::string& dataFile) {
  std::uint64_t sum = 0;
  for (const auto& initializer : graph.initializers)
    if (const auto* floats = std::get_if<Tensor<float>>(&initializer.value); floats && dataFile.empty())
      sum += floats->size() * sizeof(float);
  return sum;
}

void requireSize(std::uint64_t bytes, const std::filesystem::path& path, const std::string& operation) {
  constexpr std::uint64_t greatest = std::numeric_limits<std::int32_t>::max();
  if (bytes > greatest)
    throw FileError(operation, path,
                    "too large a model, got " + std::to_string(bytes) + " bytes, expected at most " +
                        std::to_string(greatest) +
                        ", the limit of Protocol Buffers (OnnxExportOptions::dataFile keeps weights apart)");
}

}  // namespace

void writeModel(const std::filesystem::path& path, const Model& model, const std::string& dataFile,
                const std::string& operation) {
  constexpr std::int64_t irVersion = 7;                                 // the least with opset 12
  requireSize(bytesOfWeights(model.graph, dataFile), path, operation);  // before they are copied
  DataFile data(path, dataFile, operation);
  WireWriter opset;
  opset.bytes(1, "");
  opset.integer(2, model.opset);
  WireWriter message;
  message.integer(1, irVersion);
  message.bytes(2, "tapestry");
  message.bytes(3, TAPESTRY_VERSION_TEXT);
  message.message(7, written(model.graph, data));
  message.message(8, opset);
  requireSize(message.written().size(), path, operation);
  AtomicFile file(path, operation);
  file.write(std::as_bytes(std::span(message.written())));
  data.commit();
  file.commit();
}

}  // namespace tapestry::onnx
