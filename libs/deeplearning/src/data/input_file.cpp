#include <tapestry/deeplearning/data/input_file.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tapestry/tensor/storage/plain_file.hpp"

namespace tapestry {

namespace {

constexpr std::uint64_t chunk = 1 << 20;                     // read by one step of `takeUpTo`
constexpr std::uint64_t believed = std::uint64_t{64} << 20;  // the largest count that is reserved at once

}  // namespace

/// The bytes of the content, decompressed if they are compressed.
class InputFile::Source {
 public:
  Source(std::filesystem::path path, std::string operation) : file_(std::move(path), std::move(operation)) {
    refill();
    gzipped_ = stream_.avail_in >= 2 && buffer_[0] == 0x1f && buffer_[1] == 0x8b;
    constexpr int gzipOnly = 15 + 16;
    if (inflateInit2(&stream_, gzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Source() { inflateEnd(&stream_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Fills `out` up to the end of the content, and returns the number of bytes read.
  std::size_t read(std::span<std::uint8_t> out) {
    if (out.empty()) return 0;
    const std::size_t before = next_ ? 1 : 0;
    if (next_) out[0] = *std::exchange(next_, std::nullopt);
    stream_.next_out = out.data() + before;
    stream_.avail_out = static_cast<uInt>(out.size() - before);
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) refill();
      if (!(gzipped_ ? inflateSome() : copySome())) break;
    }
    return out.size() - stream_.avail_out;
  }

  /// Whether the file ended inside a gzip stream; valid after `read` has reached the end.
  [[nodiscard]] bool cutShort() const { return insideMember_; }

  /// Returns whether `read` would return no more bytes.
  bool atEnd() {
    if (!next_) {
      std::uint8_t byte = 0;
      if (read({&byte, 1}) > 0) next_ = byte;
    }
    return !next_;
  }

  /// Returns the number of bytes to reserve for content that claims to have `count` bytes.
  std::uint64_t reservation(std::uint64_t count) const {
    constexpr std::uint64_t largestRatio = 1032;  // of deflate
    const std::uint64_t held = file_.size();
    return std::min({count, believed, gzipped_ ? held * largestRatio : held});
  }

  const PlainFile& file() const { return file_; }

 private:
  void refill() {
    stream_.avail_in = static_cast<uInt>(file_.read(std::as_writable_bytes(std::span(buffer_))));
    stream_.next_in = buffer_.data();
  }

  bool copySome() {
    const auto count = std::min(stream_.avail_in, stream_.avail_out);
    stream_.next_out = std::copy_n(stream_.next_in, count, stream_.next_out);
    stream_.next_in += count;
    stream_.avail_in -= count;
    stream_.avail_out -= count;
    return count > 0;
  }

  /// Decompresses some bytes; a gzip file is one member or several, one after the other.
  bool inflateSome() {
    if (stream_.avail_in == 0 && !insideMember_) return false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    // no input is left, nor output that was held back; a member that ends after its two magic bytes is cut
    // short
    if (status == Z_BUF_ERROR && (!atGarbage() || stream_.total_in >= 2)) return false;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) fail(status);
    insideMember_ = status == Z_OK;
    if (!insideMember_) {
      inflateReset(&stream_);
      afterMember_ = true;
    }
    return true;
  }

  /// Whether garbage follows a member: bytes that yield no output. Called only when `inflate` has failed.
  [[nodiscard]] bool atGarbage() const { return afterMember_ && stream_.total_out == 0; }

  [[noreturn]] void fail(int status) const {
    if (atGarbage()) file_.fail("garbage after the gzip stream, expected the end of the file");
    const std::string reason = stream_.msg != nullptr ? stream_.msg : zError(status);
    file_.fail("corrupt gzip stream, got \"" + reason + "\", expected intact gzip data");
  }

  PlainFile file_;
  std::array<std::uint8_t, 1 << 16> buffer_;
  z_stream stream_{};                 // its input side serves plain files too
  std::optional<std::uint8_t> next_;  // the next byte, if `atEnd` has read it
  bool gzipped_ = false;
  bool insideMember_ = false;
  bool afterMember_ = false;
};

InputFile::InputFile(std::filesystem::path path, std::string operation)
    : source_(std::make_unique<Source>(std::move(path), std::move(operation))) {}

InputFile::~InputFile() = default;

std::vector<std::uint8_t> InputFile::take(std::uint64_t count) {
  const auto before = taken_;
  auto bytes = takeUpTo(count);
  if (bytes.size() < count)
    fail("truncated, got " + std::to_string(taken_) + " bytes, expected at least " +
         std::to_string(before + count));
  return bytes;
}

std::vector<std::uint8_t> InputFile::takeUpTo(std::size_t count) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(source_->reservation(count));
  while (bytes.size() < count) {
    const std::size_t before = bytes.size(), more = std::min<std::uint64_t>(count - before, chunk);
    bytes.resize(before + more);
    bytes.resize(before + source_->read(std::span(bytes).subspan(before)));
    if (bytes.size() < before + more) break;
  }
  taken_ += bytes.size();
  return bytes;
}

std::string InputFile::takeText() {
  std::string text;
  while (!atEnd()) {
    const auto bytes = takeUpTo(chunk);
    text.append(bytes.begin(), bytes.end());
  }
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

bool InputFile::atEnd() {
  if (!source_->atEnd()) return false;
  if (source_->cutShort()) fail("truncated, got a gzip stream without its end, expected its checksum");
  return true;
}

void InputFile::expectEnd() {
  if (!atEnd()) fail("too long, got more than " + std::to_string(taken_) + " bytes, expected the end there");
}

void InputFile::fail(const std::string& problem) const { source_->file().fail(problem); }

}  // namespace tapestry
