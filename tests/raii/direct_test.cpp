// What is said of blocks of Do on fibers alone; the rest is in direct_style_test.cpp.
#include "tapestry/raii/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
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
