#include "support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tapestry::examples {
namespace {

std::optional<std::size_t> columnsOf(int descriptor) {
  const char* kind = std::getenv("TERM");
  if (isatty(descriptor) == 0 || kind == nullptr || std::string_view(kind) == "dumb") return std::nullopt;
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

Terminal standardOutput() {
  return {std::cout, [] { return columnsOf(STDOUT_FILENO); }};
}

Terminal standardError() {
  return {std::cerr, [] { return columnsOf(STDERR_FILENO); }};
}

}  // namespace tapestry::examples
