// Defines toBytes and fromBytes, values as bytes that ranks exchange.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/distributed/communicator.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Specialise it for a user-defined type T that ranks exchange, with
///   static void write(ByteWriter& to, const T& value);  // to(part) for each part
///   static T read(ByteReader& from);                    // from.read<Part>() for each part, in the same
///   order
/// Arithmetic types, enumerations, std::string, std::vector, std::pair, std::tuple, std::optional and Tensor
/// have one. Bytes are those of the memory: all ranks must have the same architecture.
template <class T>
struct Wire;

class ByteWriter;
class ByteReader;

/// A type whose values ranks can exchange.
template <class T>
concept HasWire = requires(ByteWriter& to, ByteReader& from, const T& value) {
  Wire<T>::write(to, value);
  { Wire<T>::read(from) } -> std::same_as<T>;
};

/// Appends values to bytes.
class ByteWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    Wire<T>::write(*this, value);
  }
  /// Appends the bytes as they are.
  void append(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// Returns all bytes.
  Bytes take() && noexcept { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads values in the order in which they were written. Throws std::invalid_argument where bytes are
/// missing.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  template <class T>
  T read() {
    return Wire<T>::read(*this);
  }
  /// Copies as many bytes as the target has.
  void copyTo(std::span<std::byte> to) {
    const auto from = take(to.size());
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  }
  /// Reads a number of elements, each of at least `least` bytes, that are still to come.
  std::size_t readCount(std::size_t least);
  std::size_t left() const noexcept { return rest_.size(); }

 private:
  std::span<const std::byte> take(std::size_t count);
  std::span<const std::byte> rest_;
};

template <>
struct Wire<bool> {
  static void write(ByteWriter& to, const bool& value) { to(static_cast<std::uint8_t>(value)); }
  static bool read(ByteReader& from);
};

template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
struct Wire<T> {
  static void write(ByteWriter& to, const T& value) { to.append(std::as_bytes(std::span(&value, 1))); }
  static T read(ByteReader& from) {
    T value;
    from.copyTo(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
};

template <>
struct Wire<std::string> {
  static void write(ByteWriter& to, const std::string& value) {
    to(value.size());
    to.append(std::as_bytes(std::span(value)));
  }
  static std::string read(ByteReader& from) {
    std::string value(from.readCount(1), '\0');
    from.copyTo(std::as_writable_bytes(std::span(value)));
    return value;
  }
};

template <HasWire T>
struct Wire<std::vector<T>> {
  static constexpr bool plain = (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&!std::same_as<T, bool>;

  static void write(ByteWriter& to, const std::vector<T>& values) {
    to(values.size());
    if constexpr (plain)
      to.append(std::as_bytes(std::span(values)));
    else
      for (const auto& value : values) to(static_cast<const T&>(value));
  }
  static std::vector<T> read(ByteReader& from) {
    std::vector<T> values;
    if constexpr (plain) {
      values.resize(from.readCount(sizeof(T)));
      from.copyTo(std::as_writable_bytes(std::span(values)));
    } else {
      const std::size_t count = from.readCount(std::is_empty_v<T> ? 0 : 1);
      values.reserve(count);
      for (std::size_t i = 0; i < count; ++i) values.push_back(from.read<T>());
    }
    return values;
  }
};

template <HasWire... T>
struct Wire<std::tuple<T...>> {
  static void write(ByteWriter& to, const std::tuple<T...>& values) {
    std::apply([&](const T&... each) { (..., to(each)); }, values);
  }
  static std::tuple<T...> read(ByteReader& from) {
    return std::tuple<T...>{from.read<T>()...};  // braces: in order
  }
};

template <HasWire A, HasWire B>
struct Wire<std::pair<A, B>> {
  static void write(ByteWriter& to, const std::pair<A, B>& value) {
    to(value.first);
    to(value.second);
  }
  static std::pair<A, B> read(ByteReader& from) { return std::pair<A, B>{from.read<A>(), from.read<B>()}; }
};

template <HasWire T>
struct Wire<std::optional<T>> {
  static void write(ByteWriter& to, const std::optional<T>& value) {
    to(value.has_value());
    if (value) to(*value);
  }
  static std::optional<T> read(ByteReader& from) {
    return from.read<bool>() ? std::optional<T>(from.read<T>()) : std::nullopt;
  }
};

template <class T>
struct Wire<Tensor<T>> {
  static void write(ByteWriter& to, const Tensor<T>& value) {
    to(std::vector<std::size_t>(value.shape().begin(), value.shape().end()));
    to.append(std::as_bytes(value.values()));
  }
  static Tensor<T> read(ByteReader& from);
};
extern template struct Wire<Tensor<float>>;
extern template struct Wire<Tensor<double>>;

/// The value as bytes.
template <HasWire T>
Bytes toBytes(const T& value) {
  ByteWriter to;
  to(value);
  return std::move(to).take();
}

/// The value that toBytes<T> has written. Throws std::invalid_argument for bytes that are no T.
template <HasWire T>
T fromBytes(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  T value = from.read<T>();
  if (from.left() != 0)
    throw std::invalid_argument("tapestry::fromBytes: bytes are left over, got " +
                                std::to_string(from.left()) + ", expected 0");
  return value;
}

}  // namespace tapestry
#pragma GCC visibility pop
