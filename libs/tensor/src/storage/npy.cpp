#include <tapestry/tensor/storage/npy.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/tensor/storage/atomic_file.hpp>

#include "tapestry/tensor/storage/plain_file.hpp"
#include "tapestry/tensor/storage/shape_in_file.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

static_assert(std::endian::native == std::endian::little, "the values are written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";

template <class T>
constexpr std::string_view descr = sizeof(T) == 4 ? "<f4" : "<f8";

/// Returns (2, 3), or (2,), as Python writes it.
std::string tupleOf(const Shape& shape) {
  std::string text = "(";
  for (const std::size_t extent : shape) text += (text.size() > 1 ? " " : "") + std::to_string(extent) + ",";
  if (shape.rank() > 1) text.pop_back();
  return text + ")";
}

/// Returns all bytes before the values, which begin at a multiple of 64.
std::string preamble(std::string_view type, const Shape& shape) {
  std::string text =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + tupleOf(shape) + ", }";
  constexpr std::size_t before = magic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ').append("\n");
  std::string all(magic);
  all.append({'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)});
  return all + text;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    if (!text.empty()) text += ' ';
    text += digits[std::to_integer<std::size_t>(byte >> 4)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::string readHeaderText(PlainFile& file) {
  std::array<std::byte, magic.size() + 2> opening;
  file.readAll(opening);
  const auto start = std::span(opening).first<magic.size()>();
  const auto expected = std::as_bytes(std::span(magic));
  if (!std::equal(start.begin(), start.end(), expected.begin()))
    file.fail("no .npy file, got the bytes " + hexadecimal(start) + " at its start, expected " +
              hexadecimal(expected));
  const auto major = std::to_integer<unsigned>(opening[6]);
  const auto minor = std::to_integer<unsigned>(opening[7]);
  if ((major != 1 && major != 2) || minor != 0)
    file.fail("unknown version, got " + std::to_string(major) + "." + std::to_string(minor) +
              ", expected 1.0 or 2.0");
  std::uint32_t length = 0;
  file.readAll(std::as_writable_bytes(std::span(&length, 1)).first(major == 1 ? 2 : 4));
  file.expectBytes(length);
  std::string text(length, '\0');
  file.readAll(std::as_writable_bytes(std::span(text)));
  return text;
}

/// The content of the header of a .npy file.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<std::size_t> shape;
};

/// Reads the literal of a Python dictionary with exactly the keys of Header, in any order.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  /// Returns nothing for any other text and for an extent beyond size_t.
  std::optional<Header> header() {
    if (!take('{')) return {};
    while (!take('}')) {
      const auto key = string();
      if (!key || !take(':') || !value(*key)) return {};
      if (!take(',') && !next('}')) return {};
    }
    skipSpace();
    if (!rest_.empty() || !descr_ || !fortranOrder_ || !shape_) return {};
    return Header{*std::move(descr_), *fortranOrder_, *std::move(shape_)};
  }

 private:
  /// A key that is repeated or unknown is an error.
  bool value(std::string_view key) {
    if (key == "descr" && !descr_) return (descr_ = string()).has_value();
    if (key == "fortran_order" && !fortranOrder_) return (fortranOrder_ = boolean()).has_value();
    if (key == "shape" && !shape_) return (shape_ = tuple()).has_value();
    return false;
  }

  std::optional<std::string> string() {
    const char quote = next('"') ? '"' : '\'';
    if (!take(quote)) return {};
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) return {};
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::optional<bool> boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    return {};
  }

  std::optional<std::vector<std::size_t>> tuple() {
    if (!take('(')) return {};
    std::vector<std::size_t> extents;
    while (!take(')')) {
      const auto extent = integer();
      if (!extent) return {};
      extents.push_back(*extent);
      if (!take(',') && (!next(')') || extents.size() == 1)) return {};  // (3) is a number in Python
    }
    return extents;
  }

  std::optional<std::size_t> integer() {
    skipSpace();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc{}) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // as Python 2 wrote it
    return number;
  }

  void skipSpace() {
    const auto begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
  }
  bool next(char character) {
    skipSpace();
    return rest_.starts_with(character);
  }
  bool take(char character) { return take(std::string_view(&character, 1)); }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::string_view rest_;
  std::optional<std::string> descr_;
  std::optional<bool> fortranOrder_;
  std::optional<std::vector<std::size_t>> shape_;
};

}  // namespace

template <class T>
void saveNpy(const std::filesystem::path& path, const Tensor<T>& tensor) {
  AtomicFile file(path, "saveNpy");
  const std::string start = preamble(descr<T>, tensor.shape());
  file.write(std::as_bytes(std::span(start)));
  file.write(std::as_bytes(tensor.values()));
  file.commit();
}

template <class T>
Tensor<T> loadNpy(const std::filesystem::path& path) {
  PlainFile file(path, "loadNpy");
  const std::string text = readHeaderText(file);
  const auto header = HeaderParser(text).header();
  if (!header)
    file.fail("the header is not understood, got " + excerpt(text) +
              ", expected a dictionary of descr, fortran_order and shape");
  if (header->descr != descr<T>)
    file.fail("values of another type, got " + excerpt(header->descr) + ", expected " + excerpt(descr<T>));
  if (header->fortranOrder) file.fail("the wrong order, got fortran_order True, expected False");
  const auto [shape, bytes] = shapeInFile(file, "", header->shape, sizeof(T));
  file.expectLastBytes(bytes);
  auto tensor = Tensor<T>::uninitialized(shape);
  file.readAll(std::as_writable_bytes(std::span(tensor.exclusiveData(), tensor.size())));
  return tensor;
}

template void saveNpy(const std::filesystem::path&, const Tensor<float>&);
template void saveNpy(const std::filesystem::path&, const Tensor<double>&);
template Tensor<float> loadNpy(const std::filesystem::path&);
template Tensor<double> loadNpy(const std::filesystem::path&);

}  // namespace tapestry
#pragma GCC visibility pop
