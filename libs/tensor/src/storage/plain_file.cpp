#include "tapestry/tensor/storage/plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <tapestry/tensor/storage/file_error.hpp>

namespace tapestry {

PlainFile::PlainFile(std::filesystem::path path, std::string operation)
    : path_(std::move(path)), operation_(std::move(operation)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) requireRegular(status.st_mode);
  // O_NONBLOCK: does not wait for a pipe that has replaced the file since the check
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    if (errno == ENOENT) fail("no such file, expected a readable file");
    fail("cannot be opened (" + std::generic_category().message(errno) + "), expected a readable file");
  }
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  const int reason = errno;
  ::close(std::exchange(descriptor_, -1));
  if (known) requireRegular(status.st_mode);
  fail("cannot be opened (" + std::generic_category().message(reason) + "), expected a readable file");
}

void PlainFile::requireRegular(unsigned mode) const {
  if (S_ISREG(mode)) return;
  const char* const kind = S_ISDIR(mode)    ? "directory"
                           : S_ISFIFO(mode) ? "pipe"
                           : S_ISSOCK(mode) ? "socket"
                                            : "device";
  fail(std::string("is a ") + kind + ", expected a regular file");
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t PlainFile::read(std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const ::ssize_t got =
        ::read(descriptor_, out.data() + filled, std::min<std::size_t>(out.size() - filled, 1 << 30));
    if (got == 0) break;
    if (got > 0)
      filled += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      fail("cannot be read any further (" + std::generic_category().message(errno) +
           "), expected a readable file");
  }
  taken_ += filled;
  return filled;
}

void PlainFile::readAll(std::span<std::byte> out) {
  const auto before = taken_;
  if (read(out) < out.size())
    fail("truncated, got " + std::to_string(taken_) + " bytes, expected at least " +
         std::to_string(before + out.size()));
}

void PlainFile::skip(std::uint64_t count) {
  expectBytes(count);
  if (::lseek(descriptor_, static_cast<::off_t>(count), SEEK_CUR) < 0)
    fail("cannot be read from byte " + std::to_string(taken_ + count) + " on (" +
         std::generic_category().message(errno) + "), expected a readable file");
  taken_ += count;
}

void PlainFile::expectBytes(std::uint64_t count) const {
  if (size_ < taken_ || size_ - taken_ < count)
    fail("truncated, got " + std::to_string(size_) + " bytes, expected at least " +
         (count > UINT64_MAX - taken_ ? "2^64" : std::to_string(taken_ + count)));
}

void PlainFile::expectLastBytes(std::uint64_t count) const {
  expectBytes(count);
  if (size_ - taken_ > count)
    fail("too long, got " + std::to_string(size_) + " bytes, expected " + std::to_string(taken_ + count));
}

void PlainFile::fail(const std::string& problem) const { throw FileError(operation_, path_, problem); }

}  // namespace tapestry
