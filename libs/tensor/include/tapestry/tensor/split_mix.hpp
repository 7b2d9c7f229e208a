// Defines splitMix, pseudorandom numbers that are functions of a seed and a place.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
namespace tapestry {

/// The finaliser of SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"
/// (2014).
constexpr std::uint64_t splitMix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::uint64_t splitMix(std::uint64_t seed, std::uint64_t place) noexcept {
  return splitMix(seed + (place + 1) * 0x9e3779b97f4a7c15);
}

}  // namespace tapestry
#pragma GCC visibility pop
