// Defines FileError, thrown for a file that cannot be read or written or that has unexpected content.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry {

/// The message reads `tapestry::OPERATION: PATH: PROBLEM`, where PROBLEM names the found and the expected
/// state.
class FileError : public std::runtime_error {
 public:
  FileError(std::string_view operation, std::filesystem::path path, std::string problem);

  const std::filesystem::path& path() const noexcept { return path_; }
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::filesystem::path path_;
  std::string problem_;
};

}  // namespace tapestry
#pragma GCC visibility pop
