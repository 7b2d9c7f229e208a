// Defines StopCallback, which calls a function when the source of a token requests a stop.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/stop.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// During its lifetime, calls the function once when the token's source requests a stop: on the requesting
/// thread, or in the constructor if the request was made before. Like std::stop_callback, it wakes waits
/// outside the library, such as on a condition variable or a file descriptor. The function must be short and
/// must not throw; it may destroy this object. Requests to stop that the function makes are delivered after
/// it has returned; a callback destroyed by then is not called.
template <class F>
class [[nodiscard("the function is called only while the StopCallback exists")]] StopCallback {
  static constexpr bool callable = std::invocable<F&>;
  static_assert(callable, "tapestry::StopCallback: expected a function that takes no argument, f()");

 public:
  StopCallback(StopToken token, F function, detail::Location location = detail::Location::current())
      : token_(std::move(token)), listener_(std::move(function), location) {
    if (!token_.state().add(listener_)) listener_.onStop();
  }
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;
  /// Waits for the end of a call on another thread.
  ~StopCallback() { token_.state().remove(listener_); }

 private:
  struct Listener final : detail::StopListener {
    Listener(F given, const detail::Location& place) : function(std::move(given)), location(place) {}
    void onStop() noexcept override {
      if constexpr (callable)
        detail::noThrow("StopCallback", location, "callback", [this] { static_cast<void>(function()); });
    }
    F function;
    const detail::Location location;
  };

  const StopToken token_;
  Listener listener_;
};

}  // namespace tapestry
#pragma GCC visibility pop
