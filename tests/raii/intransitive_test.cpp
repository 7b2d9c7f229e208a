#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::outcomeText;

namespace {

Do<int> failing(const char* text) { return Do<int>::raiseError(std::runtime_error(text)); }

}  // namespace

TEST_CASE("in what follows an intransitiveFlatMap the source is closed, and the result open") {
  FakeResources fake;
  const auto program = fake.make("source")
                           .intransitiveFlatMap([&fake](const std::string&) {
                             fake.note("make");
                             return fake.make("result");
                           })
                           .map([&fake](const std::string& result) {
                             CHECK_FALSE(fake.isOpen("source"));
                             CHECK(fake.isOpen("result"));
                             return result;
                           });
  CHECK(program.blockingAwait() == "result");
  CHECK(fake.log() == "+source make +result -source -result");
  CHECK(fake.faults().empty());
}

TEST_CASE("all that the source of an intransitiveFlatMap has acquired is released, in reverse order") {
  FakeResources fake;
  const auto source = fake.make("a").flatMap([&fake](const std::string&) { return fake.make("b"); });
  const auto program = fake.make("before").flatMap([&](const std::string&) {
    return source
        .intransitiveFlatMap([&fake](const std::string&) {
          return fake.make("c").flatMap([&fake](const std::string&) { return fake.make("d"); });
        })
        .flatMap([&fake](const std::string&) { return fake.make("after"); });
  });
  CHECK_NOTHROW(program.blockingAwait());
  CHECK(fake.log() == "+before +a +b +c +d -b -a +after -after -d -c -before");
}

TEST_CASE("a source that fails is released before the error is seen, and the function is not called") {
  FakeResources fake;
  bool called = false;
  const auto program = fake.make("source")
                           .flatMap([](const std::string&) { return failing("no"); })
                           .intransitiveFlatMap([&called](int x) {
                             called = true;
                             return Do<int>::now(x);
                           })
                           .handleError([&fake](const std::exception_ptr& error) {
                             fake.note("handle");
                             CHECK(test::errorText(error) == "no");
                             return Do<int>::now(1);
                           });
  CHECK(program.blockingAwait() == 1);
  CHECK_FALSE(called);
  CHECK(fake.log() == "+source -source handle");
}

TEST_CASE(
    "where the function throws, or its program fails, the source is released before the error is seen") {
  for (const bool throws : {true, false}) {
    FakeResources fake;
    const auto program = fake.make("source")
                             .intransitiveFlatMap([&fake, throws](const std::string&) -> Do<int> {
                               if (throws) throw std::runtime_error("no");
                               return fake.make("result").flatMap([](const auto&) { return failing("no"); });
                             })
                             .handleError([&fake](const std::exception_ptr& error) {
                               fake.note("handle");
                               return Do<int>::raiseError(error);
                             });
    CHECK(errorOf([&] { program.blockingAwait(); }) == "no");
    CHECK(fake.log() == (throws ? "+source -source handle" : "+source +result -source handle -result"));
  }
}

TEST_CASE("errors of the source's release fail the result, after its own and before those of its releases") {
  FakeResources fake;
  const auto over = [&fake](const Do<int>& inner) {
    return fake.failingRelease("source").intransitiveFlatMap([&fake, inner](const std::string&) {
      return fake.failingRelease("result").flatMap([inner](const std::string&) { return inner; });
    });
  };
  CHECK(errorOf([&] { over(Do<int>::now(1)).blockingAwait(); }) == "[release source, release result]");
  CHECK(errorOf([&] { over(failing("no")).blockingAwait(); }) == "[no, release source, release result]");
  CHECK(fake.open() == 0);
}

TEST_CASE("a request to stop between source and function releases the source") {
  FakeResources fake;
  const StopSource source;
  const auto program = fake.make("source")
                           .map([source](const std::string& name) {
                             source.requestStop();
                             return name;
                           })
                           .intransitiveFlatMap([&fake](const std::string&) { return fake.make("result"); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+source -source");
}

TEST_CASE("a request to stop while the function's program is at work releases both, the later one first") {
  FakeResources fake;
  const StopSource source;
  const auto program = fake.make("source").intransitiveFlatMap([&, source](const std::string&) {
    return fake.make("result").map([source](const std::string& name) {
      source.requestStop();
      return name;
    });
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+source +result -result -source");
}

TEST_CASE("a request to stop while the function's program waits releases the source") {
  FakeResources fake;
  test::Manual<int> manual;
  const StopSource source;
  Delivery<int> delivery;
  fake.make("source")
      .intransitiveFlatMap([&](const std::string&) {
        return Do<int>::lift(manual.program()).flatMap([](int x) { return Do<int>::now(x); });
      })
      .onComplete(delivery.callback(), source.token());
  CHECK(fake.log() == "+source");
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fake.log() == "+source -source");
}

TEST_CASE(
    "a request to stop does not interrupt the release of the source, and releases the result after it") {
  FakeResources fake;
  test::Manual<void> releasing;
  const StopSource source;
  Delivery<std::string> delivery;
  fake.make("source", {.failRelease = true, .releasing = Do<void>::lift(releasing.program())})
      .intransitiveFlatMap([&fake](const std::string&) { return fake.make("result"); })
      .flatMap([&fake](const std::string&) { return fake.make("after"); })
      .onComplete(delivery.callback(), source.token());
  CHECK(fake.log() == "+source +result");
  source.requestStop();
  releasing.take()();
  CHECK(outcomeText(delivery.outcome()) == "release source");
  CHECK(fake.log() == "+source +result -source -result");
}

TEST_CASE("intransitiveMap releases the source when the function has returned, or thrown") {
  FakeResources fake;
  const auto sized = fake.make("source").intransitiveMap([&fake](const std::string& name) {
    fake.note("map");
    return name.size();
  });
  const auto noted = sized.map([&fake](std::size_t size) {
    fake.note("use");
    return size;
  });
  CHECK(noted.blockingAwait() == 6);
  CHECK(fake.log() == "+source map -source use");
  const auto thrown = fake.make("x").intransitiveMap([](const std::string&) -> int { throw Cancelled(); });
  CHECK_THROWS_AS(thrown.blockingAwait(), Cancelled);
  CHECK(fake.open() == 0);
  CHECK(errorOf([&] {
          fake.failingRelease("y").intransitiveMap([](const std::string& s) { return s; }).blockingAwait();
        }) == "release y");
}

TEST_CASE("a source or a result without resources, and void, pass through the intransitive operations") {
  int calls = 0;
  const auto program = Do<void>::now().intransitiveFlatMap([] { return Do<int>::now(1); });
  CHECK(program.blockingAwait() == 1);
  program.intransitiveFlatMap([&calls](int) { return Do<void>::delay([&calls] { ++calls; }); })
      .blockingAwait();
  program.intransitiveMap([&calls](int) { ++calls; }).blockingAwait();
  Do<void>::now().intransitiveMap([&calls] { ++calls; }).blockingAwait();
  CHECK(calls == 3);
}

TEST_CASE("values that cannot be copied pass through the intransitive operations") {
  FakeResources fake;
  const auto program =
      fake.make("source")
          .intransitiveMap([](const std::string& name) { return std::make_unique<std::string>(name); })
          .intransitiveFlatMap([&fake](std::unique_ptr<std::string> text) {
            return fake.make(*text + "s").map([](const std::string& name) {
              return std::make_unique<std::size_t>(name.size());
            });
          });
  CHECK(*program.blockingAwait() == 7);
  CHECK(fake.log() == "+source -source +sources -sources");
}
