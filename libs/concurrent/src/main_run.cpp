#include "tapestry/concurrent/detail/main_run.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

#include "tapestry/continuation/monad/trace.hpp"

namespace tapestry::detail {

int writeMainError(const std::exception_ptr& error) noexcept {
  std::cerr << describe(error) << '\n' << std::flush;
  return 1;
}

int mainExitCodeOfCancelled(int signal, std::optional<int> code) noexcept {
  if (signal != 0) return code.value_or(128 + signal);
  std::cerr << "tapestry::runMain: the program was cancelled, and not by a signal\n" << std::flush;
  return 1;
}

unsigned threadsOfMachine() noexcept { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace tapestry::detail
