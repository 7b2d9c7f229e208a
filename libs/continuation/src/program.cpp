#include "tapestry/continuation/detail/program.hpp"

#include <cstdio>
#include <exception>

namespace tapestry::detail {

namespace {

/// The exception that is being handled.
template <class Report>
void withError(const Report& report) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    report(error.what());
  } catch (...) {
    report("an exception of unknown type");
  }
}

}  // namespace

void functionThrew(const char* operation, const Location& location, const char* given) noexcept {
  withError([&](const char* what) {
    std::fprintf(stderr, "tapestry::%s: the %s ", operation, given);
    if (location.line() > 0)
      std::fprintf(stderr, "given at %s:%u ", location.file_name(), static_cast<unsigned>(location.line()));
    std::fprintf(stderr,
                 "threw, got %s, expected no exception (a UnitContinuation has no channel for errors, use "
                 "Do)\n",
                 what);
  });
  std::terminate();
}

void callbackThrew() noexcept {
  withError([](const char* what) {
    std::fprintf(stderr, "tapestry::onComplete: the callback threw, got %s, expected no exception\n", what);
  });
  std::terminate();
}

}  // namespace tapestry::detail
