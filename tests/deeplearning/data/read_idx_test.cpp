#include <tapestry/deeplearning/data/read_idx.hpp>

#include <doctest/doctest.h>

#include "support/system/input_bytes.hpp"

namespace {

using namespace tapestry::test;
using tapestry::readIdx;

std::string problem(const Bytes& content) {
  const TemporaryDirectory directory;
  return directory.errorOf([&] { (void)readIdx(written(directory, "file", content), {28, 28}); });
}

}  // namespace

TEST_CASE("an IDX file is read plain and gzipped") {
  const TemporaryDirectory directory;
  const auto content = images(3);
  const Bytes pixels(content.begin() + 16, content.end());
  CHECK((readIdx(written(directory, "plain", content), {28, 28}) == pixels));
  CHECK((readIdx(written(directory, "gzipped", gzipped(content)), {28, 28}) == pixels));
  CHECK((readIdx(written(directory, "labels", labels({5, 0, 4})), {}) == Bytes{5, 0, 4}));
  CHECK(readIdx(written(directory, "none", labels({})), {}).empty());
}

TEST_CASE("a missing file, a directory and a corrupt gzip stream have different errors") {
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)readIdx(directory.path() / "file", {}); }) ==
        "tapestry::readIdx: file: no such file, expected a readable file");
  std::filesystem::create_directory(directory.path() / "folder");
  CHECK(directory.errorOf([&] { (void)readIdx(directory.path() / "folder", {}); }) ==
        "tapestry::readIdx: folder: is a directory, expected a regular file");
  auto damaged = gzipped(images(3));
  damaged[damaged.size() - 8] ^= 1;
  CHECK(problem(damaged) ==
        "tapestry::readIdx: file: corrupt gzip stream, got \"incorrect data check\", expected intact gzip "
        "data");
}

TEST_CASE("a wrong magic number is shown beside the right one") {
  CHECK(problem(labels({5, 0, 4})) ==
        "tapestry::readIdx: file: wrong magic number, got 0x00000801, expected 0x00000803");
  CHECK(problem({'h', 'e', 'l', 'l', 'o'}) ==
        "tapestry::readIdx: file: wrong magic number, got 0x68656c6c, expected 0x00000803");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)readIdx(written(directory, "file", images(1)), {}); }) ==
        "tapestry::readIdx: file: wrong magic number, got 0x00000803, expected 0x00000801");
}

TEST_CASE("items of another shape are refused") {
  CHECK(problem(header({0x803, 1, 32, 32}) + Bytes(1024)) ==
        "tapestry::readIdx: file: items of a wrong size, got 32x32, expected 28x28");
  CHECK(problem(header({0x803, 1, 784, 1}) + Bytes(784)) ==
        "tapestry::readIdx: file: items of a wrong size, got 784x1, expected 28x28");
}

TEST_CASE(
    "the error of a truncated file has the number of its bytes and the number that its header expects") {
  CHECK(problem({}) == "tapestry::readIdx: file: truncated, got 0 bytes, expected at least 4");
  CHECK(problem(first(10, images(3))) ==
        "tapestry::readIdx: file: truncated, got 10 bytes, expected at least 12");
  CHECK(problem(first(1000, images(3))) ==
        "tapestry::readIdx: file: truncated, got 1000 bytes, expected at least 2368");
  CHECK(problem(gzipped(first(1000, images(3)))) ==
        "tapestry::readIdx: file: truncated, got 1000 bytes, expected at least 2368");
  CHECK(problem(header({0x803, 1'000'000, 28, 28})) ==
        "tapestry::readIdx: file: truncated, got 16 bytes, expected at least 784000016");
}

TEST_CASE("bytes beyond the size in the header are refused") {
  CHECK(problem(images(3) + Bytes{0}) ==
        "tapestry::readIdx: file: too long, got more than 2368 bytes, expected the end there");
  CHECK(problem(gzipped(images(3)) + Bytes(5)) ==
        "tapestry::readIdx: file: garbage after the gzip stream, expected the end of the file");
}

TEST_CASE("a header that claims absurdly much is refused with the size of the file") {
  CHECK(problem(header({0x803, 0xffffffff, 28, 28})) ==
        "tapestry::readIdx: file: truncated, got 16 bytes, expected at least 3367254359296");
  const TemporaryDirectory directory;
  const auto file = written(directory, "file", header({0x803, 0xffffffff, 0xffffffff, 0xffffffff}));
  CHECK(directory.errorOf([&] {
    (void)readIdx(file, {0xffffffff, 0xffffffff});
  }) == "tapestry::readIdx: file: the header claims too much, got 4294967295 items of 4294967295x4294967295, "
        "expected less than 2^64 bytes");
}
