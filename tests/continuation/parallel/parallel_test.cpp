#include "tapestry/continuation/parallel/parallel.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <type_traits>

using namespace tapestry;

TEST_CASE("parallel tags a program and leaves it as it is") {
  const auto tagged = parallel(now(3));
  CHECK(tagged.program.blockingAwait() == 3);
  CHECK(std::is_same_v<decltype(tagged), const Parallel<detail::Now<int>>>);
}

TEST_CASE("a tagged program is no program itself") {
  CHECK(detail::Program<decltype(now(3))>);
  CHECK_FALSE(detail::Program<Parallel<decltype(now(3))>>);
}

TEST_CASE("parallel moves what cannot be copied") {
  auto tagged = parallel(delay([pointer = std::make_unique<int>(4)] { return *pointer; }));
  auto moved = std::move(tagged);
  CHECK(moved.program.blockingAwait() == 4);
}
