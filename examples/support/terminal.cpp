#include "support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace tapestry::examples {
namespace {

std::optional<std::size_t> columnsOfStandardError() {
  const char* kind = std::getenv("TERM");
  if (isatty(STDERR_FILENO) == 0 || kind == nullptr || std::string_view(kind) == "dumb") return std::nullopt;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

Terminal standardError() { return {std::cerr, columnsOfStandardError}; }

}  // namespace tapestry::examples
