#include "tapestry/raii/resourcet/resource.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "support/error_text.hpp"
#include "support/programs/io_monad.hpp"

namespace tapestry::detail {
// these lines do not compile where the run loop is included
enum class Node {};
enum class Run {};
}  // namespace tapestry::detail

using namespace tapestry;
using test::errorText;
using test::Io;
using test::IoMonad;

namespace {

/// A release that leaves its name in the log, and fails with it where told so.
Io<Errors> releasing(std::string& log, const std::string& name, bool fails = false) {
  return {[&log, name, fails] {
    log += name;
    return fails ? Errors(std::make_exception_ptr(std::runtime_error(name))) : Errors();
  }};
}

}  // namespace

TEST_CASE("a Resource is moved without exceptions, and copied if its value is") {
  using Number = Resource<IoMonad, long>;
  using Alone = Resource<IoMonad, std::unique_ptr<int>>;
  static_assert(std::is_nothrow_move_constructible_v<Alone> ==
                std::is_nothrow_move_constructible_v<Io<Errors>>);
  static_assert(std::is_copy_constructible_v<Number> && !std::is_copy_constructible_v<Alone>);
  static_assert(!std::is_constructible_v<Number, long>);  // the release of a value is stated, not forgotten
  Alone made{std::make_unique<int>(7), {}};
  CHECK(!made.release);
  const Alone moved = std::move(made);
  CHECK(*moved.value == 7);
  CHECK(!made.value);
}

TEST_CASE("sequence releases the first, then the second") {
  std::string log;
  const auto both = sequence<IoMonad>(releasing(log, "a"), releasing(log, "b"));
  CHECK(log.empty());
  REQUIRE(both);
  CHECK(both->run().empty());
  CHECK(log == "ab");
}

TEST_CASE("sequence releases the second where the first fails, and keeps the errors in order") {
  std::string log;
  const auto all = sequence<IoMonad>(sequence<IoMonad>(releasing(log, "a", true), releasing(log, "b")),
                                     sequence<IoMonad>(releasing(log, "c", true), releasing(log, "d", true)));
  CHECK(errorText(all->run()) == "[a, c, d]");
  CHECK(log == "abcd");
}

TEST_CASE("sequence of nothing to do is nothing to do") {
  std::string log;
  CHECK_FALSE(sequence<IoMonad>({}, {}));
  sequence<IoMonad>(releasing(log, "a"), {})->run();
  sequence<IoMonad>({}, releasing(log, "b"))->run();
  CHECK(log == "ab");
}

TEST_CASE("a resource that is abandoned gives its release") {
  std::string log;
  Resource<IoMonad, int> held{1, releasing(log, "a")};
  CHECK(held.abandon().run().empty());
  CHECK(log == "a");
  Resource<IoMonad, int> free{1, {}};
  CHECK(free.abandon().run().empty());
}

TEST_CASE("the errors of a resource are those of its value") {
  struct Result {
    std::exception_ptr error() const { return failure; }
    std::exception_ptr failure;
  };
  const auto failure = std::make_exception_ptr(std::runtime_error("no"));
  CHECK(errorText(Resource<IoMonad, Result>{{failure}, {}}.errors()) == "no");
  CHECK(Resource<IoMonad, Result>{{nullptr}, {}}.errors().empty());
  CHECK(Resource<IoMonad, int>{1, {}}.errors().empty());
  struct Measurement {
    double error() const { return 0.5; }
  };
  CHECK(Resource<IoMonad, Measurement>{{}, {}}.errors().empty());
}
