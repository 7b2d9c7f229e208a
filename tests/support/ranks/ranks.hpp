// Defines onRank and onAllRanks, a program for one rank and for each rank of a communicator.
#pragma once

#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"

namespace tapestry::test {

/// Runs body(communicator), and yields how it ended: "value", or the error.
template <class C, class F>
Do<std::string> onRank(const C& communicator, F body) {
  return Do<void>::suspend([body, communicator] { return body(communicator); })
      .run()
      .attempt()
      .map([](const Try<void>& end) {
        return end.hasValue() ? std::string("value") : errorText(end.error());
      });
}

/// The same for each of them at once.
template <class C, class F>
Do<std::vector<std::string>> onAllRanks(const std::vector<C>& communicators, F body) {
  return parTraverse(communicators, communicators.size(),
                     [body](const C& communicator) { return onRank(communicator, body); });
}

}  // namespace tapestry::test
