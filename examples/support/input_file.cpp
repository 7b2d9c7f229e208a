#include "support/input_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <span>
#include <string>
#include <system_error>

#include "support/input_error.hpp"

namespace tapestry::examples {
namespace {

constexpr std::uint64_t chunk = 1 << 20;                     // what one step of `take` reads
constexpr std::uint64_t believed = std::uint64_t{64} << 20;  // the largest count that is reserved at once

std::ifstream openFile(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::not_found)
    throw InputError(path, "no such file, expected a readable file");
  if (kind == std::filesystem::file_type::directory)
    throw InputError(path, "is a directory, expected a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const auto reason = std::generic_category().message(errno);
    throw InputError(path, "cannot be opened (" + reason + "), expected a readable file");
  }
  return file;
}

}  // namespace

/// The bytes of the content, decompressed on the way if need be.
class InputFile::Source {
 public:
  explicit Source(const std::filesystem::path& path) : path_(path), file_(openFile(path)) {
    refill();
    gzipped_ = stream_.avail_in >= 2 && buffer_[0] == 0x1f && buffer_[1] == 0x8b;
    constexpr int gzipOnly = 15 + 16;
    if (inflateInit2(&stream_, gzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Source() { inflateEnd(&stream_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Fills `out` as far as the content reaches, and returns how far that is.
  std::size_t read(std::span<std::uint8_t> out) {
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) refill();
      if (!(gzipped_ ? inflateSome() : copySome())) break;
    }
    return out.size() - stream_.avail_out;
  }

  /// Whether the file ended inside a gzip stream, once `read` has met its end.
  [[nodiscard]] bool cutShort() const { return insideMember_; }

 private:
  void refill() {
    file_.read(reinterpret_cast<char*>(buffer_.data()), static_cast<std::streamsize>(buffer_.size()));
    if (file_.bad()) throw InputError(path_, "cannot be read any further, expected a readable file");
    stream_.next_in = buffer_.data();
    stream_.avail_in = static_cast<uInt>(file_.gcount());
  }

  bool copySome() {
    const auto count = std::min(stream_.avail_in, stream_.avail_out);
    stream_.next_out = std::copy_n(stream_.next_in, count, stream_.next_out);
    stream_.next_in += count;
    stream_.avail_in -= count;
    stream_.avail_out -= count;
    return count > 0;
  }

  /// A gzip file is one member or several, one after the other.
  bool inflateSome() {
    if (stream_.avail_in == 0 && !insideMember_) return false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR && !atGarbage())
      return false;  // no input is left, nor output that was held back
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) fail(status);
    insideMember_ = status == Z_OK;
    if (!insideMember_) {
      inflateReset(&stream_);
      afterMember_ = true;
    }
    return true;
  }

  /// What follows a member is garbage if it yields nothing; asked only when `inflate` has given up.
  [[nodiscard]] bool atGarbage() const { return afterMember_ && stream_.total_out == 0; }

  [[noreturn]] void fail(int status) const {
    if (atGarbage()) throw InputError(path_, "garbage after the gzip stream, expected the end of the file");
    const std::string reason = stream_.msg != nullptr ? stream_.msg : zError(status);
    throw InputError(path_, "corrupt gzip stream, got \"" + reason + "\", expected intact gzip data");
  }

  std::filesystem::path path_;
  std::ifstream file_;
  std::array<std::uint8_t, 1 << 16> buffer_;
  z_stream stream_{};  // its input side serves plain files too
  bool gzipped_ = false;
  bool insideMember_ = false;
  bool afterMember_ = false;
};

InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path)), source_(std::make_unique<Source>(path_)) {}

InputFile::~InputFile() = default;

std::vector<std::uint8_t> InputFile::take(std::uint64_t count) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::min(count, believed));
  while (bytes.size() < count) {
    const auto before = bytes.size();
    bytes.resize(before + std::min(count - before, chunk));
    const auto got = source_->read(std::span(bytes).subspan(before));
    taken_ += got;
    if (before + got < bytes.size())
      throw InputError(path_, "truncated, got " + std::to_string(taken_) + " bytes, expected at least " +
                                  std::to_string(taken_ - before - got + count));
  }
  return bytes;
}

void InputFile::expectEnd() {
  std::uint8_t next = 0;
  if (source_->read({&next, 1}) > 0)
    throw InputError(path_,
                     "too long, got more than " + std::to_string(taken_) + " bytes, expected the end there");
  if (source_->cutShort())
    throw InputError(path_, "truncated, got a gzip stream without its end, expected its checksum");
}

}  // namespace tapestry::examples
