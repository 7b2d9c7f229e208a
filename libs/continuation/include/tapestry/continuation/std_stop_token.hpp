// Defines LinkedStopSource and LinkedStdStopSource, which pass requests to stop between std::stop_token and
// StopToken.
#pragma once

#include <stop_token>
#include <utility>

#include "tapestry/continuation/stop.hpp"
#include "tapestry/continuation/stop_callback.hpp"

#if !defined(__cpp_lib_jthread)
#error \
    "tapestry/continuation/std_stop_token.hpp: expected std::stop_token; libc++ 19 has it with -fexperimental-library"
#endif

#pragma GCC visibility push(default)
namespace tapestry {

/// During its lifetime, takes over the request to stop of a std::stop_token, on the thread that makes the
/// request, or at once if it was made before:
///
///     const LinkedStopSource stop(threadsToken);
///     program.blockingAwait(stop.token());
///
/// Its token may outlive it, and then gets no more requests.
class [[nodiscard("a link passes requests on only while it exists")]] LinkedStopSource {
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

/// The other direction: its std::stop_token takes over the request of a StopToken, such as a run's own token
/// (tapestry/continuation/stop_token.hpp), for functions that take a std::stop_token or use a
/// std::stop_callback:
///
///     blocking([](StopToken own) { LinkedStdStopSource stop(own); readAll(stop.token()); })
///
/// Its token may outlive it, and then gets no more requests.
class [[nodiscard("a link passes requests on only while it exists")]] LinkedStdStopSource {
 public:
  explicit LinkedStdStopSource(StopToken from) : callback_(std::move(from), Request{source_}) {}
  LinkedStdStopSource(const LinkedStdStopSource&) = delete;

  std::stop_token token() const noexcept { return source_.get_token(); }
  bool stopRequested() const noexcept { return source_.stop_requested(); }

 private:
  struct Request {
    void operator()() const noexcept {
      std::stop_source kept = source;  // since the request may destroy this object
      kept.request_stop();
    }
    std::stop_source source;
  };

  std::stop_source source_;
  StopCallback<Request> callback_;
};

}  // namespace tapestry
#pragma GCC visibility pop
