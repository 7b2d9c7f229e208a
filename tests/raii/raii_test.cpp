#include "tapestry/raii.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tapestry/continuation/blocking.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/race.hpp"

/// Functions that take all arguments, as exactly as the library's functions of the same names do.
#define TAPESTRY_TAKES_ALL(name)       \
  template <class A>                   \
  void name(A&&) = delete;             \
  template <class A, class B>          \
  void name(A&&, B&&) = delete;        \
  template <class A, class B, class C> \
  void name(A&&, B&&, C&&) = delete;

namespace other {

struct Value {
  using Type = Value;
  void close() {}
  int number;
};

struct MakesValue {
  Value operator()() const { return {7}; }
};

TAPESTRY_TAKES_ALL(atIndex)
TAPESTRY_TAKES_ALL(closing)
TAPESTRY_TAKES_ALL(delay)
TAPESTRY_TAKES_ALL(ensure)
TAPESTRY_TAKES_ALL(forEachIn)
TAPESTRY_TAKES_ALL(mask)
TAPESTRY_TAKES_ALL(memoize)
TAPESTRY_TAKES_ALL(now)
TAPESTRY_TAKES_ALL(on)
TAPESTRY_TAKES_ALL(onStop)
TAPESTRY_TAKES_ALL(parallel)
TAPESTRY_TAKES_ALL(resource)
TAPESTRY_TAKES_ALL(scoped)
template <class S, class A, class B>
void local(A&&, B&&) = delete;
template <class S, class B>
void local(const typename S::Type&, B&&, tapestry::detail::Location) = delete;

}  // namespace other

TEST_CASE("one header gives all of the raii library") {
  using namespace tapestry;
  std::string log;
  const auto file = resource(Do<std::string>::delay([&log] {
                               log += "open ";
                               return std::string("text");
                             }),
                             [&log](const std::string&) { log += "close"; });
  const auto program = tuple2(parallel(file.map([](const std::string& text) { return text.size(); })),
                              parallel(scoped([] { return 1; })))
                           .map([&log](const auto& both) {
                             log += "use ";
                             return static_cast<int>(std::get<0>(both)) + *std::get<1>(both);
                           });
  CHECK(program.blockingAwait() == 5);
  CHECK(log == "open use close");
}

TEST_CASE("the library does not call functions with its names in the namespace of a user's type") {
  using other::Value;
  using tapestry::Do;
  using tapestry::Pool;
  const auto made = Do<Value>::delay(other::MakesValue());
  const auto program = tapestry::delay(other::MakesValue());
  const auto numberOf = [](const auto& value) { return value.number; };
  CHECK(tapestry::mask(made).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::memoize(made).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::memoize(program).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::ensure(made, Do<void>::now()).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::local<Value>(Value{8}, made).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::on(tapestry::blockingThreads(), made).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::on(tapestry::blockingThreads(), program).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::blocking(other::MakesValue()).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::resource(made, [](const Value&) {}).map(numberOf).blockingAwait() == 7);
  CHECK(tapestry::scoped(other::MakesValue()).map([](auto value) { return value->number; }).blockingAwait() ==
        7);
  CHECK(
      tapestry::race(made, made).map([](auto value) { return std::get<0>(value).number; }).blockingAwait() ==
      7);
  CHECK(tapestry::parTraverse(std::vector{1, 2}, 2, [made](int) { return made; }).blockingAwait().size() ==
        2);
  const auto pooled = Pool<Value>::scoped(1, made).flatMap(
      [](const Pool<Value>& pool) { return pool.use().map([](auto value) { return value->number; }); });
  CHECK(pooled.blockingAwait() == 7);
}
