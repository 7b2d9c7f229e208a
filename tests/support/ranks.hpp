// Defines onAllRanks, a program for each rank of a local communicator.
#pragma once

#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"

namespace tapestry::test {

/// Runs body(communicator) for each of them at once, and yields how each ended: "value", or the error.
template <class C, class F>
Do<std::vector<std::string>> onAllRanks(const std::vector<C>& communicators, F body) {
  return parTraverse(communicators, communicators.size(), [body](const C& communicator) {
    return Do<void>::suspend([body, communicator] { return body(communicator); })
        .run()
        .attempt()
        .map([](const Try<void>& end) {
          return end.hasValue() ? std::string("value") : errorText(end.error());
        });
  });
}

}  // namespace tapestry::test
