#include "reader.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace tapestry::onnx {

static_assert(std::endian::native == std::endian::little, "the numbers are read as they lie in memory");

namespace {

const char* describe(WireReader::Type type) {
  switch (type) {
    case WireReader::Type::varint:
      return "a whole number";
    case WireReader::Type::fixed64:
      return "a number of 64 bits";
    case WireReader::Type::bytes:
      return "bytes";
    case WireReader::Type::fixed32:
      return "a number of 32 bits";
  }
  return "a value";
}

}  // namespace

bool WireReader::next() {
  if (pending_) skip();
  start_ = at_;
  if (at_ == message_.size()) return false;
  const std::uint64_t tag = varint();
  field_ = tag >> 3;
  const auto type = static_cast<unsigned>(tag & 7);
  if (field_ == 0 || field_ >= (1U << 29) || type == 3 || type == 4 || type > 5)
    fail("no field, got the tag " + std::to_string(tag) + ", expected the tag of a field");
  type_ = static_cast<Type>(type);
  return pending_ = true;
}

std::int64_t WireReader::integer() {
  expect(Type::varint);
  return static_cast<std::int64_t>(varint());
}

float WireReader::number() {
  expect(Type::fixed32);
  float value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string WireReader::text() {
  const Bytes content = bytes();
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

Bytes WireReader::bytes() {
  expect(Type::bytes);
  return take(varint());
}

WireReader WireReader::message(const char* what) {
  const Bytes content = bytes();
  return {file_, what, content, offset_ + static_cast<std::size_t>(content.data() - message_.data())};
}

void WireReader::addIntegers(std::vector<std::int64_t>& values) {
  if (type_ == Type::varint) return values.push_back(integer());
  WireReader packed = message(what_);
  while (packed.at_ < packed.message_.size()) values.push_back(static_cast<std::int64_t>(packed.varint()));
}

template <class T>
void WireReader::addFixed(std::vector<T>& values, Type one) {
  if (type_ != one && type_ != Type::bytes) expect(one);
  const bool packed = type_ == Type::bytes;
  pending_ = false;
  const Bytes content = take(packed ? varint() : sizeof(T));
  if (content.size() % sizeof(T) != 0)
    fail("numbers are cut, got " + std::to_string(content.size()) + " bytes, expected a multiple of " +
         std::to_string(sizeof(T)));
  const std::size_t before = values.size();
  values.resize(before + content.size() / sizeof(T));
  if (!content.empty()) std::memcpy(values.data() + before, content.data(), content.size());
}

void WireReader::addNumbers(std::vector<float>& values) { addFixed(values, Type::fixed32); }
void WireReader::addNumbers(std::vector<double>& values) { addFixed(values, Type::fixed64); }

void WireReader::fail(const std::string& problem) const {
  file_.fail("byte " + std::to_string(offset_ + start_) + ", in " + what_ + ": " + problem);
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ == message_.size())
      fail("truncated, got the end of the message within a whole number, expected its last byte");
    const auto byte = static_cast<std::uint8_t>(message_[at_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  fail("too long a whole number, got more than 10 bytes, expected at most 10");
}

Bytes WireReader::take(std::uint64_t count) {
  const std::size_t left = message_.size() - at_;
  if (count > left)
    fail("truncated, got " + std::to_string(left) + " bytes for a value, expected " + std::to_string(count));
  return message_.subspan(std::exchange(at_, at_ + static_cast<std::size_t>(count)),
                          static_cast<std::size_t>(count));
}

void WireReader::skip() {
  pending_ = false;
  switch (type_) {
    case Type::varint:
      static_cast<void>(varint());
      break;
    case Type::fixed64:
      take(8);
      break;
    case Type::bytes:
      take(varint());
      break;
    case Type::fixed32:
      take(4);
      break;
  }
}

void WireReader::expect(Type type) {
  if (type_ != type)
    fail("field " + std::to_string(field_) + " is of another type, got " + describe(type_) + ", expected " +
         describe(type));
  pending_ = false;
}

}  // namespace tapestry::onnx
