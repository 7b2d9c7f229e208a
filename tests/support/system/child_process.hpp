// Defines inChild and lastWords: what functions do that end their process; and limitThreads.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <string>

namespace tapestry::test {

/// How a process has ended.
struct Ending {
  int status = 0;    ///< as waitpid gives it
  std::string text;  ///< what it wrote to standard error

  /// Whether std::terminate was called in it.
  bool terminated() const noexcept { return WIFEXITED(status) && WEXITSTATUS(status) == terminateCode; }

  static constexpr int terminateCode = 42;
};

/// Whether this process was started to make the call of inChild that comes now, instead of the test.
bool isChildForThisCall();

/// Starts this program again for the test case that runs, and that call of inChild in it.
Ending runChildForThisCall();

/// How a process ends that calls the function; with exit code 0 if the function returns. The process is
/// started for it and has no threads, locks or memory of this one: it comes to the function by the test case
/// from its beginning, without other calls of inChild before.
template <class F>
Ending inChild(const F& function) {
  if (!isChildForThisCall()) return runChildForThisCall();
  std::set_terminate([] { ::_exit(Ending::terminateCode); });
  function();
  ::_exit(0);
}

/// What a process that calls the function writes to standard error before std::terminate; nothing if the
/// function returns, and how the process ended if it is neither.
template <class F>
std::string lastWords(const F& function) {
  const Ending ending = inChild(function);
  if (ending.terminated()) return ending.text;
  if (ending.status == 0) return "";
  return "(ended with status " + std::to_string(ending.status) + ") " + ending.text;
}

/// For a function of inChild: lets the process have so many threads, its own included, and ends it after 20
/// seconds. False if the system refuses.
bool limitThreads(unsigned threads);

}  // namespace tapestry::test
