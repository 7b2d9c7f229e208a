// Defines the reading of IDX files, the format of the MNIST images and labels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace tapestry::examples {

/// `directory/name` if it exists, otherwise `directory/name.gz`. Throws InputError if neither does.
[[nodiscard]] std::filesystem::path findIdx(const std::filesystem::path& directory, const std::string& name);

/// The elements of an IDX file of unsigned bytes, plain or gzipped, item after item, each row by row. The
/// header must name items of exactly `itemShape`, `{28, 28}` for MNIST's images and `{}` for its labels;
/// their number is the size of the result over that of an item. Throws InputError if the file is missing, has
/// another header, is shorter or longer than its header says, claims more than 1 GiB, or is a corrupt gzip
/// stream.
[[nodiscard]] std::vector<std::uint8_t> readIdx(const std::filesystem::path& file,
                                                std::initializer_list<std::uint32_t> itemShape);

}  // namespace tapestry::examples
