#include "read_tensor.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <tapestry/tensor/storage/half_precision.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry::onnx {

namespace {

/// The fields of a TensorProto.
struct Fields {
  std::string name;
  std::vector<std::int64_t> dims;
  std::int64_t type = 0;
  std::optional<Bytes> raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;  ///< of int32_data, int64_data and uint64_data
};

struct TypeOfElements {
  std::int64_t number;
  const char* name;
  std::size_t size;
};
constexpr TypeOfElements readTypes[] = {{1, "FLOAT", 4},    {2, "UINT8", 1},   {3, "INT8", 1},
                                        {6, "INT32", 4},    {7, "INT64", 8},   {9, "BOOL", 1},
                                        {10, "FLOAT16", 2}, {11, "DOUBLE", 8}, {16, "BFLOAT16", 2}};

class TensorReader {
 public:
  explicit TensorReader(const WireReader& message) : message_(message) {}

  Initializer read() {
    while (message_.next()) readField();
    const auto* type =
        std::ranges::find(readTypes, fields_.type, [](const TypeOfElements& each) { return each.number; });
    if (type == std::end(readTypes))
      fail("values of an unknown type, got type " + std::to_string(fields_.type) +
           ", expected FLOAT, DOUBLE, FLOAT16, BFLOAT16, INT64, INT32, INT8, UINT8 or BOOL");
    type_ = *type;
    const Shape shape = shapeOf();
    switch (type_.number) {
      case 1:
        return {fields_.name, floats<float>(shape, fields_.floats)};
      case 11:
        return {fields_.name, floats<double>(shape, fields_.doubles)};
      case 10:
        return {fields_.name, halves(shape, fromHalf)};
      case 16:
        return {fields_.name, halves(shape, fromBfloat16)};
      case 2:
        return {fields_.name, integers<std::uint8_t>(shape)};
      case 3:
        return {fields_.name, integers<std::int8_t>(shape)};
      case 6:
        return {fields_.name, integers<std::int32_t>(shape)};
      case 9:
        return {fields_.name, integers<bool>(shape)};
      default:
        return {fields_.name, integers<std::int64_t>(shape)};
    }
  }

 private:
  void readField() {
    switch (message_.field()) {
      case 1:
        return message_.addIntegers(fields_.dims);
      case 2:
        fields_.type = message_.integer();
        return;
      case 4:
        return message_.addNumbers(fields_.floats);
      case 5:
      case 7:
      case 11:
        return message_.addIntegers(fields_.integers);
      case 8:
        fields_.name = message_.text();
        return;
      case 9:
        fields_.raw = message_.bytes();
        return;
      case 10:
        return message_.addNumbers(fields_.doubles);
      case 13:
      case 14:
        fail("the values are in another file, got external data, expected them in this file");
      default:
        return;
    }
  }

  Shape shapeOf() const {
    std::vector<std::size_t> extents;
    for (const auto extent : fields_.dims) {
      if (extent < 0) fail("no extent, got " + std::to_string(extent) + ", expected at least 0");
      extents.push_back(static_cast<std::size_t>(extent));
    }
    return shapeInFile(message_.file(), "tensor " + excerpt(fields_.name) + ": ", extents, type_.size).shape;
  }

  void requireCount(const Shape& shape, std::size_t got) const {
    if (got != shape.size())
      fail("wrong number of values, got " + std::to_string(got) + ", expected " +
           std::to_string(shape.size()) + " for " + toString(shape) + " of " + type_.name);
  }

  /// Returns the values, of the raw bytes if there are any, as T.
  template <class T>
  std::vector<T> valuesOf(const Shape& shape, const auto& listed) const {
    if (!fields_.raw) {
      requireCount(shape, listed.size());
      return {listed.begin(), listed.end()};
    }
    const Bytes raw = *fields_.raw;
    if (raw.size() % sizeof(T) != 0 || raw.size() / sizeof(T) != shape.size())
      fail("wrong number of bytes, got " + std::to_string(raw.size()) + ", expected " +
           std::to_string(shape.size() * sizeof(T)) + " for " + toString(shape) + " of " + type_.name);
    std::vector<T> values(shape.size());
    if (!raw.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }

  template <class T>
  Tensor<float> floats(const Shape& shape, const std::vector<T>& listed) const {
    const auto values = valuesOf<T>(shape, listed);
    auto tensor = Tensor<float>::uninitialized(shape);
    std::ranges::transform(values, tensor.exclusiveData(), [](T value) { return static_cast<float>(value); });
    return tensor;
  }

  Tensor<float> halves(const Shape& shape, float (*widen)(std::uint16_t) noexcept) const {
    const auto values = valuesOf<std::uint16_t>(shape, fields_.integers);
    auto tensor = Tensor<float>::uninitialized(shape);
    std::ranges::transform(values, tensor.exclusiveData(), widen);
    return tensor;
  }

  template <class T>
  Integers integers(const Shape& shape) const {
    using Stored = std::conditional_t<std::same_as<T, bool>, std::uint8_t, T>;
    const auto values = valuesOf<Stored>(shape, fields_.integers);
    return {shape, {values.begin(), values.end()}};
  }

  [[noreturn]] void fail(const std::string& problem) const {
    message_.fail("tensor " + excerpt(fields_.name) + ": " + problem);
  }

  WireReader message_;
  Fields fields_;
  TypeOfElements type_{};
};

}  // namespace

Initializer readTensor(WireReader message) { return TensorReader(message).read(); }

}  // namespace tapestry::onnx
