#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/fake_resource.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using Box = std::unique_ptr<int>;

namespace {

Do<Box> box(int value) {
  return Do<Box>::delay([value] { return std::make_unique<int>(value); });
}

Do<Box> failing() { return Do<Box>::raiseError(std::runtime_error("no")); }

}  // namespace

TEST_CASE("a Do of a move-only value is made by delay, and run again") {
  const auto program = box(3);
  CHECK(*program.blockingAwait() == 3);
  CHECK(*program.blockingAwait() == 3);
}

TEST_CASE("a move-only value goes through map, flatMap and run") {
  const auto program = box(3)
                           .map([](Box b) { return std::make_unique<int>(*b + 1); })
                           .flatMap([](Box b) { return box(*b * 10); })
                           .run();
  CHECK(*program.blockingAwait() == 40);
}

TEST_CASE("a move-only value goes through handleError and attempt") {
  auto recover = [](const std::exception_ptr&) { return box(1); };
  CHECK(*box(2).handleError(recover).blockingAwait() == 2);
  CHECK(*failing().handleError(recover).blockingAwait() == 1);
  CHECK(*box(2).attempt().blockingAwait().get() == 2);
}

TEST_CASE("a move-only value goes through async and lift") {
  const auto program =
      Do<Box>::async([](const auto& callback) { callback(Try<Box>::success(std::make_unique<int>(4))); });
  CHECK(*program.blockingAwait() == 4);
  CHECK(*Do<Box>::lift(delay([] { return std::make_unique<int>(5); })).blockingAwait() == 5);
}

TEST_CASE("a move-only value is delivered by onComplete") {
  test::Delivery<Box> delivery;
  box(6).onComplete(delivery.callback());
  CHECK(*delivery.outcome().get() == 6);
}

TEST_CASE("a move-only value passes by resources that are held meanwhile") {
  test::FakeResources fake;
  const auto program = fake.make("a").flatMap([](const std::string& a) {
    return box(static_cast<int>(a.size())).flatMap([](Box b) { return box(*b + 1); });
  });
  CHECK(*program.blockingAwait() == 2);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("scoped and shared give handles to a move-only value") {
  const auto program = scoped([] { return std::make_unique<int>(7); });
  CHECK(program.map([](const Handle<Box>& handle) { return **handle; }).blockingAwait() == 7);
  CHECK(box(8).shared().map([](const Handle<Box>& handle) { return **handle; }).blockingAwait() == 8);
}

TEST_CASE("tuple2 joins move-only values, one after the other or in parallel") {
  auto [a, b] = tuple2(box(1), box(2)).blockingAwait();
  CHECK(*a + *b == 3);
  auto [c, d] = tuple2(parallel(box(3)), parallel(box(4))).blockingAwait();
  CHECK(*c + *d == 7);
}

TEST_CASE("a request to stop drops a move-only value, after its resources have been released") {
  test::FakeResources fake;
  const StopSource source;
  const auto program = fake.make("a")
                           .map([source](const std::string&) {
                             source.requestStop();
                             return std::make_unique<int>(1);
                           })
                           .flatMap([](Box b) { return box(*b); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+a -a");
}
