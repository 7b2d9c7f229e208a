// Defines PlainFile, a file that is read from front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tapestry {

/// Every failure is a FileError of the operation that is named here. A path that leads to no regular file, or
/// to a link to one, is refused before it is opened: a pipe may be waited for without end, and a device have
/// none.
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
  /// memory is taken for them.
  void expectBytes(std::uint64_t count) const;
  void expectLastBytes(std::uint64_t count) const;

  [[noreturn]] void fail(const std::string& problem) const;

  const std::filesystem::path& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }

 private:
  void requireRegular(unsigned mode) const;

  std::filesystem::path path_;
  std::string operation_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace tapestry
