#include "read_tensor.hpp"

#include <algorithm>
#include <charconv>
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
  TensorReader(const WireReader& message, ExternalFiles& files) : message_(message), files_(files) {}

  Initializer read() {
    while (message_.next()) readField();
    const auto* type =
        std::ranges::find(readTypes, fields_.type, [](const TypeOfElements& each) { return each.number; });
    if (type == std::end(readTypes))
      fail("values of an unknown type, got type " + std::to_string(fields_.type) +
           ", expected FLOAT, DOUBLE, FLOAT16, BFLOAT16, INT64, INT32, INT8, UINT8 or BOOL");
    type_ = *type;
    const Shape shape = shapeOf();
    readExternal(shape);
    switch (type_.number) {
      case 1:
        return {fields_.name, floats<float>(shape, fields_.floats)};
      case 11:
        return {fields_.name, floats<double>(shape, fields_.doubles)};
      case 10:
        return {fields_.name, floats<std::uint16_t>(shape, fields_.integers, fromHalf)};
      case 16:
        return {fields_.name, floats<std::uint16_t>(shape, fields_.integers, fromBfloat16)};
      case 2:
      case 9:
        return {fields_.name, integers<std::uint8_t>(shape)};
      case 3:
        return {fields_.name, integers<std::int8_t>(shape)};
      case 6:
        return {fields_.name, integers<std::int32_t>(shape)};
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
        return readPlace(message_.message("a place of values"));
      case 14:
        isExternal_ = message_.integer() == 1;
        return;
      default:
        return;
    }
  }

  /// A key and its value, which describe the place of the values.
  void readPlace(WireReader entry) {
    std::string key, value;
    while (entry.next()) {
      if (entry.field() == 1) key = entry.text();
      if (entry.field() == 2) value = entry.text();
    }
    if (key == "location") place_.location = value;
    if (key == "offset") place_.offset = numberOf(key, value);
    if (key == "length") length_ = numberOf(key, value);
  }

  std::uint64_t numberOf(const std::string& key, const std::string& text) const {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end)
      fail("the " + key + " in another file is no number, got " + excerpt(text) + ", expected at least 0");
    return number;
  }

  /// Reads the values of another file, if they are in one, as raw bytes.
  void readExternal(const Shape& shape) {
    if (!isExternal_) return;
    const std::uint64_t bytes = shape.size() * type_.size;
    if (length_.value_or(bytes) != bytes) failForBytes(shape, *length_);
    external_ = files_.read(place_, bytes);
    fields_.raw = external_;
  }

  Shape shapeOf() const {
    std::vector<std::size_t> extents;
    for (const auto extent : fields_.dims) {
      if (extent < 0) fail("no extent, got " + std::to_string(extent) + ", expected at least 0");
      extents.push_back(static_cast<std::size_t>(extent));
    }
    return shapeInFile(message_.file(), "tensor " + excerpt(fields_.name) + ": ", extents, type_.size).shape;
  }

  /// Fails unless the raw bytes, or the list if there are none, have the values of the shape, as T.
  template <class T>
  void requireValues(const Shape& shape, std::size_t listed) const {
    if (fields_.raw && fields_.raw->size() != shape.size() * sizeof(T))
      failForBytes(shape, fields_.raw->size());
    if (!fields_.raw && listed != shape.size())
      fail("wrong number of values, got " + std::to_string(listed) + ", expected " +
           std::to_string(shape.size()) + " for " + toString(shape) + " of " + type_.name);
  }

  /// Writes the results of `convert` for the values, which are of the raw bytes if there are any, as T.
  template <class T>
  void convertInto(auto* out, std::size_t count, const auto& listed, const auto& convert) const {
    if (!fields_.raw)
      std::ranges::transform(listed, out, [&](auto value) { return convert(static_cast<T>(value)); });
    for (std::size_t i = 0; fields_.raw && i < count; ++i) {
      T value;
      std::memcpy(&value, fields_.raw->data() + i * sizeof(T), sizeof(T));
      out[i] = convert(value);
    }
  }

  template <class T>
  Tensor<float> floats(const Shape& shape, const auto& listed, const auto& convert) const {
    requireValues<T>(shape, listed.size());
    auto tensor = Tensor<float>::uninitialized(shape);
    convertInto<T>(tensor.exclusiveData(), shape.size(), listed, convert);
    return tensor;
  }
  template <class T>
  Tensor<float> floats(const Shape& shape, const std::vector<T>& listed) const {
    return floats<T>(shape, listed, [](T value) { return static_cast<float>(value); });
  }

  template <class T>
  Integers integers(const Shape& shape) const {
    requireValues<T>(shape, fields_.integers.size());
    Integers read{shape, std::vector<std::int64_t>(shape.size())};
    convertInto<T>(read.values.data(), shape.size(), fields_.integers,
                   [](T value) { return std::int64_t{value}; });
    return read;
  }

  [[noreturn]] void failForBytes(const Shape& shape, std::uint64_t got) const {
    fail("wrong number of bytes, got " + std::to_string(got) + ", expected " +
         std::to_string(shape.size() * type_.size) + " for " + toString(shape) + " of " + type_.name);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    message_.fail("tensor " + excerpt(fields_.name) + ": " + problem);
  }

  WireReader message_;
  ExternalFiles& files_;
  Fields fields_;
  TypeOfElements type_{};
  bool isExternal_ = false;
  ExternalValues place_;                 ///< if the values are in another file
  std::optional<std::uint64_t> length_;  ///< of these values, in bytes
  std::vector<std::byte> external_;      ///< these values
};

}  // namespace

Initializer readTensor(WireReader message, ExternalFiles& files) {
  return TensorReader(message, files).read();
}

}  // namespace tapestry::onnx
