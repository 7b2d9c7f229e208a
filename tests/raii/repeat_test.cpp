#include "tapestry/raii/repeat.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/fake_resource.hpp"

using namespace tapestry;
using test::errorOf;
using test::FakeResources;

TEST_CASE("repeat runs a Do the given number of times, each as a scope") {
  FakeResources fake;
  repeat(fake.make("a"), 2).blockingAwait();
  CHECK(fake.log() == "+a -a +a -a");
  repeat(fake.make("b"), 0).blockingAwait();
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("repeat ends with the first error, of a round or of its release") {
  FakeResources fake;
  CHECK(errorOf([&] { repeat(fake.failingRelease("a"), 3).blockingAwait(); }) == "release a");
  CHECK(fake.log() == "+a -a");
  int rounds = 0;
  const auto program = repeat(Do<void>::delay([&rounds] {
                                if (++rounds == 2) throw std::runtime_error("second");
                              }),
                              5);
  CHECK(errorOf([&] { program.blockingAwait(); }) == "second");
  CHECK(rounds == 2);
}

TEST_CASE("repeatUntil yields the first value that satisfies the predicate, with its resources") {
  FakeResources fake;
  int rounds = 0;
  const auto program =
      repeatUntil(
          fake.make("a").map([&rounds](const std::string&) { return std::make_unique<int>(++rounds); }),
          [](const std::unique_ptr<int>& value) { return *value == 3; })
          .map([&fake](const std::unique_ptr<int>& value) {
            fake.note("use");
            return *value;
          });
  CHECK(program.blockingAwait() == 3);
  CHECK(fake.log() == "+a -a +a -a +a use -a");
}

TEST_CASE("repeatUntil ends with an error of a round, of a release, or of the predicate") {
  FakeResources fake;
  const auto never = [](const auto&) { return false; };
  CHECK(errorOf([&] { repeatUntil(fake.failingAcquire("a"), never).blockingAwait(); }) == "acquire a");
  CHECK(errorOf([&] { repeatUntil(fake.failingRelease("b"), never).blockingAwait(); }) == "release b");
  const auto throwing = [](const auto&) -> bool { throw std::runtime_error("predicate"); };
  CHECK(errorOf([&] { repeatUntil(fake.make("c"), throwing).blockingAwait(); }) == "predicate");
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("forever ends when the run is stopped, or a round fails") {
  FakeResources fake;
  const StopSource source;
  int rounds = 0;
  const auto counting = fake.make("a").map([&rounds](const std::string&) { return ++rounds; });
  CHECK_THROWS_AS(forever(counting.map([source](int round) {
                    if (round == 3) source.requestStop();
                  })).blockingAwait(source.token()),
                  Cancelled);
  CHECK(rounds == 3);
  CHECK(errorOf([&] {
          forever(counting.map([](int round) {
            if (round == 5) throw std::runtime_error("fifth");
          })).blockingAwait();
        }) == "fifth");
  CHECK(fake.open() == 0);
}

TEST_CASE("a request to stop between the rounds of repeatUntil keeps errors of releases") {
  FakeResources fake;
  const StopSource source;
  const auto program = repeatUntil(fake.failingRelease("a").map([source](const std::string&) {
    source.requestStop();
    return 1;
  }),
                                   [](int) { return false; });
  CHECK(errorOf([&] { program.blockingAwait(source.token()); }) == "release a");
}

TEST_CASE("a request to stop between the rounds of repeat or forever keeps the error of the round") {
  const StopSource inRepeat, inForever;
  const auto failing = [](const StopSource& source) {
    return resource(Do<void>::now(), [source] {
      source.requestStop();
      throw std::runtime_error("release");
    });
  };
  const auto repeated = repeat(failing(inRepeat), 2);
  CHECK(errorOf([&] { repeated.blockingAwait(inRepeat.token()); }) == "release");
  const auto endless = forever(failing(inForever));
  CHECK(errorOf([&] { endless.blockingAwait(inForever.token()); }) == "release");
}
