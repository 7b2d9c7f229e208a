#include "tapestry/continuation/asio/detail/asio_gate.hpp"

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/strand.hpp>
#include <thread>

#include "tapestry/continuation/asio/asio_executor.hpp"

namespace tapestry::detail {

namespace {

using Scheduler = boost::asio::detail::scheduler;

class SchedulerGate final : public AsioGate {
 public:
  explicit SchedulerGate(const Scheduler& scheduler) noexcept : scheduler_(scheduler) {}
  bool contextStopped() const noexcept override { return scheduler_.stopped(); }

 private:
  const Scheduler& scheduler_;
};

/// The scheduler is that of an io_context, a thread_pool or the system's context; other contexts have none.
Ref<AsioGate> gateFor(boost::asio::execution_context& context) {
  if (!boost::asio::has_service<Scheduler>(context)) return makeRef<AsioGate>();
  return makeRef<SchedulerGate>(boost::asio::use_service<Scheduler>(context));
}

/// Only tells its context, as a strand requires.
class ContextExecutor {
 public:
  explicit ContextExecutor(boost::asio::execution_context& context) noexcept : context_(context) {}
  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept { return context_; }
  template <class F>
  void execute(const F&) const {}
  bool operator==(const ContextExecutor& other) const noexcept { return &context_ == &other.context_; }

 private:
  boost::asio::execution_context& context_;
};

/// Closes the gate of its context. Asio shuts services down, the youngest first, before it destroys any. The
/// services that are posted to are older: the scheduler, and the service of strands, which the first strand
/// of a context creates.
class GateService final : public boost::asio::execution_context::service {
 public:
  using key_type = GateService;
  static inline boost::asio::execution_context::id id;

  explicit GateService(boost::asio::execution_context& context) : service(context), gate(gateFor(context)) {
    boost::asio::strand<ContextExecutor>{ContextExecutor(context)};
  }

  const Ref<AsioGate> gate;

 private:
  void shutdown() override { gate->close(); }
};

}  // namespace

Ref<AsioGate> AsioGate::of(boost::asio::execution_context& context) {
  return boost::asio::use_service<GateService>(context).gate;
}

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
  if (closed_.exchange(true)) return;  // since Boost 1.83 a thread_pool and its base both shut services down
  while (posting_.load() != 0) std::this_thread::yield();
  // no thread adds or removes guests any more
  for (AsioCore* guest = guests_; guest; guest = guest->next_) guest->leave();
  empty_ = true;
}

void AsioCore::hold() noexcept {
  retain();
  // work is created and dropped without the lock, since the user's executor does so
  if (!addRun(nullptr)) gate_->pass([this] { addRun(makeWork()); });
}

void AsioCore::letGo() noexcept {
  if (!removeRun())
    gate_->pass([this] {
      std::unique_ptr<AsioWork> last;
      const SpinGuard guard(lock_);
      if (runs_ != 0 && --runs_ == 0) last.swap(work_);
    });
  release();
}

/// Returns false if this would be the first hold and `work` is null.
bool AsioCore::addRun(std::unique_ptr<AsioWork> work) noexcept {
  const SpinGuard guard(lock_);
  if (runs_ == 0 && !work) return false;
  if (runs_++ == 0) work_.swap(work);
  return true;
}

/// Returns false if this would end the last hold.
bool AsioCore::removeRun() noexcept {
  const SpinGuard guard(lock_);
  if (runs_ <= 1) return false;
  --runs_;
  return true;
}

}  // namespace tapestry::detail
