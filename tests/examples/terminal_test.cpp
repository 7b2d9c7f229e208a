#include "support/terminal.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace tapestry::examples {
namespace {

/// Standard error goes to `descriptor` meanwhile.
class Redirected {
 public:
  explicit Redirected(int descriptor) { dup2(descriptor, STDERR_FILENO); }
  ~Redirected() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int saved_ = dup(STDERR_FILENO);
};

TEST_CASE("A file or a pipe has no columns") {
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  {
    const Redirected redirected(nothing);
    CHECK_FALSE(standardError().columns().has_value());
  }
  CHECK(&standardError().out == &std::cerr);
  close(nothing);
}

TEST_CASE("A terminal has the columns of its window, unless it is dumb") {
  const int controller = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(controller >= 0);
  REQUIRE(grantpt(controller) == 0);
  REQUIRE(unlockpt(controller) == 0);
  const int terminal = open(ptsname(controller), O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  const char* before = std::getenv("TERM");
  const std::string kind = before == nullptr ? "" : before;
  {
    const Redirected redirected(terminal);
    setenv("TERM", "xterm", 1);
    CHECK(standardError().columns() == 80);
    winsize size{};
    size.ws_col = 123;
    ioctl(terminal, TIOCSWINSZ, &size);
    CHECK(standardError().columns() == 123);
    setenv("TERM", "dumb", 1);
    CHECK_FALSE(standardError().columns().has_value());
  }
  before == nullptr ? unsetenv("TERM") : setenv("TERM", kind.c_str(), 1);
  close(terminal);
  close(controller);
}

}  // namespace
}  // namespace tapestry::examples
