#include "tapestry/raii/tail_rec_m.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/fake_resource.hpp"

using namespace tapestry;
using test::errorOf;
using test::FakeResources;

namespace {

using Next = Step<int, std::string>;

}  // namespace

TEST_CASE("tailRecM of Do repeats its body until it is done") {
  const auto program = tailRecM(0, [](int i) {
    return Do<Next>::delay([i] { return i < 10000 ? Next::next(i + 1) : Next::done(std::to_string(i)); });
  });
  CHECK(program.blockingAwait() == "10000");
  CHECK(program.blockingAwait() == "10000");
}

TEST_CASE("an error, raised or thrown in the body, ends tailRecM") {
  int rounds = 0;
  const auto failing = tailRecM(0, [&rounds](int i) {
    ++rounds;
    return i < 3 ? Do<Next>::now(Next::next(i + 1)) : Do<Next>::raiseError(std::runtime_error("raised"));
  });
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "raised");
  CHECK(rounds == 4);
  const auto throwing = tailRecM(0, [](int) -> Do<Next> { throw std::runtime_error("thrown"); });
  CHECK(errorOf([&] { throwing.blockingAwait(); }) == "thrown");
}

TEST_CASE("resources of the rounds of tailRecM stay until the scope ends, unless the rounds are scopes") {
  FakeResources fake;
  const auto round = [&fake](int i) {
    return fake.make(std::to_string(i)).map([i](const std::string&) {
      return i < 2 ? Next::next(i + 1) : Next::done("end");
    });
  };
  tailRecM(0, round).blockingAwait();
  CHECK(fake.log() == "+0 +1 +2 -2 -1 -0");
  FakeResources scopes;
  tailRecM(0, [&scopes](int i) {
    return scopes.make(std::to_string(i))
        .map([i](const std::string&) { return i < 2 ? Next::next(i + 1) : Next::done("end"); })
        .run();
  }).blockingAwait();
  CHECK(scopes.log() == "+0 -0 +1 -1 +2 -2");
}

TEST_CASE("a request to stop is seen in each round of tailRecM") {
  const StopSource source;
  int rounds = 0;
  const auto program = tailRecM(0, [&rounds, source](int i) {
    if (++rounds == 5) source.requestStop();
    return Do<Next>::now(Next::next(i + 1));
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(rounds == 5);
}

TEST_CASE("tailRecM of Do yields void, and values that cannot be copied") {
  int left = 3;
  tailRecM(Unit{}, [&left](Unit) {
    using End = Step<Unit, void>;
    return Do<End>::delay([&left] { return --left == 0 ? End::done() : End::next(Unit{}); });
  }).blockingAwait();
  CHECK(left == 0);
  using Box = Step<int, std::unique_ptr<int>>;
  const auto program = tailRecM(0, [](int i) {
    return Do<Box>::delay([i] { return i < 3 ? Box::next(i + 1) : Box::done(std::make_unique<int>(i)); });
  });
  CHECK(*program.blockingAwait() == 3);
}
