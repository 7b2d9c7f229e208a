// Defines readIdx, which reads the format of the MNIST images and labels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the elements of an IDX file of unsigned bytes, plain or gzipped, item after item, each row by row.
/// The header must declare items of exactly `itemShape`, `{28, 28}` for MNIST's images and `{}` for its
/// labels; the number of items is the size of the result divided by the size of an item. Throws FileError if
/// the file is missing, has another header, is shorter or longer than its header says, or is a corrupt gzip
/// stream. Memory grows with the content of the file, whatever the header says. Blocks the thread.
[[nodiscard]] std::vector<std::uint8_t> readIdx(const std::filesystem::path& file,
                                                std::initializer_list<std::uint32_t> itemShape);

}  // namespace tapestry
#pragma GCC visibility pop
