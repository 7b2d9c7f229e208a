#include <tapestry/tensor/storage/plain_file.hpp>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <string>

#include "support/system/temporary_directory.hpp"

using tapestry::PlainFile;
using tapestry::test::TemporaryDirectory;

namespace {

std::filesystem::path fileOf(const TemporaryDirectory& directory, const std::string& content) {
  const auto path = directory / "file";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace

TEST_CASE("a file is read from front to back, as far as it reaches") {
  const TemporaryDirectory directory;
  PlainFile file(fileOf(directory, "abcde"), "read");
  CHECK(file.size() == 5);
  std::array<std::byte, 3> bytes{};
  file.readAll(bytes);
  CHECK(bytes[2] == std::byte{'c'});
  CHECK(file.read(bytes) == 2);
  CHECK(bytes[1] == std::byte{'e'});
  CHECK(file.read(bytes) == 0);
}

TEST_CASE("the bytes that must follow are counted before they are read") {
  const TemporaryDirectory directory;
  const auto path = fileOf(directory, "abcde");
  const PlainFile file(path, "read");
  file.expectBytes(4);
  file.expectLastBytes(5);
  CHECK(directory.errorOf([&] { file.expectBytes(6); }) ==
        "tapestry::read: file: truncated, got 5 bytes, expected at least 6");
  CHECK_FALSE(directory.errorOf([&] { file.expectLastBytes(4); }).empty());
  CHECK(directory.errorOf([&] {
    PlainFile again(path, "read");
    std::array<std::byte, 6> bytes{};
    again.readAll(bytes);
  }) == "tapestry::read: file: truncated, got 5 bytes, expected at least 6");
}

TEST_CASE("bytes are passed over, but not beyond the end") {
  const TemporaryDirectory directory;
  PlainFile file(fileOf(directory, "abcde"), "read");
  file.skip(3);
  CHECK(directory.errorOf([&] { file.skip(3); }) ==
        "tapestry::read: file: truncated, got 5 bytes, expected at least 6");
  std::array<std::byte, 2> bytes{};
  file.readAll(bytes);
  CHECK(bytes[0] == std::byte{'d'});
  file.skip(0);
  CHECK(file.read(bytes) == 0);
}

TEST_CASE("only a regular file, or a link to one, is opened") {
  const TemporaryDirectory directory;
  const auto open = [&](const char* name) {
    return directory.errorOf([&] { const PlainFile file(directory / name, "read"); });
  };
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(open("pipe") == "tapestry::read: pipe: is a pipe, expected a regular file");
  CHECK(open("missing") == "tapestry::read: missing: no such file, expected a readable file");
  std::filesystem::create_symlink(fileOf(directory, "a"), directory / "link");
  CHECK(PlainFile(directory / "link", "read").size() == 1);
}
