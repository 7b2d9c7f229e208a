// Defines AsioClock, a clock whose timers wait in a context of Asio.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <concepts>
#include <memory>

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Uses std::chrono::steady_clock, as Clock::system() does, but has no thread of its own: its timers wait in
/// an io_context or a thread_pool, and expire on the threads of that. Runs that work there too, such as the
/// connections of a server, then wait and continue without a change of threads:
///
///     AsioClock clock(context);
///     return runMain(withClock(clock, serve(acceptor, handler)), context);
///
/// Waiting timers are outstanding work of the context: `context.run()` returns when none is left, also if the
/// last one was cancelled. While the context is not run, no timer expires. A run that a timer has resumed on
/// a thread of the context must not wait there: blockingAwait is an error in it. The clock must outlive its
/// runs, and must be destroyed before the context. Usable from several threads at once. Cost: a lock, and an
/// operation of Asio whenever a timer becomes the first.
class AsioClock final : public Clock {
 public:
  explicit AsioClock(const boost::asio::any_io_executor& executor);
  /// With the executor of the context.
  template <std::derived_from<boost::asio::execution_context> Context>
  explicit AsioClock(Context& context) : AsioClock(boost::asio::any_io_executor(context.get_executor())) {}
  AsioClock(const AsioClock&) = delete;
  AsioClock& operator=(const AsioClock&) = delete;
  /// Precondition: no timer waits.
  ~AsioClock();

  TimePoint now() const noexcept override;
  void start(detail::Timer& timer, TimePoint time) noexcept override;
  bool cancel(detail::Timer& timer) noexcept override;

 private:
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
