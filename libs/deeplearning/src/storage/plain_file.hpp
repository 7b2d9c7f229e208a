// Defines PlainFile, a file that is read from front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace tapestry {

/// Every failure is a FileError of the operation that is named here.
class PlainFile {
 public:
  PlainFile(std::filesystem::path path, std::string operation);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  /// Fills `out` as far as the file reaches, and returns how far that is.
  std::size_t read(std::span<std::byte> out);

  /// Fills `out`; the file must reach so far.
  void readAll(std::span<std::byte> out);

  /// Throws unless `count` more bytes are there, and are the last if `last` says so. To be asked before
  /// memory is taken for them. Of what is no regular file the size is unknown, which is a failure too.
  void expectBytes(std::uint64_t count) const;
  void expectLastBytes(std::uint64_t count) const;

  [[noreturn]] void fail(const std::string& problem) const;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Of a regular file; of others it is unknown.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

 private:
  std::uint64_t sizeOrFail() const;

  std::filesystem::path path_;
  std::string operation_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;  ///< of a regular file
  std::uint64_t taken_ = 0;
};

}  // namespace tapestry
