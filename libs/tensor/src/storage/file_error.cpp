#include <tapestry/tensor/storage/file_error.hpp>

#include <utility>

namespace tapestry {

FileError::FileError(std::string_view operation, std::filesystem::path path, std::string problem)
    : std::runtime_error("tapestry::" + std::string(operation) + ": " + path.string() + ": " + problem),
      path_(std::move(path)),
      problem_(std::move(problem)) {}

}  // namespace tapestry
