#include "tapestry/raii/scoped.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/sleep_for.hpp"

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

TEST_CASE("a release that is a Do with resources releases them too") {
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

TEST_CASE("a close that is a program ends before the value is destroyed, and its errors are the release's") {
  struct Closing {
    std::string* log;
    bool fails;
    Counted counted;
    Do<void> close() {
      *log += "closing ";
      return Do<void>::lift(sleepFor(std::chrono::milliseconds(1))).map([this] {
        *log += Counted::live() > 0 ? "closed" : "destroyed too early";
        if (fails) throw std::runtime_error("close");
      });
    }
  };
  for (const bool fails : {false, true}) {
    std::string log;
    const auto program = scoped([&log, fails] { return Closing{&log, fails, Counted()}; });
    CHECK(errorOf([&] { program.blockingAwait(); }) == (fails ? "close" : "none"));
    CHECK(log == "closing closed");
    CHECK(Counted::live() == 0);
  }
}

TEST_CASE("a scoped value may be closed by a function, which may return a program") {
  std::string log;
  const auto closing = [&log](MoveOnly& value) { log += "f" + std::to_string(value.value()); };
  scoped([] { return MoveOnly(1); }, closing).blockingAwait();
  const auto byContinuation = [&log](MoveOnly& value) {
    return sleepFor(std::chrono::milliseconds(1)).map([&] { log += "u" + std::to_string(value.value()); });
  };
  scoped([] { return MoveOnly(2); }, byContinuation).blockingAwait();
  const auto failing = [](MoveOnly&) { return Do<void>::raiseError(std::runtime_error("close")); };
  CHECK(errorOf([&] { scoped([] { return MoveOnly(3); }, failing).blockingAwait(); }) == "close");
  CHECK(log == "f1u2");
  CHECK(Counted::live() == 0);
}

TEST_CASE("a close that returns something else is called for its effect") {
  struct Closing {
    int* closed;
    [[nodiscard]] bool close() { return ++*closed > 0; }
  };
  int closed = 0;
  scoped([&closed] { return Closing{&closed}; }).blockingAwait();
  CHECK(closed == 1);
}

TEST_CASE("a scoped value may be acquired by a program, whose own resources outlive it") {
  FakeResources fake;
  struct Closing {
    FakeResources* fake;
    void close() { fake->released("value"); }
  };
  const auto acquire = fake.make("needed").map([&fake](const std::string&) {
    fake.acquired("value");
    return std::make_unique<Closing>(Closing{&fake});
  });
  const auto program = scoped(acquire, [](std::unique_ptr<Closing>& value) { value->close(); });
  CHECK(program.map([](const auto& handle) { return *handle != nullptr; }).blockingAwait());
  CHECK(fake.log() == "+needed +value -value -needed");
  CHECK(errorOf([&] { scoped(fake.failingAcquire("a")).blockingAwait(); }) == "acquire a");
  CHECK(*scoped(Do<int>::now(3))
             .map([](const auto& handle) { return handle; })
             .map([](const auto& handle) { return std::make_unique<int>(*handle); })
             .blockingAwait() == 3);
}

TEST_CASE("a resource of nothing is a release at the end of the scope") {
  std::string log;
  resource(Do<void>::delay([&log] { log += "acquire "; }), [&log] {
    log += "release";
  }).map([&log] {
      log += "use ";
    }).blockingAwait();
  CHECK(log == "acquire use release");
}
