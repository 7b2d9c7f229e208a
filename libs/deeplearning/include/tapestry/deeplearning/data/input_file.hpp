// Defines InputFile, a binary file, plain or gzipped, that is read once from front to back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

/// For readers of formats. All sizes count the bytes of the content, that is, after decompression. A file
/// whose first two bytes are gzip's is decompressed, whatever its name. Every failure is a FileError of the
/// operation that is named here. Blocks the thread.
class InputFile {
 public:
  /// Throws if the path is missing, is neither a regular file nor a link to one, or cannot be read.
  InputFile(std::filesystem::path path, std::string operation);
  ~InputFile();

  /// The next `count` bytes. Throws if the content ends before or is a corrupt gzip stream. Memory grows with
  /// the bytes that are there, not with the bytes asked for, so that the count may come from a header that
  /// lies.
  [[nodiscard]] std::vector<std::uint8_t> take(std::uint64_t count);

  /// As many of the next `count` bytes as there are.
  [[nodiscard]] std::vector<std::uint8_t> takeUpTo(std::size_t count);

  /// Whether everything has been taken. Throws if what follows is a corrupt or unfinished gzip stream.
  [[nodiscard]] bool atEnd();

  /// Throws unless everything has been taken and, in a gzipped file, the checksum holds and nothing follows
  /// it.
  void expectEnd();

  /// Throws FileError.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  class Source;
  std::uint64_t taken_ = 0;
  std::unique_ptr<Source> source_;
};

}  // namespace tapestry
