// Defines LinkedStopSource and LinkedStdStopSource, by which a request to stop passes between std::stop_token
// and StopToken.
#pragma once

#include <stop_token>
#include <utility>

#include "tapestry/continuation/stop.hpp"
#include "tapestry/continuation/stop_callback.hpp"

namespace tapestry {

/// For as long as it lives, is asked to stop when a std::stop_token is, on the thread that asks, or at once
/// where that was before:
///
///     const LinkedStopSource stop(threadsToken);
///     program.blockingAwait(stop.token());
///
/// Its token may outlive it, and then hears of nothing more.
class [[nodiscard("it hears of a request only as long as it lives")]] LinkedStopSource {
 public:
  explicit LinkedStopSource(std::stop_token from)
      : callback_(std::move(from), detail::RequestStop{source_}) {}
  LinkedStopSource(const LinkedStopSource&) = delete;

  StopToken token() const noexcept { return source_.token(); }
  bool stopRequested() const noexcept { return source_.stopRequested(); }

 private:
  StopSource source_;
  std::stop_callback<detail::RequestStop> callback_;
};

/// The other way: its std::stop_token is asked to stop when a StopToken is, such as that of a run
/// (tapestry/continuation/stop_token.hpp), in a function that takes a std::stop_token or has a
/// std::stop_callback:
///
///     blocking([](StopToken own) { LinkedStdStopSource stop(own); readAll(stop.token()); })
///
/// Its token may outlive it, and then hears of nothing more.
class [[nodiscard("it hears of a request only as long as it lives")]] LinkedStdStopSource {
 public:
  explicit LinkedStdStopSource(StopToken from) : callback_(std::move(from), Request{source_}) {}
  LinkedStdStopSource(const LinkedStdStopSource&) = delete;

  std::stop_token token() const noexcept { return source_.get_token(); }
  bool stopRequested() const noexcept { return source_.stop_requested(); }

 private:
  struct Request {
    void operator()() const noexcept {
      std::stop_source kept = source;  // for what ends now may destroy this
      kept.request_stop();
    }
    std::stop_source source;
  };

  std::stop_source source_;
  StopCallback<Request> callback_;
};

}  // namespace tapestry
