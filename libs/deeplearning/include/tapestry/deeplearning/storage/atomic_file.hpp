// Defines AtomicFile, a file that appears under its name whole, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "tapestry/deeplearning/storage/file_error.hpp"

namespace tapestry {

/// What is written goes to a temporary file in the same directory, which `commit` gives the name. Until then,
/// and if the program or the machine ends before, the name stands for what it stood for; what is left behind
/// in that case is a file `.tapestry-*.tmp`. A link is followed, and a file that is replaced passes its
/// permissions on. All of this blocks the thread. Every failure is a FileError of the operation that is named
/// here, with the system's reason.
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
  [[noreturn]] void fail(const char* problem) const;

  std::filesystem::path path_;
  std::filesystem::path target_;  ///< where links lead from the path
  std::filesystem::path temporary_;
  std::string operation_;
  int descriptor_ = -1;
};

}  // namespace tapestry
