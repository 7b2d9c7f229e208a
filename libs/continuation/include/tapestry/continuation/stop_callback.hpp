// Defines StopCallback, a function that is called when a run, or whatever else has a token, is asked to stop.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/stop.hpp"

namespace tapestry {

/// For as long as it lives, calls the function once when the token's source is asked to stop, on the thread
/// that asks, or at once, in the constructor, where that was before. As std::stop_callback: to wake what
/// waits outside of the library, such as a condition variable or a file descriptor. The function must be
/// short, and must not throw; it may destroy this. What it asks to stop hears of that when it has returned:
/// a callback that is gone by then is not called.
template <class F>
class [[nodiscard("it is called only as long as it lives")]] StopCallback {
  static constexpr bool callable = std::invocable<F&>;
  static_assert(callable, "tapestry::StopCallback: expected a function that takes no argument, f()");

 public:
  StopCallback(StopToken token, F function, detail::Location location = detail::Location::current())
      : token_(std::move(token)), listener_(std::move(function), location) {
    if (!token_.state().add(listener_)) listener_.onStop();
  }
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;
  /// Waits for a call that another thread is in.
  ~StopCallback() { token_.state().remove(listener_); }

 private:
  struct Listener final : detail::StopListener {
    Listener(F given, const detail::Location& place) : function(std::move(given)), location(place) {}
    void onStop() noexcept override {
      if constexpr (callable)
        detail::noThrow("StopCallback", location, "function", [this] { static_cast<void>(function()); });
    }
    F function;
    const detail::Location location;
  };

  const StopToken token_;
  Listener listener_;
};

}  // namespace tapestry
