#include <tapestry/deeplearning/data/read_text.hpp>

#include <doctest/doctest.h>

#include "support/system/input_bytes.hpp"

using namespace tapestry::test;
using tapestry::readText;

TEST_CASE("a text is read as its bytes, plain or gzipped, without a byte order mark") {
  const TemporaryDirectory directory;
  CHECK(readText(directory.write("t", std::string("\xef\xbb\xbf"
                                                  "a\r\nü\0b",
                                                  8 + 1))) == std::string("a\r\nü\0b", 7 - 1));
  CHECK(readText(written(directory, "t.gz", gzipped({'a', '\n', 'b'}))) == "a\nb");
  CHECK(readText(directory.write("t", "")).empty());
}

TEST_CASE("a missing or truncated text is an error") {
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)readText(directory / "t"); }) ==
        "tapestry::readText: t: no such file, expected a readable file");
  auto cut = gzipped(Bytes(100, 'a'));
  cut.pop_back();
  CHECK(directory.errorOf([&] { (void)readText(written(directory, "t", cut)); })
            .starts_with("tapestry::readText: t: truncated, got a gzip stream without its end"));
}
