#include "tapestry/continuation/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

std::vector<double> numbersOf(Random& random) {
  std::vector<double> numbers(1000);
  std::ranges::generate(numbers, [&] { return random.uniform(); });
  return numbers;
}

}  // namespace

TEST_CASE("a seed gives the same numbers, another one others, from 0 to 1") {
  Random first(7);
  Random second(7);
  Random third(8);
  const auto numbers = numbersOf(first);
  CHECK(numbers == numbersOf(second));
  CHECK(numbers != numbersOf(third));
  CHECK(std::ranges::all_of(numbers, [](double number) { return number >= 0 && number < 1; }));
  CHECK(*std::ranges::min_element(numbers) < 0.01);
  CHECK(*std::ranges::max_element(numbers) > 0.99);
}

TEST_CASE("the numbers are the same on every machine") {
  Random random(5489);
  // the first of the Mersenne twister of 64 bits with its default seed is 14514284786278117030
  CHECK(random.uniform() == static_cast<double>(14514284786278117030U >> 11) * 0x1p-53);
}

TEST_CASE("a run has the system's numbers, unless it is given others, also in its branches") {
  Random random(1);
  CHECK(askRandom().blockingAwait() == &Random::system());
  const auto both = tuple2(parallel(askRandom()), parallel(askRandom()));
  CHECK(withRandom(random, both).blockingAwait() == std::tuple(&random, &random));
}
