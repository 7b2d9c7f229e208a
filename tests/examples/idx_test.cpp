#include "support/idx.hpp"

#include <doctest/doctest.h>

#include "input_files.hpp"

namespace tapestry::examples {
namespace {

std::string problem(const Bytes& content) {
  const TemporaryDirectory directory;
  return messageOf(directory, [&] { (void)readIdx(directory.write("file", content), {28, 28}); });
}

TEST_CASE("An IDX file is read plain and gzipped") {
  const TemporaryDirectory directory;
  const auto content = images(3);
  const Bytes pixels(content.begin() + 16, content.end());
  CHECK((readIdx(directory.write("plain", content), {28, 28}) == pixels));
  CHECK((readIdx(directory.write("gzipped", gzipped(content)), {28, 28}) == pixels));
  CHECK((readIdx(directory.write("labels", labels({5, 0, 4})), {}) == Bytes{5, 0, 4}));
  CHECK(readIdx(directory.write("none", labels({})), {}).empty());
}

TEST_CASE("A plain file is found before a gzipped one, and the lack of both is an error") {
  const TemporaryDirectory directory;
  CHECK(messageOf(directory, [&] { (void)findIdx(directory.path(), "name"); }) ==
        "name: no such file, expected it here, plain or with .gz at its end");
  directory.write("name.gz", {});
  CHECK(findIdx(directory.path(), "name") == directory.path() / "name.gz");
  directory.write("name", {});
  CHECK(findIdx(directory.path(), "name") == directory.path() / "name");
}

TEST_CASE("A missing file, a directory and a corrupt gzip stream are told apart") {
  const TemporaryDirectory directory;
  CHECK(messageOf(directory, [&] { (void)readIdx(directory.path() / "file", {}); }) ==
        "file: no such file, expected a readable file");
  std::filesystem::create_directory(directory.path() / "folder");
  CHECK(messageOf(directory, [&] { (void)readIdx(directory.path() / "folder", {}); }) ==
        "folder: is a directory, expected a file");
  auto damaged = gzipped(images(3));
  damaged[damaged.size() - 8] ^= 1;
  CHECK(problem(damaged) ==
        "file: corrupt gzip stream, got \"incorrect data check\", expected intact gzip data");
}

TEST_CASE("A wrong magic number is shown beside the right one") {
  CHECK(problem(labels({5, 0, 4})) == "file: wrong magic number, got 0x00000801, expected 0x00000803");
  CHECK(problem({'h', 'e', 'l', 'l', 'o'}) ==
        "file: wrong magic number, got 0x68656c6c, expected 0x00000803");
  const TemporaryDirectory directory;
  CHECK(messageOf(directory, [&] { (void)readIdx(directory.write("file", images(1)), {}); }) ==
        "file: wrong magic number, got 0x00000803, expected 0x00000801");
}

TEST_CASE("Items of another shape are refused") {
  CHECK(problem(header({0x803, 1, 32, 32}) + Bytes(1024)) ==
        "file: items of a wrong size, got 32x32, expected 28x28");
  CHECK(problem(header({0x803, 1, 784, 1}) + Bytes(784)) ==
        "file: items of a wrong size, got 784x1, expected 28x28");
}

TEST_CASE("A truncated file tells the bytes it has and those that its header speaks of") {
  CHECK(problem({}) == "file: truncated, got 0 bytes, expected at least 4");
  CHECK(problem(first(10, images(3))) == "file: truncated, got 10 bytes, expected at least 12");
  CHECK(problem(first(1000, images(3))) == "file: truncated, got 1000 bytes, expected at least 2368");
  CHECK(problem(gzipped(first(1000, images(3)))) ==
        "file: truncated, got 1000 bytes, expected at least 2368");
  CHECK(problem(header({0x803, 1'000'000, 28, 28})) ==
        "file: truncated, got 16 bytes, expected at least 784000016");
}

TEST_CASE("Bytes beyond what the header speaks of are refused") {
  CHECK(problem(images(3) + Bytes{0}) == "file: too long, got more than 2368 bytes, expected the end there");
  CHECK(problem(gzipped(images(3)) + Bytes(5)) ==
        "file: garbage after the gzip stream, expected the end of the file");
}

TEST_CASE("A header that claims absurdly much is refused before anything is read") {
  CHECK(problem(header({0x803, 0xffffffff, 28, 28})) ==
        "file: header claims too much, got 4294967295 items of 784 bytes, expected at most 1073741824 bytes "
        "in all");
}

}  // namespace
}  // namespace tapestry::examples
