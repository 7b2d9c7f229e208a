// Defines observed, which runs a program whose passes report the events of their nodes to an observer.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/raii/local.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// observed(train(loss), observer). The innermost observer gets the events; a null pointer means that no
/// observer is notified.
template <class A>
[[nodiscard]] Do<A> observed(const Do<A>& program, std::shared_ptr<PassObserver> observer) {
  return local<detail::PassObserverSlot>(std::move(observer), program);
}

void observed(...) = delete;  // expected a Do, such as train(loss), and a std::shared_ptr<PassObserver>

}  // namespace tapestry
#pragma GCC visibility pop
