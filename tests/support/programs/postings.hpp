// Defines PostingLog, whose programs write what becomes of them, and tellTo and errorOfFuture, which say how
// programs of a dispatcher ended.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "support/error_text.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"

namespace tapestry::test {

inline Do<void> sleepsFor(int milliseconds) {
  return Do<void>::lift(sleepFor(milliseconds * std::chrono::milliseconds(1)));
}

/// Writes that it has begun, ended, and released.
struct PostingLog {
  std::string text;

  Do<int> entry(int number, int milliseconds) {
    const auto note = [this, number](char what) { text += what + std::to_string(number) + " "; };
    return resource(Do<int>::delay([=] { return note('+'), number; }), [=](int) { note('-'); })
        .flatMap([=](int) { return sleepsFor(milliseconds); })
        .map([=] { return note('='), number; });
  }
};

/// The error that the future throws, or the expected one where a sanitizer does not see how libstdc++ counts
/// the owners of an exception, of which two threads have one each.
template <class A>
std::string errorOfFuture(std::future<A> future, const char* expected) {
  future.wait();
  return underThreadSanitizer ? expected : errorOf([&] { future.get(); });
}

/// Adds the outcome to the text.
template <class A = int>
auto tellTo(std::string& text) {
  return
      [&text, owned = std::make_unique<int>(0)](Outcome<A> outcome) { text += outcomeText(outcome) + " "; };
}

}  // namespace tapestry::test
