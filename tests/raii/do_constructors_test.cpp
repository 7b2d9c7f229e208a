#include "tapestry/raii/do_constructors.hpp"

#include <doctest/doctest.h>

#include <any>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/mask.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;

namespace {

struct Burst : std::runtime_error {
  explicit Burst(const char* text = "boom") : std::runtime_error(text) {}
};

}  // namespace

TEST_CASE("now yields a value, or void") {
  CHECK(Do<int>::now(3).blockingAwait() == 3);
  CHECK_NOTHROW(Do<void>::now().blockingAwait());
}

TEST_CASE("delay yields what the function returns, or fails with what it throws") {
  CHECK(Do<std::string>::delay([] { return "text"; }).blockingAwait() == "text");
  CHECK_THROWS_AS(Do<int>::delay([]() -> int { throw Burst(); }).blockingAwait(), Burst);
  CHECK_THROWS_AS(Do<void>::delay([] { throw Burst(); }).blockingAwait(), Burst);
}

TEST_CASE("suspend continues with the program that the function makes in each run") {
  int calls = 0;
  const auto program = Do<int>::suspend([&calls] { return Do<int>::now(++calls); });
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
  CHECK_THROWS_AS(Do<int>::suspend([]() -> Do<int> { throw Burst(); }).blockingAwait(), Burst);
}

TEST_CASE("raiseError of a text fails with a runtime_error of it") {
  const std::string text = "text";
  const auto check = [&](const Do<int>& program) {
    CHECK_THROWS_WITH_AS(program.blockingAwait(), "text", std::runtime_error);
  };
  check(Do<int>::raiseError("text"));
  check(Do<int>::raiseError(text));
  check(Do<int>::raiseError(std::string_view(text)));
  CHECK_THROWS_AS(Do<int>::raiseError(7).blockingAwait(), int);
}

TEST_CASE("raiseError fails with the exception, whether given as itself or by pointer") {
  CHECK_THROWS_AS(Do<int>::raiseError(Burst()).blockingAwait(), Burst);
  CHECK_THROWS_AS(Do<void>::raiseError(std::make_exception_ptr(Burst())).blockingAwait(), Burst);
  CHECK_THROWS_AS(Do<int>::raiseError(std::exception_ptr()).blockingAwait(), std::invalid_argument);
  CHECK_THROWS_AS(Do<int>::raiseError(nullptr).blockingAwait(), std::invalid_argument);
}

TEST_CASE("raiseError does not begin in a run that was asked to stop, unless the run is masked") {
  const StopSource source;
  source.requestStop();
  for (const auto& failing : {Do<int>::raiseError("text"), Do<int>::raiseError(Burst())}) {
    CHECK_THROWS_AS(failing.blockingAwait(source.token()), Cancelled);
    const auto handled = failing.handleError([](const std::exception_ptr&) { return Do<int>::now(1); });
    CHECK_THROWS_AS(handled.blockingAwait(source.token()), Cancelled);
    CHECK_THROWS_AS(mask(failing).blockingAwait(source.token()), std::runtime_error);
  }
}

TEST_CASE("an error that a handler raises again is not lost if the run has been asked to stop meanwhile") {
  const StopSource source;
  const auto again = Do<int>::raiseError(Burst()).handleError([source](const std::exception_ptr& error) {
    source.requestStop();
    return Do<int>::raiseError(error);
  });
  CHECK_THROWS_AS(again.blockingAwait(source.token()), Burst);
}

TEST_CASE("now fails where its value cannot be copied in a run") {
  struct CopyThrows {
    CopyThrows() = default;
    CopyThrows(const CopyThrows&) { throw Burst(); }
    CopyThrows(CopyThrows&&) noexcept = default;
  };
  const auto program = Do<CopyThrows>::now(CopyThrows()).map([](const CopyThrows&) { return 1; });
  CHECK_THROWS_AS(program.blockingAwait(), Burst);
  CHECK(program.handleError([](const std::exception_ptr&) { return Do<int>::now(2); }).blockingAwait() == 2);
}

TEST_CASE("raiseError copies its exception once a run, and fails with what the copy throws") {
  struct Copied {
    explicit Copied(int limit) : most(limit) {}
    Copied(const Copied& other) : copies(other.copies + 1), most(other.most) {
      if (copies > most) throw Burst();
    }
    Copied(Copied&&) noexcept = default;
    int copies = 0, most;
  };
  const auto copies = Do<int>::raiseError(Copied(10)).handleError([](const std::exception_ptr& error) {
    return Do<int>::now(errorAs<Copied>(error)->copies);
  });
  CHECK(copies.blockingAwait() == 1);
  CHECK(copies.blockingAwait() == 1);
  CHECK_THROWS_AS(Do<int>::raiseError(Copied(0)).blockingAwait(), Burst);
}

TEST_CASE("async waits for its callback") {
  Callback<Try<int>>* waiting = nullptr;
  const auto program = Do<int>::async(
      [&waiting](const Callback<Try<int>>& callback) { waiting = new Callback<Try<int>>(callback); });
  Delivery<int> delivery;
  program.onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  (*waiting)(Try<int>::success(5));
  CHECK(delivery.outcome().get() == 5);
  (*waiting)(Try<int>::success(6));
  delete waiting;
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().get() == 5);
}

TEST_CASE("async fails with the callback's failure, and with what the registration throws") {
  const auto failing = Do<int>::async(
      [](const auto& callback) { callback(Try<int>::failure(std::make_exception_ptr(Burst()))); });
  CHECK_THROWS_AS(failing.blockingAwait(), Burst);
  const auto throwing = Do<int>::async([](const auto&) { throw Burst(); });
  CHECK_THROWS_AS(throwing.blockingAwait(), Burst);
  const auto both = Do<int>::async([](const auto& callback) {
    callback(Try<int>::success(1));
    throw Burst();
  });
  CHECK(both.blockingAwait() == 1);
}

TEST_CASE("a callback that dies uncalled is an error that handleError sees") {
  const auto program = Do<int>::async([](const auto&) {});
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  const auto handled = program.handleError([](const std::exception_ptr& error) {
    return Do<int>::now(test::isError<BrokenCallback>(error) ? 1 : 2);
  });
  CHECK(handled.blockingAwait() == 1);
}

TEST_CASE("lift takes a program that cannot fail, and fails where that is stopped") {
  CHECK(Do<int>::lift(delay([] { return 3; })).blockingAwait() == 3);
  CHECK_NOTHROW(Do<void>::lift(tapestry::now()).blockingAwait());
  const auto broken = Do<int>::lift(async<int>([](const auto&) {}));
  CHECK(broken.handleError([](const std::exception_ptr&) { return Do<int>::now(4); }).blockingAwait() == 4);
}

TEST_CASE("lift keeps a list of anything as it is") {
  const std::vector<std::any> list{std::any(1), std::any(2)};
  CHECK(Do<std::vector<std::any>>::lift(tapestry::now(list)).blockingAwait().size() == 2);
}

TEST_CASE("execute calls the function on the executor's thread, where the run stays") {
  ThreadPool pool(1);
  const auto program = Do<std::thread::id>::execute(pool, [] {
                         return std::this_thread::get_id();
                       }).map([](std::thread::id id) { return id == std::this_thread::get_id(); });
  Delivery<bool> delivery;
  program.onComplete(delivery.callback());
  CHECK(delivery.outcome().get());
  CHECK(delivery.thread() != std::this_thread::get_id());
  const auto throwing = Do<int>::execute(pool, []() -> int { throw Burst(); });
  CHECK_THROWS_AS(throwing.blockingAwait(), Burst);
}

TEST_CASE("garbageCollected takes a program of a value, or of a Try, that need not be released") {
  CHECK(Do<int>::garbageCollected(delay([] { return 3; })).blockingAwait() == 3);
  CHECK_NOTHROW(Do<void>::garbageCollected(tapestry::now()).blockingAwait());
  const auto tried = [](Try<int> result) {
    return Do<int>::garbageCollected(tapestry::now(std::move(result))).blockingAwait();
  };
  CHECK(tried(Try<int>::success(4)) == 4);
  CHECK_THROWS_AS(tried(Try<int>::failure(std::make_exception_ptr(Burst()))), Burst);
  const auto broken = Do<int>::garbageCollected(async<Try<int>>([](const auto&) {}));
  CHECK(broken.handleError([](const std::exception_ptr&) { return Do<int>::now(5); }).blockingAwait() == 5);
}

TEST_CASE("nested is a scope within the scope") {
  test::FakeResources fake;
  const auto program = fake.make("outer").flatMap([&fake](const std::string&) {
    return Do<std::string>::nested(fake.make("inner")).map([&fake](const std::string& name) {
      fake.note("use " + name);
      return name;
    });
  });
  CHECK(program.blockingAwait() == "inner");
  CHECK(fake.log() == "+outer +inner -inner use inner -outer");
  CHECK(errorOf([&] { Do<std::string>::nested(fake.failingRelease("a")).blockingAwait(); }) == "release a");
}

TEST_CASE("a Do is made of a program that yields a value with its release, and yields both again") {
  using Acquired = DoConstructors<int>::Acquired;
  int released = 0;
  const UnitContinuation<Acquired> acquire = delay([&released] {
    return Acquired{Try<int>::success(1), UnitContinuation<Errors>(delay([&released] {
                      ++released;
                      return Errors();
                    }))};
  });
  const Do<int> program(acquire);
  CHECK(program.blockingAwait() == 1);
  CHECK(released == 1);
  Acquired acquired = program.acquire().blockingAwait();
  CHECK(released == 1);
  CHECK(std::move(acquired.release)->blockingAwait().empty());
  CHECK(released == 2);
}

TEST_CASE("functions are not called once the run has been asked to stop") {
  int calls = 0;
  const auto touch = [&calls] { return ++calls; };
  const StopSource source;
  source.requestStop();
  CHECK_THROWS_AS(Do<int>::delay(touch).blockingAwait(source.token()), Cancelled);
  CHECK_THROWS_AS(Do<int>::execute(Executor::inlined(), touch).blockingAwait(source.token()), Cancelled);
  CHECK_THROWS_AS(Do<int>::delay(touch).map([&](int) { return touch(); }).blockingAwait(source.token()),
                  Cancelled);
  CHECK_THROWS_AS(Do<int>::suspend([&] { return Do<int>::now(touch()); }).blockingAwait(source.token()),
                  Cancelled);
  CHECK(calls == 0);
}
