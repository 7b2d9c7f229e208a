// Defines PlainFile, a file that is read from front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#pragma GCC visibility push(default)
namespace tapestry {

/// Every failure throws FileError, which names the operation. A path that does not lead to a regular file,
/// directly or through links, is refused before it is opened: a pipe could block forever, and a device could
/// have no end.
class PlainFile {
 public:
  PlainFile(std::filesystem::path path, std::string operation);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  /// Fills `out` up to the end of the file, and returns the number of bytes read.
  std::size_t read(std::span<std::byte> out);

  /// Fills `out`; throws if the file ends before that.
  void readAll(std::span<std::byte> out);

  /// Passes over `count` bytes; throws unless that many follow.
  void skip(std::uint64_t count);

  /// Throw unless at least `count` more bytes follow, or exactly `count`. To be called before memory is
  /// allocated for the bytes.
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
#pragma GCC visibility pop
