#include "writer.hpp"

namespace tapestry::onnx {

void WireWriter::integer(unsigned field, std::int64_t value) {
  tag(field, 0);
  varint(static_cast<std::uint64_t>(value));
}

void WireWriter::number(unsigned field, float value) {
  tag(field, 5);
  message_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void WireWriter::bytes(unsigned field, std::string_view value) {
  tag(field, 2);
  varint(value.size());
  message_ += value;
}

void WireWriter::tag(unsigned field, unsigned type) { varint(std::uint64_t{field} << 3 | type); }

void WireWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message_ += static_cast<char>(value | 0x80);
  message_ += static_cast<char>(value);
}

}  // namespace tapestry::onnx
