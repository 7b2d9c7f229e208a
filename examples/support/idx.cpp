#include "support/idx.hpp"

#include <cstdio>
#include <span>

#include "support/input_error.hpp"
#include "support/input_file.hpp"

namespace tapestry::examples {
namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 30;

std::uint32_t takeInteger(InputFile& file) {
  std::uint32_t value = 0;
  for (const auto byte : file.take(4)) value = value << 8 | byte;
  return value;
}

std::string hexadecimal(std::uint32_t value) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
  return text;
}

std::string joined(std::span<const std::uint32_t> shape) {
  std::string text;
  for (const auto extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

void checkMagic(InputFile& file, std::size_t itemRank) {
  const auto expected =
      static_cast<std::uint32_t>(0x801 + itemRank);  // unsigned bytes in 1 + itemRank dimensions
  const auto magic = takeInteger(file);
  if (magic != expected)
    throw InputError(file.path(),
                     "wrong magic number, got " + hexadecimal(magic) + ", expected " + hexadecimal(expected));
}

void checkShape(InputFile& file, std::span<const std::uint32_t> expected) {
  std::vector<std::uint32_t> shape;
  while (shape.size() < expected.size()) shape.push_back(takeInteger(file));
  if (joined(shape) != joined(expected))
    throw InputError(file.path(),
                     "items of a wrong size, got " + joined(shape) + ", expected " + joined(expected));
}

}  // namespace

std::filesystem::path findIdx(const std::filesystem::path& directory, const std::string& name) {
  for (const auto& path : {directory / name, directory / (name + ".gz")})
    if (std::error_code ignored; std::filesystem::exists(path, ignored)) return path;
  throw InputError(directory / name, "no such file, expected it here, plain or with .gz at its end");
}

std::vector<std::uint8_t> readIdx(const std::filesystem::path& path,
                                  std::initializer_list<std::uint32_t> itemShape) {
  InputFile file(path);
  checkMagic(file, itemShape.size());
  const std::uint64_t count = takeInteger(file);
  checkShape(file, itemShape);
  std::uint64_t itemSize = 1;
  for (const auto extent : itemShape) itemSize *= extent;
  if (count * itemSize > largest)
    throw InputError(path, "header claims too much, got " + std::to_string(count) + " items of " +
                               std::to_string(itemSize) + " bytes, expected at most " +
                               std::to_string(largest) + " bytes in all");
  auto elements = file.take(count * itemSize);
  file.expectEnd();
  return elements;
}

}  // namespace tapestry::examples
