// Defines shapeInFile, a shape and its size in bytes, as a file claims them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tapestry/tensor/shape.hpp>

#include "tapestry/tensor/storage/plain_file.hpp"

namespace tapestry {

struct ShapeInFile {
  Shape shape;
  std::uint64_t bytes;
};

/// Fails, with `of` before the message, for what no tensor can be, and for a size in bytes beyond 2^63.
ShapeInFile shapeInFile(const PlainFile& file, const std::string& of, std::span<const std::size_t> extents,
                        std::size_t elementSize);

/// Some bytes as a message shows them: printable, and not too long.
std::string excerpt(std::string_view text);

}  // namespace tapestry
