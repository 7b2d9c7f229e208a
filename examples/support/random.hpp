// Defines Random, a source of random integers that gives the same ones with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>

namespace tapestry::examples {

/// The engine is standardised, its distributions and `std::shuffle` are not; here remainders take their
/// place, whose bias is below 2^-32 for ranges below 2^32.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// One of 0, ..., end - 1; `end` must not be 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return engine_() % end; }

  /// A number below `first` and one below `second`, which are below 2^32. Both are made of one draw, without
  /// a division.
  [[nodiscard]] std::pair<std::size_t, std::size_t> belowEach(std::uint64_t first, std::uint64_t second) {
    const std::uint64_t number = engine_();
    return {(number >> 32) * first >> 32, (number & 0xffffffff) * second >> 32};
  }

  /// One of first, ..., last.
  [[nodiscard]] int between(int first, int last) {
    return first + static_cast<int>(below(static_cast<std::uint64_t>(last - first + 1)));
  }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t rest = items.size(); rest > 1; --rest) std::swap(items[rest - 1], items[below(rest)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tapestry::examples
