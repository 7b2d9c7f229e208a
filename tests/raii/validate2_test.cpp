#include "tapestry/raii/validate2.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::outcomeText;
using testing::VirtualClock;

namespace {

Do<int> failing(const std::string& text) { return Do<int>::raiseError(std::runtime_error(text)); }

/// Notes how far it comes, with a request to stop seen in between.
Do<int> noting(FakeResources& fake, const std::string& name) {
  return fake.make(name).flatMap([&fake, name](const std::string&) {
    return Do<int>::delay([&fake, name] {
      fake.note("use " + name);
      return 1;
    });
  });
}

struct InSequence {
  static Do<std::tuple<int, int>> both(const Do<int>& a, const Do<int>& b) { return validate2(a, b); }
};
struct InParallel {
  static Do<std::tuple<int, int>> both(const Do<int>& a, const Do<int>& b) {
    return validate2(parallel(a), parallel(b));
  }
};

}  // namespace

TEST_CASE_TEMPLATE("validate2 yields both values", How, InSequence, InParallel) {
  CHECK(How::both(Do<int>::now(1), Do<int>::now(2)).blockingAwait() == std::tuple(1, 2));
}

TEST_CASE_TEMPLATE("validate2 runs both to their end and keeps all errors in argument order", How, InSequence,
                   InParallel) {
  FakeResources fake;
  CHECK(errorOf([&] { How::both(failing("a"), noting(fake, "b")).blockingAwait(); }) == "a");
  CHECK(fake.log() == "+b use b -b");
  CHECK(errorOf([&] { How::both(noting(fake, "c"), failing("d")).blockingAwait(); }) == "d");
  CHECK(fake.open() == 0);
  CHECK(errorOf([&] { How::both(failing("a"), failing("b")).blockingAwait(); }) == "[a, b]");
}

TEST_CASE_TEMPLATE("validate2 keeps an error that occurs twice twice", How, InSequence, InParallel) {
  const auto one = failing("same");
  CHECK(errorOf([&] { How::both(one, one).blockingAwait(); }) == "[same, same]");
}

TEST_CASE_TEMPLATE("validate2 within validate2 makes one list of all errors", How, InSequence, InParallel) {
  const auto inner = [](const char* a, const char* b) {
    return How::both(failing(a), failing(b)).map([](const auto&) { return 0; });
  };
  CHECK(errorOf([&] { How::both(inner("a", "b"), inner("c", "a")).blockingAwait(); }) == "[a, b, c, a]");
}

TEST_CASE_TEMPLATE("resources of validate2 stay until the scope ends, and errors of releases come last", How,
                   InSequence, InParallel) {
  FakeResources fake;
  const auto held = [&fake](const char* name) {
    return fake.failingRelease(name).map([](const std::string&) { return 1; });
  };
  std::size_t open = 0;
  const auto program = How::both(held("a"), held("b")).map([&](const auto&) { open = fake.open(); });
  const std::string errors = errorOf([&] { program.blockingAwait(); });
  CHECK(open == 2);
  CHECK(errors.find("release a") != std::string::npos);
  CHECK(errors.find("release b") != std::string::npos);
  CHECK(fake.log().substr(0, 5) == "+a +b");
  CHECK(fake.open() == 0);
  CHECK(errorOf([&] { How::both(held("c"), failing("body")).blockingAwait(); }) == "[body, release c]");
}

TEST_CASE_TEMPLATE("a request to stop is not an error and ends validate2", How, InSequence, InParallel) {
  FakeResources fake;
  const StopSource source;
  const auto stopping = fake.make("a").flatMap([source](const std::string&) {
    source.requestStop();
    return Do<int>::now(1).flatMap([](int x) { return Do<int>::now(x); });
  });
  CHECK_THROWS_AS(How::both(stopping, noting(fake, "b")).blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("in parallel, validate2 waits for the other after an error") {
  VirtualClock clock;
  Delivery<std::tuple<int, int>> delivery;
  const auto late = after(5ms).flatMap([] { return failing("late"); });
  withClock(clock, validate2(parallel(late), parallel(failing("early")))).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  clock.advance(5ms);
  CHECK(outcomeText(delivery.outcome()) == "[late, early]");
}

TEST_CASE("validateN and parValidate keep the errors of all") {
  const auto program = validateN(parallel(failing("a")), parallel(Do<std::string>::now("b")),
                                 parallel(failing("c")), parallel(failing("a")));
  CHECK(errorOf([&] { program.blockingAwait(); }) == "[a, c, a]");
  const auto values = validateN(parallel(Do<int>::now(1)), parallel(Do<void>::now()));
  CHECK(std::get<0>(values.blockingAwait()) == 1);
  const std::vector programs{failing("x"), Do<int>::now(2), failing("y")};
  CHECK(errorOf([&] { parValidate(programs).blockingAwait(); }) == "[x, y]");
  CHECK(parValidate(std::vector{Do<int>::now(1), Do<int>::now(2)}).blockingAwait() == std::vector{1, 2});
  CHECK(parValidate(std::vector<Do<int>>()).blockingAwait().empty());
}

TEST_CASE("validate2 moves values that cannot be copied") {
  const auto box = Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); });
  CHECK(*std::get<1>(validate2(box, box).blockingAwait()) == 1);
  CHECK(*std::get<0>(validate2(parallel(box), parallel(box)).blockingAwait()) == 1);
}
