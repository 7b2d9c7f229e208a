// Defines Bytes, and how tests make the files that they read: IDX headers and gzip streams.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <initializer_list>
#include <new>
#include <string_view>
#include <vector>

#include "support/system/temporary_directory.hpp"

namespace tapestry::test {

using Bytes = std::vector<std::uint8_t>;

/// The file of that name in the directory, with the bytes.
inline std::filesystem::path written(const TemporaryDirectory& directory, const std::string& name,
                                     const Bytes& bytes) {
  return directory.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

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

}  // namespace tapestry::test
