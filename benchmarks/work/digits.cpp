#include "work/digits.hpp"

#include <filesystem>

#include "support/drawn_digits.hpp"

namespace tapestry::benchmarks {

examples::Digits trainingDigits() {
  const std::filesystem::path directory = TAPESTRY_MNIST_DIR;
  std::error_code ignored;
  if (std::filesystem::is_directory(directory, ignored)) return examples::loadMnist(directory).training;
  return examples::drawDigits(60'000, 1);
}

}  // namespace tapestry::benchmarks
