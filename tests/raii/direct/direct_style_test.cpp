// One suite for the styles in which a Do is written: what is said of them in common.
#include "tapestry/raii/direct_style.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/programs/do_styles.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using namespace tapestry;
using test::Delivery;
using test::DoCoroutines;
using test::DoFibers;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::MonadicDo;
using test::outcomeText;
using test::Text;

namespace user {

/// A type of somebody else, which awaits as its text.
struct Named {
  explicit Named(std::string text) : name(std::move(text)) {}
  std::string name;
  friend tapestry::Do<std::string> toProgram(const Named& named) {
    return tapestry::Do<std::string>::now(named.name);
  }
};

}  // namespace user

TEST_CASE_TEMPLATE("a Do yields its value afresh in every run", Style, MonadicDo, DoFibers, DoCoroutines) {
  int calls = 0;
  const auto program = Style::count(calls);
  static_assert(std::is_same_v<decltype(program), const Do<int>>);
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.map([](int x) { return 10 * x; }).blockingAwait() == 20);
}

TEST_CASE_TEMPLATE("a Do awaits programs that may fail and programs that cannot", Style, MonadicDo, DoFibers,
                   DoCoroutines) {
  const auto program = Style::sum(Do<int>::now(1), Do<int>::delay([] { return 20; }), now(300));
  CHECK(program.blockingAwait() == 321);
  CHECK(program.blockingAwait() == 321);
}

TEST_CASE_TEMPLATE("values that cannot be copied pass through", Style, MonadicDo, DoFibers, DoCoroutines) {
  const auto program =
      Style::incremented(Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(4); }));
  CHECK(*program.blockingAwait() == 5);
}

TEST_CASE_TEMPLATE("an error can be handled and the rest continues", Style, MonadicDo, DoFibers,
                   DoCoroutines) {
  const auto failing = Do<int>::raiseError(std::runtime_error("failed"));
  CHECK(Style::caught(failing, Do<Text>::now(" and went on")).blockingAwait() == "failed and went on");
  CHECK(Style::caught(Do<int>::now(1), Do<Text>::now(" and went on")).blockingAwait() == "no error");
}

TEST_CASE_TEMPLATE("a thrown exception is the error of the Do", Style, MonadicDo, DoFibers, DoCoroutines) {
  const auto thrown = Style::throwing(Do<void>::now(), "thrown");
  CHECK(errorOf([&] { thrown.blockingAwait(); }) == "thrown");
  CHECK(thrown.handleError([](auto) { return Do<int>::now(7); }).blockingAwait() == 7);
  const auto awaited = Style::throwing(Do<void>::raiseError(std::runtime_error("awaited")), "thrown");
  CHECK(errorOf([&] { awaited.blockingAwait(); }) == "awaited");
}

TEST_CASE_TEMPLATE("a program without errors that is stopped with one fails with it", Style, MonadicDo,
                   DoFibers, DoCoroutines) {
  Manual<int> manual;
  Delivery<Text> delivery;
  Style::caught(Do<int>::lift(manual.program()), Do<Text>::now(" caught")).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(delivery.outcome().get() == Text(BrokenCallback().what()) + " caught");
}

TEST_CASE_TEMPLATE("acquired resources live until the end of the scope that encloses the Do", Style,
                   MonadicDo, DoFibers, DoCoroutines) {
  FakeResources fakes;
  const auto program = Style::acquiring(fakes, fakes.make("a"), fakes.make("b")).map([&](const Text& a) {
    fakes.note("after");
    return fakes.isOpen(a) && fakes.isOpen("b");
  });
  CHECK(program.blockingAwait());
  CHECK(fakes.log() == "+a +b body after -b -a");
  CHECK(fakes.faults().empty());
  CHECK(program.blockingAwait());
  CHECK(fakes.open() == 0);
}

TEST_CASE_TEMPLATE("a scope within releases what it acquired before the rest continues", Style, MonadicDo,
                   DoFibers, DoCoroutines) {
  FakeResources fakes;
  const auto inner = Style::acquiring(fakes, fakes.make("inner"), Do<int>::now(1)).run();
  Style::acquiring(fakes, fakes.make("outer"), inner).blockingAwait();
  CHECK(fakes.log() == "+outer +inner body -inner body -outer");
}

TEST_CASE_TEMPLATE("a Do that fails releases everything in reverse order", Style, MonadicDo, DoFibers,
                   DoCoroutines) {
  FakeResources fakes;
  const auto program = Style::acquiring(fakes, Style::acquiring(fakes, fakes.make("a"), fakes.make("b")),
                                        fakes.failingAcquire("c"));
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquire c");
  CHECK(fakes.log() == "+a +b body -b -a");
}

TEST_CASE_TEMPLATE("a handled failure keeps its resources until the scope ends", Style, MonadicDo, DoFibers,
                   DoCoroutines) {
  FakeResources fakes;
  Style::acquiring(fakes, fakes.make("a"), Do<int>::raiseError(std::runtime_error("failed")))
      .handleError([&](auto) {
        fakes.note("handler");
        return Do<Text>::now("");
      })
      .blockingAwait();
  CHECK(fakes.log() == "+a handler -a");
}

TEST_CASE_TEMPLATE("errors of releases follow its own", Style, MonadicDo, DoFibers, DoCoroutines) {
  FakeResources fakes;
  const auto both = Style::acquiring(fakes, fakes.failingRelease("a"), fakes.failingRelease("b"));
  CHECK(errorOf([&] { both.blockingAwait(); }) == "[release b, release a]");
  const auto failing = Style::throwing(both.map([](const Text&) {}), "body");
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "[body, release b, release a]");
  CHECK(fakes.open() == 0);
}

TEST_CASE_TEMPLATE("two parts run in parallel and their resources are held", Style, MonadicDo, DoFibers,
                   DoCoroutines) {
  FakeResources fakes;
  Manual<int> manual;
  Delivery<std::tuple<Text, int>> delivery;
  Style::both(fakes.make("x"), Do<int>::lift(manual.program()))
      .map([&](std::tuple<Text, int> values) {
        CHECK(fakes.isOpen("x"));
        return values;
      })
      .onComplete(delivery.callback());
  CHECK(fakes.log() == "+x");
  manual.take()(1);
  CHECK(delivery.outcome().get() == std::tuple(Text("x"), 1));
  CHECK(fakes.log() == "+x -x");
}

TEST_CASE_TEMPLATE("when a part fails the others have been released before the error is seen", Style,
                   MonadicDo, DoFibers, DoCoroutines) {
  FakeResources fakes;
  const auto parts = Style::both(fakes.make("a"), fakes.failingAcquire("b"));
  const auto program = Style::acquiring(fakes, fakes.make("first"), parts.handleError([&](auto) {
    fakes.note("caught");
    return Do<std::tuple<Text, Text>>::now({});
  }));
  program.blockingAwait();
  CHECK(fakes.log() == "+first +a -a caught body -first");
}

TEST_CASE_TEMPLATE("resources that are acquired on several threads are all released", Style, MonadicDo,
                   DoFibers, DoCoroutines) {
  FakeResources fakes;
  ThreadPool pool(3);
  const auto branch = [&](const Text& name) {
    auto program = Do<int>::now(0);
    for (int k = 0; k < 10; ++k)
      program = Style::level(fakes, name + std::to_string(k),
                             Do<void>::lift(shift(pool)).flatMap([=] { return program; }));
    return program;
  };
  const auto program = Style::both(branch("a"), branch("b"));
  for (int i = 0; i < 10; ++i) CHECK(program.blockingAwait(pool) == std::tuple(10, 10));
  CHECK(fakes.open() == 0);
  CHECK(fakes.faults().empty());
}

// ---- what only blocks can do

TEST_CASE_TEMPLATE("the parts of a tuple or pair may be of both kinds", Style, DoFibers, DoCoroutines) {
  FakeResources fakes;
  const auto [one, two, pair] =
      Style::awaiting(std::tuple(Do<int>::now(1), now(2), std::pair(fakes.make("x"), user::Named("y"))))
          .blockingAwait();
  CHECK(one == 1);
  CHECK(two == 2);
  CHECK(pair == std::pair(Text("x"), Text("y")));
  CHECK(fakes.log() == "+x -x");
}

TEST_CASE_TEMPLATE("a type with a function toProgram that gives a Do can be awaited", Style, DoFibers,
                   DoCoroutines) {
  CHECK(Style::awaiting(user::Named("c")).blockingAwait() == "c");
}

TEST_CASE_TEMPLATE("an awaited program without errors that is stopped with one throws it", Style, DoFibers,
                   DoCoroutines) {
  Manual<int> manual;
  Delivery<Text> delivery;
  Style::caught(Style::awaiting(manual.program()), Do<Text>::now(" caught")).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(delivery.outcome().get() == Text(BrokenCallback().what()) + " caught");
}

TEST_CASE_TEMPLATE("shared and scoped values are awaited as handles", Style, DoFibers, DoCoroutines) {
  const auto shared = scoped([] { return Text("text"); }).shared();
  const auto program = Style::awaiting(std::pair(shared, shared));
  const auto same = program.map([](const auto& handles) { return &**handles.first == &**handles.second; });
  CHECK(same.blockingAwait());
}

TEST_CASE("a Do in a block that cannot fail is an error which that block may catch") {
  const auto text =
      "tapestry::await: a Do was awaited in a block that cannot fail, expected a call in direct<Do>([=] { "
      "... })";
  const auto program = Do<int>::now(1);
  const auto fiber = direct<UnitContinuation>([=] { return errorOf([&] { !program; }); });
  CHECK(fiber.blockingAwait() == text);
  const auto coroutine = direct<UnitContinuation>([=]() -> Coroutine<Text> {
    try {
      co_await program;
    } catch (const std::logic_error& error) {
      co_return error.what();
    }
    co_return "none";
  });
  CHECK(coroutine.blockingAwait() == text);
  // also within a block that may fail
  CHECK(direct<Do>([=] { return !fiber + !coroutine; }).blockingAwait() == Text(text) + text);
}
