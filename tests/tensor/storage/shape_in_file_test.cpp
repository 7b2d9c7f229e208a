#include <tapestry/tensor/storage/shape_in_file.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "support/system/temporary_directory.hpp"

using namespace tapestry;
using tapestry::test::TemporaryDirectory;

TEST_CASE("a shape that a file claims gives its size in bytes, and a shape that no tensor can have fails") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "file") << "x";
  const PlainFile file(directory / "file", "read");
  const auto shapeOf = [&](const std::vector<std::size_t>& extents) {
    return shapeInFile(file, "array 'w': ", extents, 4);
  };
  CHECK(shapeOf({2, 3}).shape == Shape{2, 3});
  CHECK(shapeOf({2, 3}).bytes == 24);
  CHECK(shapeOf({}).bytes == 4);
  const std::size_t huge = std::size_t{1} << 40;
  CHECK(directory.errorOf([&] {
    shapeOf({huge, huge});
  }) == "tapestry::read: file: array 'w': too large a shape, got [" + std::to_string(huge) + ", " +
            std::to_string(huge) + "], expected a size that memory can hold");
  CHECK(directory.errorOf([&] { shapeOf(std::vector<std::size_t>(40, 1)); }).find("too many axes") !=
        std::string::npos);
}

TEST_CASE("an excerpt shows printable characters, and not too many of them") {
  CHECK(excerpt("a\nb") == "\"a?b\"");
  CHECK(excerpt(std::string(100, 'x')) == "\"" + std::string(80, 'x') + "...\"");
}
