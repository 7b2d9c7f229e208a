// Defines how the tests make the files that they read: temporary directories, IDX headers and gzip streams.
#pragma once

#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/input_error.hpp"

namespace tapestry::examples {

using Bytes = std::vector<std::uint8_t>;

/// A new directory, removed with all that it holds at the end of its scope.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    auto name = (std::filesystem::temp_directory_path() / "tapestry-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path path() const { return path_; }

  std::filesystem::path write(const std::string& name, const Bytes& bytes) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

inline Bytes first(std::size_t count, Bytes bytes) {
  bytes.resize(count);
  return bytes;
}

/// The integers in big-endian order, as an IDX file begins with them.
inline Bytes header(std::initializer_list<std::uint32_t> integers) {
  Bytes bytes;
  for (const auto value : integers)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  return bytes;
}

inline Bytes images(std::uint32_t count) {
  Bytes pixels(count * 784);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * i % 251);
  return header({0x803, count, 28, 28}) + pixels;
}

inline Bytes labels(const Bytes& values) {
  return header({0x801, static_cast<std::uint32_t>(values.size())}) + values;
}

inline Bytes gzipped(Bytes content) {
  z_stream stream{};
  constexpr int gzipFormat = 15 + 16;
  if (deflateInit2(&stream, 9, Z_DEFLATED, gzipFormat, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  Bytes bytes(deflateBound(&stream, content.size()) + 32);
  stream.next_in = content.data();
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

/// The message of the InputError that `action` throws, without the `directory` before the file that it names.
template <class Action>
std::string messageOf(const TemporaryDirectory& directory, const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what(), place = directory.path().string() + '/';
    return message.starts_with(place) ? message.substr(place.size()) : message;
  }
  return "no error";
}

}  // namespace tapestry::examples
