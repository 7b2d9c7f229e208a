// Defines AtomicFile, a file that appears under its name whole, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

/// Writes go to a file without a name on the same file system, which `commit` gives the name. Until then, and
/// if the program or the machine ends before, the name keeps its previous file, and nothing is left behind.
/// On file systems without such files (NFS), and for a moment in `commit`, a file that is written is a file
/// `.tapestry-*.tmp`, locked by its process; the next AtomicFile in that directory removes those whose
/// process has ended. Links are followed, also a link that leads to no file yet, but not a loop of links. A
/// file that is replaced passes on its permissions and, where the process may set them, its owner and group.
/// All of this blocks the thread; a directory is listed once. Every failure is a FileError of the operation
/// that is named here, with the system's reason.
class AtomicFile {
 public:
  AtomicFile(std::filesystem::path path, std::string operation);
  /// Without a commit, removes what was written.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);

  /// Returns when the file, and its name, are on the disk. If it fails before the file has its name, the
  /// destructor still removes what was written.
  void commit();

 private:
  void followLinks();
  void openUnnamed();
  void openNamed();
  [[nodiscard]] bool lock() const;
  void link();
  void discard() noexcept;
  [[noreturn]] void fail(const char* problem) const;

  std::filesystem::path path_;
  std::filesystem::path target_;     ///< where links lead from the path
  std::filesystem::path temporary_;  ///< empty while the file has no name
  std::string operation_;
  int descriptor_ = -1;
};

}  // namespace tapestry
