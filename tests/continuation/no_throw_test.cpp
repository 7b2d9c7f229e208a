// A function that throws where no error can go ends the process, and says which function it was.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

/// What the program wrote to standard error before std::terminate; empty if it ended in another way.
template <class P>
std::string lastWords(const P& program) {
  int pipes[2];
  if (::pipe(pipes) != 0) return "";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipes[1], STDERR_FILENO);
    std::set_terminate([] { ::_exit(42); });
    program.blockingAwait();
    ::_exit(0);
  }
  ::close(pipes[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n; (n = ::read(pipes[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(pipes[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42 ? text : "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string here(int line) { return std::string(__FILE__) + ":" + std::to_string(line); }

int boom() { throw std::runtime_error("boom"); }

}  // namespace

TEST_CASE("a function that throws ends the process after its source location") {
  const auto program = delay([] { return boom(); });
  const int line = __LINE__ - 1;
  const auto text = lastWords(program);
  CHECK(contains(text, "tapestry::delay: "));
  CHECK(contains(text, here(line)));
  CHECK(contains(text, "boom"));
}

TEST_CASE("every operation names itself and the place where it was given the function") {
  const auto map = now(1).map([](int) { return boom(); });
  CHECK(contains(lastWords(map), "tapestry::map: the function given at " + here(__LINE__ - 1)));
  const auto flatMap = now(1).flatMap([](int) { return now(boom()); });
  CHECK(contains(lastWords(flatMap), "tapestry::flatMap: the function given at " + here(__LINE__ - 1)));
  const auto leaf = async<int>([](Callback<int>) { boom(); });
  CHECK(contains(lastWords(leaf), "tapestry::async: the function given at " + here(__LINE__ - 1)));
  const auto loop = tailRecM(0, [](int) { return now(Step<int, int>::done(boom())); });
  CHECK(contains(lastWords(loop), "tapestry::tailRecM: the function given at " + here(__LINE__ - 1)));
}

TEST_CASE("suspend and execute name themselves when their function throws") {
  const auto suspended = suspend([] { return now(boom()); });
  CHECK(contains(lastWords(suspended), here(__LINE__ - 1)));
  const auto executed = execute(Executor::inlined(), [] { return boom(); });
  CHECK(contains(lastWords(executed), here(__LINE__ - 1)));
}

TEST_CASE("an exception of any type ends the process") {
  const auto program = delay([]() -> int { throw 7; });
  CHECK(contains(lastWords(program), "unknown type"));
}

TEST_CASE("a program that does not throw ends as usual") { CHECK(lastWords(now(1)).empty()); }
