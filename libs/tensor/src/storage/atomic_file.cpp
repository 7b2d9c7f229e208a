#include <tapestry/tensor/storage/atomic_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tapestry {

namespace {

std::filesystem::path directoryOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

constexpr std::string_view prefix = ".tapestry-";
constexpr std::string_view suffix = ".tmp";

/// Returns a name that no other file of this process has; a file of an ended process or another machine may
/// have it.
std::filesystem::path temporaryNextTo(const std::filesystem::path& file) {
  static std::atomic<unsigned> count{0};
  const auto number = count.fetch_add(1, std::memory_order_relaxed);
  return directoryOf(file) / (std::string(prefix) + std::to_string(::getpid()) + "-" +
                              std::to_string(number) + std::string(suffix));
}

/// Whether temporaryNextTo may have made the name: ".tapestry-PROCESS-NUMBER.tmp".
bool isTemporary(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() < prefix.size() + suffix.size())
    return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t dash = name.find('-');
  return dash != name.npos && dash > 0 && dash + 1 < name.size() &&
         std::ranges::all_of(name.substr(0, dash), isDigit) &&
         std::ranges::all_of(name.substr(dash + 1), isDigit);
}

/// Removes the file if no process has locked it, which means that its writer has ended.
void removeUnlessLocked(const std::filesystem::path& file) noexcept {
  constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = ::open(file.c_str(), O_RDWR | flags);  // NFS locks only files that are open for writing
  if (descriptor < 0 && errno == EACCES) descriptor = ::open(file.c_str(), O_RDONLY | flags);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(file.c_str());
  ::close(descriptor);
}

void removeAbandoned(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error))
    if (isTemporary(at->path().filename().string())) found.push_back(at->path());
  for (const auto& file : found) removeUnlessLocked(file);
}

/// The path through which an unnamed file is given a name.
std::string handleOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

void keepErrno(const auto& action) noexcept {
  const int reason = errno;
  action();
  errno = reason;
}

/// Gives the file the permissions, owner and group of the file that it replaces. An owner or a group that
/// this process may not set is not kept. The permissions come first, since only an owner may set them.
bool takeAttributes(int descriptor, const struct stat& before) noexcept {
  if (::fchmod(descriptor, before.st_mode & 0777) != 0) return false;
  if (::fchown(descriptor, before.st_uid, before.st_gid) != 0)
    static_cast<void>(::fchown(descriptor, static_cast<uid_t>(-1), before.st_gid) == 0);
  return true;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, std::string operation)
    : path_(std::move(path)), target_(path_), operation_(std::move(operation)) {
  followLinks();
  struct stat before {};
  const bool exists = ::stat(target_.c_str(), &before) == 0;
  if (exists && !S_ISREG(before.st_mode))
    throw FileError(operation_, path_,
                    std::string("cannot be replaced, got ") +
                        (S_ISDIR(before.st_mode) ? "a directory" : "a device, pipe or socket") +
                        ", expected a file or nothing");
  removeAbandoned(directoryOf(target_));
  openUnnamed();
  if (descriptor_ < 0) openNamed();
  if (exists && !takeAttributes(descriptor_, before)) {
    keepErrno([this] { discard(); });
    fail("cannot be given the permissions of the file that it replaces");
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::followLinks() {
  constexpr int most = 40;  // the kernel's limit
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target_, error)); ++links) {
    const auto next = std::filesystem::read_symlink(target_, error);
    errno = links == most ? ELOOP : error.value();
    if (errno != 0) fail("cannot be followed");
    target_ = directoryOf(target_) / next;
  }
}

/// Leaves the file unopened if the system or the file system has no unnamed files.
void AtomicFile::openUnnamed() {
  descriptor_ = ::open(directoryOf(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0 && ::access(handleOf(descriptor_).c_str(), F_OK) == 0 && lock()) return;
  discard();
}

void AtomicFile::openNamed() {
  for (;;) {
    temporary_ = temporaryNextTo(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      if (errno == EEXIST) continue;
      temporary_.clear();
      fail("cannot be created");
    }
    // before it was locked, it looked abandoned, so that another process may be removing it
    const bool contended = !lock() && errno == EWOULDBLOCK;
    struct stat status {};
    if (!contended && ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
    discard();
  }
}

/// Returns false on file systems without locks, where no file looks abandoned.
bool AtomicFile::lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

/// Gives the unnamed file the name of a temporary file: linkat cannot replace an existing name.
void AtomicFile::link() {
  const std::string handle = handleOf(descriptor_);
  for (;;) {
    temporary_ = temporaryNextTo(target_);
    if (::linkat(AT_FDCWD, handle.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    if (errno == EEXIST) continue;
    temporary_.clear();
    fail("cannot be given a name");
  }
}

void AtomicFile::discard() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
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
  if (temporary_.empty()) link();
  // the lock is kept until the file has its name
  if (::rename(temporary_.c_str(), target_.c_str()) != 0)
    fail("cannot be replaced by the written file, and stays as it was",
         "a name that this process may replace");
  temporary_.clear();
  ::close(std::exchange(descriptor_, -1));  // after fsync, its failure loses nothing
  // The name is an entry of the directory, which must be synced separately.
  const int directory = ::open(directoryOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail("is written, but its directory cannot be opened to make that last");
  const bool synced =
      ::fsync(directory) == 0 || errno == EINVAL;  // EINVAL: the file system cannot sync directories
  keepErrno([directory] { ::close(directory); });
  if (!synced) fail("is written, but its directory cannot be synced to make that last");
}

void AtomicFile::fail(const char* problem, const char* expected) const {
  const auto reason = std::generic_category().message(errno);
  throw FileError(operation_, path_, std::string(problem) + ", got \"" + reason + "\", expected " + expected);
}

}  // namespace tapestry
