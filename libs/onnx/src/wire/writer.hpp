// Defines WireWriter, which writes a message in the wire format of Protocol Buffers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tapestry::onnx {

class WireWriter {
 public:
  void integer(unsigned field, std::int64_t value);
  void number(unsigned field, float value);
  void bytes(unsigned field, std::string_view value);
  void message(unsigned field, const WireWriter& value) { bytes(field, value.message_); }

  const std::string& written() const noexcept { return message_; }

 private:
  void tag(unsigned field, unsigned type);
  void varint(std::uint64_t value);

  std::string message_;
};

}  // namespace tapestry::onnx
