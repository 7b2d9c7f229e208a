#include "tapestry/continuation/asio/asio_clock.hpp"

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <mutex>

#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"
#include "tapestry/continuation/detail/timer_queue.hpp"

namespace tapestry {

/// Held by the clock and by the handler of each wait.
class AsioClock::State : public std::enable_shared_from_this<State> {
 public:
  explicit State(const boost::asio::any_io_executor& executor) : alarm_(executor) {}

  void start(detail::Timer& timer, TimePoint time) {
    const std::lock_guard lock(mutex_);
    if (timers_.add(timer, time) && !(armed_ && armedFor_ <= time)) arm(time);
  }

  bool cancel(detail::Timer& timer) {
    const std::lock_guard lock(mutex_);
    if (!timers_.remove(timer)) return false;
    if (timers_.empty()) disarm();
    return true;
  }

  void end() {
    const std::lock_guard lock(mutex_);
    disarm();
  }

 private:
  /// Ends an earlier wait, whose handler then does nothing.
  void arm(TimePoint time) {
    armed_ = true;
    armedFor_ = time;
    alarm_.expires_at(time);
    alarm_.async_wait([self = shared_from_this(), number = ++number_](const auto&) { self->ring(number); });
  }
  void disarm() {
    if (!armed_) return;
    armed_ = false;
    ++number_;
    alarm_.cancel();
  }

  /// Lets the first timer expire if it is due, and waits for the next one before that, for what the timer
  /// resumes may take its time. Runs that the timer resumes continue in a loop of their own, in which
  /// blockingAwait is refused, since this thread runs the context.
  void ring(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    if (number != number_) return;
    armed_ = false;
    detail::Timer* const timer = timers_.popDue(std::chrono::steady_clock::now());
    if (!timers_.empty()) arm(timers_.next());
    lock.unlock();
    if (!timer) return;
    const detail::AsioHandlerScope scope(Executor::inlined(), false);
    timer->expired();
  }

  std::mutex mutex_;  // guards the following members
  detail::TimerQueue timers_;
  boost::asio::steady_timer alarm_;
  std::uint64_t number_ = 0;  // of the last wait; its handler alone counts
  bool armed_ = false;
  TimePoint armedFor_;
};

AsioClock::AsioClock(const boost::asio::any_io_executor& executor)
    : state_(std::make_shared<State>(executor)) {}

AsioClock::~AsioClock() { state_->end(); }

Clock::TimePoint AsioClock::now() const noexcept { return std::chrono::steady_clock::now(); }

void AsioClock::start(detail::Timer& timer, TimePoint time) noexcept { state_->start(timer, time); }

bool AsioClock::cancel(detail::Timer& timer) noexcept { return state_->cancel(timer); }

}  // namespace tapestry
