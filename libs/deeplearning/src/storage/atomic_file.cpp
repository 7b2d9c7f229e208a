#include <tapestry/deeplearning/storage/atomic_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tapestry {

namespace {

std::filesystem::path directoryOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

// No other file of this machine has the name; one that a process of this number has left behind may.
std::filesystem::path temporaryNextTo(const std::filesystem::path& file) {
  static std::atomic<unsigned> count{0};
  return directoryOf(file) / (".tapestry-" + std::to_string(::getpid()) + "-" +
                              std::to_string(count.fetch_add(1, std::memory_order_relaxed)) + ".tmp");
}

int createNew(const std::filesystem::path& file) {
  return ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, std::string operation)
    : path_(std::move(path)), target_(path_), operation_(std::move(operation)) {
  std::error_code error;
  if (auto linked = std::filesystem::canonical(path_, error); !error) target_ = std::move(linked);
  struct stat before {};
  const bool exists = ::stat(target_.c_str(), &before) == 0;
  if (exists && !S_ISREG(before.st_mode))
    throw FileError(operation_, path_,
                    std::string("cannot be replaced, got ") +
                        (S_ISDIR(before.st_mode) ? "a directory" : "a device, pipe or socket") +
                        ", expected a file or nothing");
  do {
    temporary_ = temporaryNextTo(target_);
    descriptor_ = createNew(temporary_);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("cannot be created");
  if (exists && ::fchmod(descriptor_, before.st_mode & 0777) != 0) {
    const int reason = errno;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    errno = reason;
    fail("cannot be given the permissions of the file that it replaces");
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written =
        ::write(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (written >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      fail("cannot be written");
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail("cannot be written");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be given its name");
  temporary_.clear();
  // The name is an entry of the directory, which is written on its own.
  const int directory = ::open(directoryOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail("is written, but its directory cannot be opened to make that last");
  const bool synced =
      ::fsync(directory) == 0 || errno == EINVAL;  // of a file system that knows no such thing
  const int reason = errno;
  ::close(directory);
  errno = reason;
  if (!synced) fail("is written, but its directory cannot be synced to make that last");
}

void AtomicFile::fail(const char* problem) const {
  const auto reason = std::generic_category().message(errno);
  throw FileError(operation_, path_,
                  std::string(problem) + ", got \"" + reason + "\", expected a writable file");
}

}  // namespace tapestry
