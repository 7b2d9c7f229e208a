#include <tapestry/deeplearning/data/read_idx.hpp>

#include <cstdio>
#include <span>
#include <string>

#include <tapestry/deeplearning/data/input_file.hpp>

namespace tapestry {

namespace {

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
    file.fail("wrong magic number, got " + hexadecimal(magic) + ", expected " + hexadecimal(expected));
}

void checkShape(InputFile& file, std::span<const std::uint32_t> expected) {
  std::vector<std::uint32_t> shape;
  while (shape.size() < expected.size()) shape.push_back(takeInteger(file));
  if (joined(shape) != joined(expected))
    file.fail("items of a wrong size, got " + joined(shape) + ", expected " + joined(expected));
}

}  // namespace

std::vector<std::uint8_t> readIdx(const std::filesystem::path& path,
                                  std::initializer_list<std::uint32_t> itemShape) {
  InputFile file(path, "readIdx");
  checkMagic(file, itemShape.size());
  const std::uint32_t count = takeInteger(file);
  checkShape(file, itemShape);
  std::uint64_t size = count;
  for (const auto extent : itemShape)
    if (__builtin_mul_overflow(size, extent, &size))
      file.fail("the header claims too much, got " + std::to_string(count) + " items of " +
                joined(std::span(itemShape.begin(), itemShape.size())) + ", expected less than 2^64 bytes");
  auto elements = file.take(size);
  file.expectEnd();
  return elements;
}

}  // namespace tapestry
