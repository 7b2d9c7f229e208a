// Defines errorOfRun, the text of the error that a program fails with.
#pragma once

#include <string>

#include "support/error_text.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::test {

/// Runs the program on the calling thread; empty where it does not fail.
template <class A>
std::string errorOfRun(const Do<A>& program) {
  return errorOf([&program] { static_cast<void>(program.blockingAwait()); });
}

}  // namespace tapestry::test
