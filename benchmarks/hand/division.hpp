// Defines Division, how a peer by hand divides its work between two threads of oneTBB.
#pragma once

#include <cstddef>
#include <functional>

namespace tapestry::benchmarks::hand {

/// Nothing, the independent branches of the network, each large product in halves, or both.
enum class Division { none, branches, products, both };

inline bool dividesBranches(Division division) noexcept {
  return division == Division::branches || division == Division::both;
}
inline bool dividesProducts(Division division) noexcept {
  return division == Division::products || division == Division::both;
}

/// Whether oneTBB was found when this was built.
bool hasDivisions() noexcept;

/// Calls the function in an arena of two threads, unless the division is none.
void runDivided(Division division, const std::function<void()>& function);

/// Calls function(i) for each i below `count`, in parallel if asked and within runDivided.
void forEach(bool parallel, std::size_t count, const std::function<void(std::size_t)>& function);

}  // namespace tapestry::benchmarks::hand
