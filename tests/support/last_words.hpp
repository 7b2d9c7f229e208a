// Defines lastWords, what a process writes before it is terminated.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

namespace tapestry::test {

/// Calls the function in a child process; what that wrote to standard error before std::terminate, or nothing
/// if it ended in another way.
template <class F>
std::string lastWords(const F& function) {
  int pipes[2];
  if (::pipe(pipes) != 0) return "";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipes[1], STDERR_FILENO);
    std::set_terminate([] { ::_exit(42); });
    function();
    ::_exit(0);
  }
  ::close(pipes[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n = 0; (n = ::read(pipes[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(pipes[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42 ? text : "";
}

}  // namespace tapestry::test
