#include "tapestry/continuation/asio/detail/asio_gate.hpp"

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/strand_executor_service.hpp>
#include <thread>

#include "tapestry/continuation/asio/detail/asio_core.hpp"

namespace tapestry::detail {

namespace {

using Scheduler = boost::asio::detail::scheduler;

/// The scheduler of an io_context, a thread_pool or the system's context; null for other contexts.
const Scheduler* schedulerOf(boost::asio::execution_context& context) {
  if (!boost::asio::has_service<Scheduler>(context)) return nullptr;
  return &boost::asio::use_service<Scheduler>(context);
}

/// Closes the gate of its context. Asio shuts services down, the youngest first, before it destroys any. The
/// services that are posted to are older: the scheduler, and the service of strands, which is created before
/// this service if necessary.
class GateService final : public boost::asio::execution_context::service {
 public:
  using key_type = GateService;
  static inline boost::asio::execution_context::id id;

  explicit GateService(boost::asio::execution_context& context)
      : service(context), gate(makeRef<AsioGate>(schedulerOf(context))) {
    boost::asio::use_service<boost::asio::detail::strand_executor_service>(context);
  }

  const Ref<AsioGate> gate;

 private:
  void shutdown() override { gate->close(); }
};

}  // namespace

Ref<AsioGate> AsioGate::of(boost::asio::execution_context& context) {
  return boost::asio::use_service<GateService>(context).gate;
}

bool AsioGate::contextStopped() const noexcept { return scheduler_ && scheduler_->stopped(); }

bool AsioGate::add(AsioCore& guest) noexcept {
  return pass([&] {
    const SpinGuard guard(lock_);
    guest.next_ = guests_;
    if (guests_) guests_->previous_ = &guest;
    guests_ = &guest;
  });
}

void AsioGate::remove(AsioCore& guest) noexcept {
  const bool removed = pass([&] {
    {
      const SpinGuard guard(lock_);
      (guest.previous_ ? guest.previous_->next_ : guests_) = guest.next_;
      if (guest.next_) guest.next_->previous_ = guest.previous_;
    }
    guest.leave();
  });
  if (removed) return;
  while (!empty_.load()) std::this_thread::yield();
}

void AsioGate::close() noexcept {
  if (closed_.exchange(true)) return;  // since later versions of Boost shut the services down twice
  while (posting_.load() != 0) std::this_thread::yield();
  // no thread adds or removes guests any more
  for (AsioCore* guest = guests_; guest; guest = guest->next_) guest->leave();
  empty_ = true;
}

}  // namespace tapestry::detail
