// Defines InputFile, a binary file, plain or gzipped, that is read once from front to back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// For readers of file formats. All sizes are in bytes of the content, that is, after decompression. A file
/// whose first two bytes are those of gzip is decompressed, whatever its name. Every failure throws
/// FileError, which names the operation. Blocks the thread.
class InputFile {
 public:
  /// Throws if the path is missing, is neither a regular file nor a link to one, or cannot be read.
  InputFile(std::filesystem::path path, std::string operation);
  ~InputFile();

  /// Returns the next `count` bytes. Throws if the content ends before or is a corrupt gzip stream. Memory
  /// grows with the bytes present, not with the bytes requested, so that the count may come from a wrong
  /// header.
  [[nodiscard]] std::vector<std::uint8_t> take(std::uint64_t count);

  /// Returns the next `count` bytes, or fewer if the content ends before.
  [[nodiscard]] std::vector<std::uint8_t> takeUpTo(std::size_t count);

  /// Returns the rest of the content, without a byte order mark of UTF-8 at its beginning.
  [[nodiscard]] std::string takeText();

  /// Returns whether all content has been taken. Throws if the rest is a corrupt or unfinished gzip stream.
  [[nodiscard]] bool atEnd();

  /// Throws unless all content has been taken and, in a gzipped file, the checksum is right and nothing
  /// follows it.
  void expectEnd();

  /// Throws FileError.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  class Source;
  std::uint64_t taken_ = 0;
  std::unique_ptr<Source> source_;
};

}  // namespace tapestry
#pragma GCC visibility pop
