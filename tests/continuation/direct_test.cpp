// What is said of blocks on fibers alone; the rest is in direct_style_test.cpp.
#include "tapestry/continuation/direct.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/child_process.hpp"

using namespace tapestry;

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
      for (std::size_t depth = step; depth < 64 * directStackBytes; depth += step) {
        stack[-static_cast<std::ptrdiff_t>(depth)] = 0;
        if (::write(STDERR_FILENO, "#", 1) != 1) return;
      }
    }).blockingAwait();
  });
  CHECK_FALSE((WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0));
  const std::size_t written = step * std::min(ending.text.find_first_not_of('#'), ending.text.size());
  CHECK(written > directStackBytes / 2);
  CHECK(written < 4 * directStackBytes);  // sanitizers have larger stacks
}
