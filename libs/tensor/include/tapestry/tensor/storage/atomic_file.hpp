// Defines AtomicFile, a file that appears under its name complete or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Writes go to an unnamed file on the same file system, which `commit` gives the name. Until then, and if
/// the program or the machine ends before, the name keeps its previous file, and nothing is left behind. On
/// file systems without unnamed files (NFS), and for a moment in `commit`, the written file is named
/// `.tapestry-*.tmp` and locked by its process; the next AtomicFile in that directory removes such files of
/// processes that have ended. Symbolic links are followed, also a link to a file that does not exist yet, but
/// not a loop of links. A replaced file passes on its permissions and, where the process may set them, its
/// owner and group. The functions block the thread; the directory is listed once. Every failure throws
/// FileError, which names the operation and the system's reason.
class AtomicFile {
 public:
  AtomicFile(std::filesystem::path path, std::string operation);
  /// Removes the written file if it has not been committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);

  /// Returns when the file and its name are on the disk. If it fails before the file has its name, the
  /// destructor still removes the written file.
  void commit();

 private:
  void followLinks();
  void openUnnamed();
  void openNamed();
  [[nodiscard]] bool lock() const;
  void link();
  void discard() noexcept;
  [[noreturn]] void fail(const char* problem, const char* expected = "a writable file") const;

  std::filesystem::path path_;
  std::filesystem::path target_;     ///< the path with its links followed
  std::filesystem::path temporary_;  ///< empty while the file has no name
  std::string operation_;
  int descriptor_ = -1;
};

}  // namespace tapestry
#pragma GCC visibility pop
