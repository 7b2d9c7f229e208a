#include "tapestry/continuation/detail/program.hpp"

#include <cstdio>
#include <exception>

namespace tapestry::detail {

namespace {

void report(const char* operation, const Location& location, const char* given, const char* what) noexcept {
  std::fprintf(stderr,
               "tapestry::%s: the %s given at %s:%u threw, got %s, expected no exception (a "
               "UnitContinuation has no channel for errors, use Do)\n",
               operation, given, location.file_name(), static_cast<unsigned>(location.line()), what);
}

}  // namespace

void functionThrew(const char* operation, const Location& location, const char* given) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    report(operation, location, given, error.what());
  } catch (...) {
    report(operation, location, given, "an exception of unknown type");
  }
  std::terminate();
}

}  // namespace tapestry::detail
