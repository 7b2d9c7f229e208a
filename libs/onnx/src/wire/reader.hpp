// Defines WireReader, which reads a message in the wire format of Protocol Buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tapestry/tensor/storage/plain_file.hpp>

namespace tapestry::onnx {

using Bytes = std::span<const std::byte>;

/// Goes over the fields of one message, which are part of a file that the reader refers to. Every failure
/// throws FileError, which names the byte of the file.
class WireReader {
 public:
  /// How a field is written (https://protobuf.dev/programming-guides/encoding).
  enum class Type { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  /// `what` names the message in errors; `offset` is its place in the file.
  WireReader(const PlainFile& file, const char* what, Bytes message, std::size_t offset = 0)
      : file_(file), what_(what), message_(message), offset_(offset) {}

  /// Goes to the next field, past the rest of this one. Returns false at the end of the message.
  bool next();
  std::uint64_t field() const noexcept { return field_; }

  // The value of the field; fails if it is written in another way.
  std::int64_t integer();
  float number();
  std::string text();
  Bytes bytes();
  /// A message in the field.
  WireReader message(const char* what);
  // Appends the values of a repeated field, one or packed.
  void addIntegers(std::vector<std::int64_t>& values);
  void addNumbers(std::vector<float>& values);
  void addNumbers(std::vector<double>& values);

  const PlainFile& file() const noexcept { return file_; }
  /// Fails for the message, at the place of the field.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::uint64_t varint();
  Bytes take(std::uint64_t count);
  void skip();
  void expect(Type type);
  template <class T>
  void addFixed(std::vector<T>& values, Type one);

  const PlainFile& file_;
  const char* what_;
  Bytes message_;
  std::size_t offset_;
  std::size_t at_ = 0;     ///< the next byte of the message
  std::size_t start_ = 0;  ///< the first byte of the field
  std::uint64_t field_ = 0;
  Type type_ = Type::varint;
  bool pending_ = false;  ///< the field's value has not been read
};

}  // namespace tapestry::onnx
