#include "tapestry/continuation/detail/engine/program.hpp"

#include <cstdio>
#include <exception>
#include <string_view>

namespace tapestry::detail {

namespace {

/// Calls the report with the message of the exception that is being handled.
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

/// Ends the process with a message.
[[noreturn]] void end(const char* operation, const Location& location, const char* given,
                      const char* hint) noexcept {
  withError([&](const char* what) {
    std::fprintf(stderr, "tapestry::%s: the %s ", operation, given);
    if (location.line() > 0)
      std::fprintf(stderr, "given at %s:%u ", location.file_name(), static_cast<unsigned>(location.line()));
    std::fprintf(stderr, "threw, got %s, expected no exception%s\n", what, hint);
  });
  std::terminate();
}

}  // namespace

void functionThrew(const char* operation, const Location& location, const char* given) noexcept {
  const bool isFunction = given == std::string_view("function");
  end(operation, location, given,
      isFunction ? " (a UnitContinuation has no channel for errors, use Do)" : "");
}

void callbackThrew(const Location& location) noexcept { end("onComplete", location, "callback", ""); }

}  // namespace tapestry::detail
