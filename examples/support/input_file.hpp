// Defines InputFile, a binary file, plain or gzipped, that is read once from front to back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace tapestry::examples {

/// All sizes count the bytes of the content, that is, after decompression. A file whose first two bytes are
/// gzip's is decompressed, whatever its name. Every failure is an InputError that names the file.
class InputFile {
 public:
  /// Throws if the path is missing, is a directory, or cannot be read.
  explicit InputFile(std::filesystem::path path);
  ~InputFile();

  /// The next `count` bytes. Throws if the content ends before or is a corrupt gzip stream. Memory grows with
  /// the bytes that are there, not with the bytes asked for, so that the count may come from a header that
  /// lies.
  [[nodiscard]] std::vector<std::uint8_t> take(std::uint64_t count);

  /// Throws unless everything has been taken and, in a gzipped file, the checksum holds and nothing follows
  /// it.
  void expectEnd();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  class Source;
  std::filesystem::path path_;
  std::uint64_t taken_ = 0;
  std::unique_ptr<Source> source_;
};

}  // namespace tapestry::examples
