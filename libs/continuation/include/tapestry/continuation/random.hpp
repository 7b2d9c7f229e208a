// Defines Random, the source of random numbers of programs such as retry, and withRandom, which replaces it.
#pragma once

#include <cstdint>
#include <memory>

#include "tapestry/continuation/environment.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A source of random numbers: the Mersenne twister of 64 bits, whose numbers are the same everywhere. A
/// run's source is part of its environment: `Random::system()` unless `withRandom` sets another. Thread-safe.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  ~Random();

  /// Returns a number from 0 to 1, excluding 1.
  double uniform() noexcept;

  /// Seeded by std::random_device. Lasts as long as the process.
  static Random& system();

 private:
  struct Generator;
  std::unique_ptr<Generator> generator_;
};

namespace detail {

struct RandomSlot {
  using Type = Random*;
  static Random* initial() noexcept { return &Random::system(); }
};

}  // namespace detail

/// Yields the run's source of random numbers.
[[nodiscard("a program does nothing until it is run")]] inline auto askRandom(
    detail::Location location = detail::Location::current()) {
  return ask<detail::RandomSlot>(location);
}

/// Runs the program with another source of random numbers, which must outlive its runs; so its random choices
/// can be repeated. Also a Do and its releases, with tapestry/raii/environment.hpp.
template <class P>
  requires requires(P program) { local<detail::RandomSlot>(nullptr, std::move(program)); }
[[nodiscard("a program does nothing until it is run")]] auto withRandom(Random& random, P program) {
  return local<detail::RandomSlot>(&random, std::move(program));
}

void withRandom(...) = delete;  // expected a Random and a program; for a Do raii/environment.hpp

}  // namespace tapestry
#pragma GCC visibility pop
