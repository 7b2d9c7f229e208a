// Promises that concern only blocks of Do on fibers; the rest is in direct_style_test.cpp.
#include "tapestry/raii/direct/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <system_error>

#include "support/error_text.hpp"
#include "support/threads/direct_stacks.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::DirectStacks;
using test::errorOf;

TEST_CASE("a block awaits programs that may fail and programs that cannot in functions that it calls") {
  struct Sum {
    static int of(const Do<int>& program, int times) {
      return times == 0 ? !now(0) : !program + of(program, times - 1);
    }
  };
  CHECK(direct<Do>([] { return Sum::of(Do<int>::now(2), 5); }).blockingAwait() == 10);
}

TEST_CASE("a handle that is awaited is read in the block") {
  const auto program = direct<Do>([] {
    const auto handle = !scoped([] { return std::make_unique<int>(3); });
    return **handle;
  });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("awaiting a Do outside of a block is an error") {
  CHECK(errorOf([] { !Do<int>::now(1); }) ==
        "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... }), or "
        "co_await in a coroutine");
}

TEST_CASE("a block whose stack cannot be mapped fails with an error that a handler gets") {
  bool entered = false;
  const auto block = direct<Do>([&] {
    entered = true;
    return 1;
  });
  const auto handled = block.handleError([](const std::exception_ptr& error) {
    return Do<int>::now(errorAs<std::system_error>(error) ? 2 : 3);
  });
  int released = 0;
  const auto holding =
      resource(Do<int>::now(1), [&](int) { ++released; }).flatMap([=](int) { return block; }).attempt();
  {
    const DirectStacks stacks(DirectStacks::tooLarge);
    CHECK(errorOf([&] {
            block.blockingAwait();
          }).starts_with("tapestry::direct: no memory for the stack of a block: "));
    CHECK(handled.blockingAwait() == 2);
    CHECK_FALSE(holding.blockingAwait().hasValue());
    CHECK(released == 1);
    CHECK_FALSE(entered);
  }
  CHECK(handled.blockingAwait() == 1);
  CHECK(holding.blockingAwait().hasValue());
  CHECK(released == 2);
  CHECK(entered);
}

TEST_CASE("a block handles the error of a block within it whose stack cannot be mapped") {
  const auto program = direct<Do>([] {
    const auto inner = direct<Do>([] { return 1; });
    const DirectStacks stacks(DirectStacks::tooLarge);
    try {
      return !inner;
    } catch (const std::system_error&) {
      return 2;
    }
  });
  CHECK(program.blockingAwait() == 2);
}
