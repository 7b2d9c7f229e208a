#include "tapestry/continuation/random.hpp"

#include <mutex>
#include <random>

namespace tapestry {

struct Random::Generator {
  std::mutex mutex;
  std::mt19937_64 numbers;
};

Random::Random(std::uint64_t seed) : generator_(new Generator{{}, std::mt19937_64(seed)}) {}

Random::~Random() = default;

double Random::uniform() noexcept {
  const std::lock_guard lock(generator_->mutex);
  // not uniform_real_distribution, whose results differ from one standard library to another
  return static_cast<double>(generator_->numbers() >> 11) * 0x1p-53;
}

Random& Random::system() {
  // never destroyed, since runs may continue during static destruction
  static Random& random = *new Random(std::random_device()());
  return random;
}

}  // namespace tapestry
