// Defines PassText, the events of passes as a text.
#pragma once

#include <mutex>
#include <string>

#include "tapestry/deeplearning/pass_observer.hpp"

namespace tapestry::test {

inline std::string_view nameOf(PassObserver::Event event) {
  using Event = PassObserver::Event;
  switch (event) {
    case Event::read:
      return "read";
    case Event::forward:
      return "forward";
    case Event::backward:
      return "backward";
    case Event::release:
      return "release";
    case Event::step:
      return "step";
    case Event::exchange:
      return "exchange";
    default:
      return "exchanged";
  }
}

/// "forward multiply, backward multiply, ...", in the order in which they came. Thread-safe.
class PassText final : public PassObserver {
 public:
  void observe(Event event, std::string_view name, const void*) noexcept override {
    const std::scoped_lock guard(mutex_);
    if (!text_.empty()) text_ += ", ";
    text_.append(nameOf(event)).append(" ").append(name);
  }
  std::string text() const {
    const std::scoped_lock guard(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace tapestry::test
