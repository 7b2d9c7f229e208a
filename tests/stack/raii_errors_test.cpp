// A million errors that add up, in each combinator that collects errors.
#include <doctest/doctest.h>

#include <ranges>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/validate2.hpp"

using namespace tapestry;
using test::depth;

namespace {

Do<int> failure() { return Do<int>::raiseError(std::runtime_error("one of many")); }

int first(const std::tuple<int, int>& both) { return std::get<0>(both); }

/// How many errors the program fails with.
std::size_t errorsOf(const Do<int>& program) {
  try {
    program.blockingAwait();
  } catch (const MultipleException& several) {
    return several.errors().size();
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}

/// A resource whose release throws, within another one, and so on.
Do<int> failingScopes(int n) {
  Do<int> program = Do<int>::now(0);
  for (int i = 0; i < n; ++i)
    program = resource(Do<int>::now(i), [](int) {
                throw std::runtime_error("release");
              }).flatMap([program](int) {
                  return program;
                }).run();
  return program;
}

}  // namespace

TEST_CASE("a million nested validations that all fail yield all errors") {
  for (const bool leftFirst : {true, false}) {
    Do<int> program = failure();
    for (int i = 0; i < depth; ++i)
      program = (leftFirst ? validate2(program, failure()) : validate2(failure(), program)).map(first);
    CHECK(errorsOf(program) == depth + 1);
  }
}

TEST_CASE("a million nested parallel validations that all fail yield all errors") {
  Do<int> program = failure();
  for (int i = 0; i < depth; ++i) program = validate2(parallel(program), parallel(failure())).map(first);
  CHECK(errorsOf(program) == depth + 1);
}

TEST_CASE("a million nested scopes whose releases all throw yield all errors") {
  CHECK(errorsOf(failingScopes(depth)) == depth);
}

TEST_CASE("a million resources of one scope whose releases all throw yield all errors") {
  Do<int> program = Do<int>::now(0);
  for (int i = 0; i < depth; ++i)
    program = resource(Do<int>::now(i), [](int) {
                throw std::runtime_error("release");
              }).flatMap([program](int) { return program; });
  CHECK(errorsOf(program) == depth);
}

TEST_CASE("a race of a million programs that all fail yields all errors, as does a validation of them") {
  const std::vector<Do<int>> programs(depth, failure());
  CHECK(errorsOf(raceAll(programs)) == depth);
  CHECK(errorsOf(parValidate(programs).map([](const auto&) { return 0; })) == depth);
}
