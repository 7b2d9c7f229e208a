#include "tapestry/raii/scoped.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/counted.hpp"
#include "support/error_text.hpp"
#include "support/fake_resource.hpp"

using namespace tapestry;
using test::Counted;
using test::errorOf;
using test::FakeResources;
using test::MoveOnly;

TEST_CASE("a scoped value lives until the end of the scope") {
  const auto program = scoped([] { return MoveOnly(3); }).flatMap([](const Handle<MoveOnly>& handle) {
    return Do<int>::delay([handle] { return Counted::live() * 10 + handle->value(); });
  });
  CHECK(Counted::live() == 0);
  CHECK(program.blockingAwait() == 13);
  CHECK(Counted::live() == 0);
  CHECK(program.blockingAwait() == 13);
}

TEST_CASE("a scoped value is destroyed before the outcome is delivered") {
  int liveAtDelivery = -1;
  scoped([] { return Counted(1); }).onComplete([&](const auto&) { liveAtDelivery = Counted::live(); });
  CHECK(liveAtDelivery == 0);
}

TEST_CASE("scoped values are destroyed in reverse order") {
  struct Logging {
    Logging(std::string& to, char id) : log(&to), name(id) {}
    Logging(Logging&& other) noexcept : log(std::exchange(other.log, nullptr)), name(other.name) {}
    ~Logging() {
      if (log) *log += name;
    }
    std::string* log;
    char name;
  };
  std::string log;
  scoped([&log] { return Logging(log, 'a'); })
      .flatMap([&log](const auto&) { return scoped([&log] { return Logging(log, 'b'); }); })
      .flatMap([&log](const auto&) { return scoped([&log] { return Logging(log, 'c'); }); })
      .blockingAwait();
  CHECK(log == "cba");
}

TEST_CASE(
    "close is called before a scoped value is destroyed, and what it throws is an error of the release") {
  struct Closing {
    int* closed;
    bool fails;
    Counted counted;
    void close() {
      CHECK(Counted::live() > 0);
      ++*closed;
      if (fails) throw std::runtime_error("close");
    }
  };
  int closed = 0;
  scoped([&] { return Closing{&closed, false, Counted()}; }).blockingAwait();
  CHECK(closed == 1);
  CHECK(errorOf([&] {
          scoped([&] { return Closing{&closed, true, Counted()}; }).blockingAwait();
        }) == "close");
  CHECK(closed == 2);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a factory that throws fails the program, and leaves nothing") {
  const auto program = scoped([]() -> Counted { throw std::runtime_error("factory"); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "factory");
  CHECK(Counted::live() == 0);
}

TEST_CASE("resource releases what it acquired, with the value, after the scope") {
  FakeResources fake;
  const auto program = fake.make("a").map([&](const std::string& name) {
    CHECK(fake.isOpen("a"));
    return name;
  });
  CHECK(fake.log().empty());
  CHECK(program.blockingAwait() == "a");
  CHECK(fake.log() == "+a -a");
  CHECK(fake.faults().empty());
}

TEST_CASE("one program of a resource makes an instance for each of its users") {
  int made = 0;
  std::string log;
  const auto program = resource(Do<int>::delay([&made] { return ++made; }),
                                [&log](int instance) { log += std::to_string(instance); });
  CHECK(program.flatMap([program](int x) { return program.map([x](int y) { return 10 * x + y; }); })
            .blockingAwait() == 12);
  CHECK(log == "21");
}

TEST_CASE("the same name, opened twice without sharing, is rejected, and the first is released") {
  FakeResources fake;
  const auto program = fake.make("a").flatMap([&](const std::string&) { return fake.make("a"); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquired twice: a");
  CHECK(fake.open() == 0);
}

TEST_CASE("a release may be a function, a UnitContinuation or a Do") {
  std::string log;
  const auto number = Do<int>::now(1);
  resource(number, [&log](int) { log += "f"; }).blockingAwait();
  resource(number, [&log](int) {
    log += "u";
    return delay([&log] { log += "!"; });
  }).blockingAwait();
  resource(number, [&log](int) { return Do<void>::delay([&log] { log += "d"; }); }).blockingAwait();
  CHECK(log == "fu!d");
}

TEST_CASE("a release that is a Do with resources of its own releases them too") {
  FakeResources fake;
  resource(fake.make("a"), [&](const std::string&) { return fake.make("b"); }).blockingAwait();
  CHECK(fake.log() == "+a +b -b -a");
}

TEST_CASE("an acquire that holds resources keeps them until after its own release") {
  FakeResources fake;
  const auto inner = fake.make("a").flatMap([&](const std::string&) { return fake.make("b"); });
  resource(inner, [&](const std::string&) { fake.note("end"); }).blockingAwait();
  CHECK(fake.log() == "+a +b end -b -a");
}

TEST_CASE("an acquire that fails releases what it had, and not itself") {
  FakeResources fake;
  const auto inner = fake.make("a").flatMap([&](const std::string&) { return fake.failingAcquire("b"); });
  const auto program = resource(inner, [&](const std::string&) { fake.note("end"); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquire b");
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("where the value of a resource cannot be copied for the user, it is still released") {
  struct CopyThrows {
    CopyThrows() = default;
    CopyThrows(const CopyThrows&) { throw std::runtime_error("copy"); }
    CopyThrows(CopyThrows&&) noexcept = default;
  };
  int released = 0;
  const auto program =
      resource(Do<CopyThrows>::delay([] { return CopyThrows(); }), [&released](CopyThrows&) { ++released; });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "copy");
  CHECK(released == 1);
}
