// Defines FileError, thrown for a file that cannot be read or written, or whose content is not as it should
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tapestry {

/// Reads `tapestry::OPERATION: PATH: PROBLEM`, where the problem tells what was found and what was expected.
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
