#include <tapestry/tensor/storage/file_error.hpp>

#include <doctest/doctest.h>

TEST_CASE("an error of a file names the operation, the file and the problem") {
  const tapestry::FileError error("loadNpy", "models/w.npy", "truncated, got 3 bytes, expected 8");
  CHECK(std::string(error.what()) == "tapestry::loadNpy: models/w.npy: truncated, got 3 bytes, expected 8");
  CHECK(error.path() == "models/w.npy");
  CHECK(error.problem() == "truncated, got 3 bytes, expected 8");
}
