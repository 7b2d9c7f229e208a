#include "support/digits.hpp"

#include <doctest/doctest.h>

#include "input_files.hpp"
#include "support/drawn_digits.hpp"

namespace tapestry::examples {
namespace {

/// A temporary directory that is the current one meanwhile.
class WorkingDirectory : public TemporaryDirectory {
 public:
  WorkingDirectory() { std::filesystem::current_path(path()); }
  ~WorkingDirectory() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_CASE("Without any data, digits are drawn from the seed") {
  const WorkingDirectory here;
  const auto data = findDigits(std::nullopt, 7);
  CHECK(data.training.size() == 12'000);
  CHECK(data.test.size() == 2'000);
  CHECK((data.training.pixels == drawDigits(12'000, 7).pixels));
  CHECK(data.source == "digits drawn from seed 7, since no data/mnist is here (or give --data DIR)");
}

TEST_CASE("The usual directory is read where it exists, even if it turns out to be broken") {
  const WorkingDirectory here;
  std::filesystem::create_directories("data/mnist");
  CHECK(messageOf(here, [] { (void)findDigits(std::nullopt, 7); }) ==
        "data/mnist/train-images-idx3-ubyte: no such file, expected it here, plain or with .gz at its end");
  here.write("data/mnist/train-images-idx3-ubyte", images(1));
  here.write("data/mnist/train-labels-idx1-ubyte", labels({5}));
  here.write("data/mnist/t10k-images-idx3-ubyte", images(1));
  here.write("data/mnist/t10k-labels-idx1-ubyte", labels({7}));
  CHECK(findDigits(std::nullopt, 7).source == "MNIST in data/mnist");
}

TEST_CASE("A directory that is asked for must be there") {
  const WorkingDirectory here;
  CHECK(messageOf(here, [] { (void)findDigits("nowhere", 7); }) ==
        "nowhere: no such directory, expected one that holds the four files of MNIST");
}

}  // namespace
}  // namespace tapestry::examples
