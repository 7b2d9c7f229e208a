#include "external_files.hpp"

#include <algorithm>
#include <system_error>

#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/plain_file.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry::onnx {

std::vector<std::byte> ExternalFiles::read(const ExternalValues& values, std::uint64_t count) {
  const std::filesystem::path path = pathOf(values.location);
  PlainFile file(path, operation_);
  file.skip(values.offset);
  file.expectBytes(count);
  std::uint64_t& sum = read_[path];
  if (sum > file.size() - count)
    file.fail("tensors of the model share bytes, got " + std::to_string(sum) + " and " +
              std::to_string(count) + " bytes of them, expected together at most " +
              std::to_string(file.size()));
  sum += count;
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  file.readAll(bytes);
  return bytes;
}

/// Follows links, as the check that the path stays in the folder must.
std::filesystem::path ExternalFiles::pathOf(const std::string& location) const {
  const auto folder = model_.has_parent_path() ? model_.parent_path() : std::filesystem::path(".");
  std::error_code noFolder, noPath;
  const auto from = std::filesystem::weakly_canonical(folder, noFolder);
  const auto path = std::filesystem::weakly_canonical(from / location, noPath);
  const auto [inFolder, inPath] = std::ranges::mismatch(from, path);
  if (noFolder || noPath || location.empty() || inFolder != from.end() || inPath == path.end())
    throw FileError(operation_, model_,
                    "the values of a tensor are out of reach, got the file " + excerpt(location) +
                        ", expected one in the folder of the model or below it");
  return folder / path.lexically_relative(from);
}

}  // namespace tapestry::onnx
