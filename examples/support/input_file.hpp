// Defines findFile and readInput, by which examples read the files that the user gave to them.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <tapestry/tensor/storage/file_error.hpp>

#include "support/input_error.hpp"

namespace tapestry::examples {

/// `directory/name` if it exists, otherwise `directory/name.gz`. Throws InputError if neither does.
[[nodiscard]] inline std::filesystem::path findFile(const std::filesystem::path& directory,
                                                    const std::string& name) {
  for (const auto& path : {directory / name, directory / (name + ".gz")})
    if (std::error_code ignored; std::filesystem::exists(path, ignored)) return path;
  throw InputError(directory / name, "no such file, expected it here, plain or with .gz at its end");
}

/// What read() returns. A FileError becomes an InputError.
template <class F>
[[nodiscard]] auto readInput(const F& read) try {
  return read();
} catch (const FileError& error) {
  throw InputError(error.path(), error.problem());
}

}  // namespace tapestry::examples
