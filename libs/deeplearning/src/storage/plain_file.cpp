#include "plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <tapestry/deeplearning/storage/file_error.hpp>

namespace tapestry {

PlainFile::PlainFile(std::filesystem::path path, std::string operation)
    : path_(std::move(path)), operation_(std::move(operation)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) fail("is a directory, expected a file");
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    if (errno == ENOENT) fail("no such file, expected a readable file");
    fail("cannot be opened (" + std::generic_category().message(errno) + "), expected a readable file");
  }
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode))
    size_ = static_cast<std::uint64_t>(status.st_size);
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

void PlainFile::expectBytes(std::uint64_t count) const {
  const auto size = sizeOrFail();
  if (size < taken_ || size - taken_ < count)
    fail("truncated, got " + std::to_string(size) + " bytes, expected at least " +
         (count > UINT64_MAX - taken_ ? "2^64" : std::to_string(taken_ + count)));
}

void PlainFile::expectLastBytes(std::uint64_t count) const {
  expectBytes(count);
  if (sizeOrFail() - taken_ > count)
    fail("too long, got " + std::to_string(sizeOrFail()) + " bytes, expected " +
         std::to_string(taken_ + count));
}

std::uint64_t PlainFile::sizeOrFail() const {
  if (!size_) fail("of unknown size, got a device, pipe or socket, expected a regular file");
  return *size_;
}

void PlainFile::fail(const std::string& problem) const { throw FileError(operation_, path_, problem); }

}  // namespace tapestry
