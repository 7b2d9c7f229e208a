// Defines epochOrder, the order of the items of an epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns 0, ..., size - 1, shuffled by the seed and the epoch's number: the same on every machine.
std::vector<std::size_t> epochOrder(std::size_t size, std::uint64_t seed, std::uint64_t epoch);

/// Throws std::invalid_argument for batches of no items.
void checkBatchSize(std::size_t size);

}  // namespace tapestry::detail
#pragma GCC visibility pop
