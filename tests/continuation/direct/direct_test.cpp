// Promises that concern only blocks on fibers; the rest is in direct_style_test.cpp.
#include "tapestry/continuation/direct/direct.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "support/error_text.hpp"
#include "support/sanitizers.hpp"
#include "support/system/child_process.hpp"
#include "support/threads/direct_stacks.hpp"

using namespace tapestry;
using test::DirectStacks;

namespace user {

/// Outside of namespace tapestry everything is found through its arguments.
inline int found() {
  return await(tapestry::delay([] { return 1; })) + !tapestry::now(2) +
         !tapestry::UnitContinuation<int>(tapestry::now(3));
}

}  // namespace user

TEST_CASE("await and the exclamation mark give the values of erased and unerased programs") {
  const UnitContinuation<int> erased = now(1);
  const auto program = direct<UnitContinuation>([=] {
    await(now());
    !UnitContinuation<void>(now());
    const int sum = await(erased) + !delay([] { return 20; }) + !now(300).map([](int x) { return x; });
    return sum + await(now(4000).flatMap([](int x) { return now(x); }));
  });
  CHECK(program.blockingAwait() == 4321);
  CHECK(program.blockingAwait() == 4321);
  CHECK(direct<UnitContinuation>([] { return user::found(); }).blockingAwait() == 6);
}

TEST_CASE("await outside of a block is an error that says where it belongs") {
  const auto message = [](auto function) -> std::string {
    try {
      function();
      return "no error";
    } catch (const std::logic_error& error) {
      return error.what();
    }
  };
  const std::string expected =
      "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... }), or co_await "
      "in a coroutine";
  CHECK(message([] { await(now(1)); }) == expected);
  CHECK(message([] { !UnitContinuation<int>(now(1)); }) == expected);
  // also in functions that the run calls for a block, and in other runs on a block's stack
  const auto awaiting = delay([&] { return message([] { await(now(1)); }); });
  CHECK(direct<UnitContinuation>([=] { return !awaiting; }).blockingAwait() == expected);
  CHECK(direct<UnitContinuation>([=] { return awaiting.blockingAwait(); }).blockingAwait() == expected);
  CHECK(message([&] { direct<UnitContinuation>([] {}).blockingAwait(), await(now(1)); }) == expected);
}

TEST_CASE("await in a destructor that the library calls is an error") {
  std::string message;
  struct AwaitsAtTheEnd {
    explicit AwaitsAtTheEnd(std::string& text) : message(&text) {}
    AwaitsAtTheEnd(AwaitsAtTheEnd&& other) noexcept : message(std::exchange(other.message, nullptr)) {}
    ~AwaitsAtTheEnd() {
      try {
        if (message) await(now(1));
      } catch (const std::logic_error& error) {
        *message = error.what();
      }
    }
    std::string* message;
  };
  direct<UnitContinuation>([&] {
    UnitContinuation<int> program = delay([value = AwaitsAtTheEnd(message)] { return 1; });
    program = now(2);
    return !program;
  }).blockingAwait();
  CHECK(message ==
        "tapestry::await: called in a destructor that the library calls, expected a call in the block");
}

TEST_CASE("a block that overflows its stack ends the process at the guard page, before it writes elsewhere") {
  constexpr std::size_t step = 512;
  const test::Ending ending = test::inChild([] {
    std::signal(SIGSEGV, SIG_DFL);
    direct<UnitContinuation>([] {
      // not a variable's address, which AddressSanitizer may place elsewhere
      volatile char* const stack = static_cast<volatile char*>(__builtin_frame_address(0));
      // past this stack, and those that may have been mapped below it
      for (std::size_t depth = step; depth < 64 * directStackSize(); depth += step) {
        stack[-static_cast<std::ptrdiff_t>(depth)] = 0;
        if (::write(STDERR_FILENO, "#", 1) != 1) return;
      }
    }).blockingAwait();
  });
  CHECK_FALSE((WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0));
  const std::size_t written = step * std::min(ending.text.find_first_not_of('#'), ending.text.size());
  CHECK(written > directStackSize() / 2);
  CHECK(written < 4 * directStackSize());  // sanitizers have larger stacks
}

TEST_CASE("the size of stacks is 128 KiB unless it was set and is of whole pages") {
  CHECK(directStackSize() == 128 * 1024);
  {
    const DirectStacks stacks(1'000'001);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    CHECK(directStackSize() >= 1'000'001);
    CHECK(directStackSize() < 1'000'001 + page);
    CHECK(directStackSize() % page == 0);
  }
  CHECK(directStackSize() == 128 * 1024);
}

TEST_CASE("a size of stacks that is too small or beyond counting is an error and sets nothing") {
  const auto expected = [](const char* got) {
    return "tapestry::setDirectStackSize: the size is out of range, got " + std::string(got) +
           ", expected 16384 to 1152921504606846975";
  };
  CHECK(test::errorOf([] { setDirectStackSize(0); }) == expected("0"));
  CHECK(test::errorOf([] { setDirectStackSize(16'383); }) == expected("16383"));
  CHECK(test::errorOf([] { setDirectStackSize(std::size_t{1} << 60); }) == expected("1152921504606846976"));
  CHECK_THROWS_AS(setDirectStackSize(static_cast<std::size_t>(-1)), std::invalid_argument);
  CHECK(directStackSize() == 128 * 1024);
}

TEST_CASE("a block on the smallest stack awaits and throws") {
  const DirectStacks stacks(16'384);
  const auto program = direct<UnitContinuation>([] {
    try {
      !now();
      throw std::runtime_error("boom");
    } catch (const std::runtime_error&) {
      return !now(1) + !now(2).map([](int x) { return x; });
    }
  });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("a recursion in a block is as deep as the size of stacks allows for blocks that begin afterwards") {
  constexpr int calls = 2'000;
  const auto program = direct<UnitContinuation>([] {
    !now();
    return test::takeStack(calls);
  });
  CHECK(direct<UnitContinuation>([] { return test::takeStack(10); }).blockingAwait() != 0);
  {
    const DirectStacks stacks(std::size_t{8} * 1024 * 1024);
    const auto taken = program.blockingAwait();
    // AddressSanitizer may place variables elsewhere
    if (!test::underAddressSanitizer) CHECK(taken > calls * 1024);
    CHECK(program.blockingAwait() == taken);
  }
  CHECK(direct<UnitContinuation>([] { return test::takeStack(10); }).blockingAwait() != 0);
}

TEST_CASE("a block whose stack cannot be mapped stops its run with an error and is not entered") {
  bool entered = false;
  int after = 0;
  const auto block = direct<UnitContinuation>([&] { entered = true; });
  const auto program = block.map([&] { ++after; });
  const std::string expected = "tapestry::direct: no memory for the stack of a block: ";
  {
    const DirectStacks stacks(DirectStacks::tooLarge);
    CHECK(test::errorOf([&] { program.blockingAwait(); }).starts_with(expected));
    CHECK_THROWS_AS(program.blockingAwait(), std::system_error);
    CHECK_FALSE(entered);
    CHECK(after == 0);
  }
  program.blockingAwait();
  CHECK(entered);
  CHECK(after == 1);
  // so with one that another block awaits
  entered = false;
  std::string caught;
  const auto outer = direct<UnitContinuation>([&] {
    const DirectStacks stacks(DirectStacks::tooLarge);
    try {
      !block;
    } catch (const std::system_error& error) {
      caught = error.what();
      throw;
    }
  });
  CHECK_THROWS_AS(outer.blockingAwait(), std::system_error);
  CHECK(caught.starts_with(expected));
  CHECK_FALSE(entered);
  block.blockingAwait();
  CHECK(entered);
}
