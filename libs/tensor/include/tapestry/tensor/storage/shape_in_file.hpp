// Defines shapeInFile, which checks the extents that a file claims and computes their size in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tapestry/tensor/shape.hpp>

#include "tapestry/tensor/storage/plain_file.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct ShapeInFile {
  Shape shape;
  std::uint64_t bytes;
};

/// Fails, with `of` before the message, for a shape that no tensor can have and for a size in bytes beyond
/// 2^63.
ShapeInFile shapeInFile(const PlainFile& file, const std::string& of, std::span<const std::size_t> extents,
                        std::size_t elementSize);

/// Returns the text as messages show it: quoted, printable, and shortened if it is long.
std::string excerpt(std::string_view text);

}  // namespace tapestry
#pragma GCC visibility pop
