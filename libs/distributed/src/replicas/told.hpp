// Defines told, a program of an exchange whose beginning and end are reported to the observer of the pass.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tapestry/deeplearning/extend/pass_gradients.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

/// Reports the exchange `name` to the observer of the pass, if there is one.
template <class A>
Do<A> told(const std::optional<extend::PassGradients>& pass, std::string name, Do<A> program) {
  using Event = PassObserver::Event;
  if (!pass || !pass->isObserved()) return program;
  const auto tell = [pass, name = std::move(name)](Event event) { pass->tell(event, name); };
  return Do<void>::delay([tell] { tell(Event::exchange); })
      .flatMap([program = std::move(program)] { return program.attempt(); })
      .map([tell](const Try<A>& end) {
        tell(Event::exchanged);
        return Try<A>(end).valueOrThrow();
      });
}

}  // namespace tapestry::detail
