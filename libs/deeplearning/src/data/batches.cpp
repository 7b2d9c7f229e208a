#include <tapestry/deeplearning/data/batches.hpp>

#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

namespace tapestry::detail {

namespace {

/// Draws one of 0, ..., end - 1 with equal probability: draws that would favour the first values are
/// repeated.
std::uint64_t below(std::uint64_t end, std::mt19937_64& engine) {
  const std::uint64_t surplus = -end % end;  // 2^64 modulo end
  std::uint64_t drawn;
  do drawn = engine();
  while (drawn < surplus);
  return drawn % end;
}

}  // namespace

// Engine and seed sequence are the same in each standard library; std::shuffle and its distributions are not.
std::vector<std::size_t> epochOrder(std::size_t size, std::uint64_t seed, std::uint64_t epoch) {
  std::seed_seq seeds{seed & 0xffffffff, seed >> 32, epoch & 0xffffffff, epoch >> 32};
  std::mt19937_64 engine(seeds);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t rest = size; rest > 1; --rest) std::swap(order[rest - 1], order[below(rest, engine)]);
  return order;
}

void checkBatchSize(std::size_t size) {
  if (size == 0)
    throw std::invalid_argument("tapestry::Batches: a batch of no items, got size 0, expected at least 1");
}

}  // namespace tapestry::detail
