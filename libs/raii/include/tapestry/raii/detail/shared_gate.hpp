// Defines BasicSharedGate, the states through which one shared instance and its users pass.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/detail/shared_opening.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The users of one instance; the first opens it and the last closes it. O is a counted SharedOpening with a
/// function request(), which asks it to stop. W is a waiter, such as Waiter. Phases:
///   idle       there are no users and no instance
///   opening    an opening is under way, for all users that wait for it
///   abandoned  all users have left: the opening has been asked to stop
///   open       the instance is there, with its users
///   closing    the last user, or the abandoned opening, releases the instance
///   promised   the release has ended, and the first user that waited meanwhile is about to open for all
template <class W, class O>
class BasicSharedGate {
 public:
  enum class Place : unsigned char { vacant, opener, admitted, waiting };

  /// A user, at which its run parks while it waits. When the run continues, it has to call leave() first.
  class User : public W {
   public:
    /// `awaited` is null for a user that waits for a turn.
    User(BasicSharedGate& gate, Ref<O> awaited, bool isOpener) noexcept
        : W(gate.queue_), opens(isOpener), gate_(gate), opening_(std::move(awaited)) {}

    // for the user's run, when it continues

    /// The opening that has ended; null for a user that has to enter again.
    O* opening() const noexcept { return opening_.get(); }
    /// Whether this has the promise, to be kept by enter() or given away by decline().
    bool promised() const noexcept { return promised_; }

    const bool opens;  ///< whether it has started the opening

   private:
    friend BasicSharedGate;
    bool enter() noexcept final {
      return opening_ ? opening_->result() != OpeningResult::pending : !gate_.isEnding();
    }

    BasicSharedGate& gate_;
    // guarded by the gate's lock while the run waits
    Ref<O> opening_;
    bool promised_ = false;
  };

  /// Whether the gate was idle a moment ago, so that a user that enters now probably opens. Thread-safe.
  bool looksIdle() const noexcept { return phase() == Phase::idle; }

  /// For a new user, with an opening or null. Vacant: an opening is needed; the caller makes it and enters
  /// again. Opener: the caller starts it. Waiting: `opening` is the opening to wait for, or null; `within` is
  /// isWithin(*opening).
  template <class F>
  [[nodiscard]] Place enter(Ref<O>& opening, bool promised, bool& within, F isWithin) noexcept;
  /// For a user that has the promise and will not open: passes the promise to the next user.
  void decline() noexcept;

  /// For each user of an opening, its opener included, that ends its wait: returns the result. If it is
  /// pending, the user has left, and the opening is asked to stop if it has no user left. If it is opened,
  /// the user is among the users of the instance.
  OpeningResult depart(O& opening, bool within) noexcept;

  /// For the opening, when the instance is there; false if no user waits for it any more: then the opening
  /// releases the instance, and calls closed().
  [[nodiscard]] bool opened(O& opening) noexcept;
  /// For an opening without an instance; a null error means that it was cancelled.
  void failed(O& opening, std::exception_ptr error) noexcept {
    const auto result = error ? OpeningResult::failed : OpeningResult::cancelled;
    end(&opening, result, std::move(error));
  }

  /// For each user of the instance, once; true for the last, which then releases it and calls closed().
  [[nodiscard]] bool leave() noexcept {
    const Guard guard(queue_.lock);
    if (--users_ != 0) return false;
    setPhase(Phase::closing);
    return true;
  }
  /// There is no instance any more.
  void closed() noexcept { end(nullptr, OpeningResult::pending, nullptr); }

 private:
  enum class Phase : unsigned char { idle, opening, abandoned, open, closing, promised };
  using Waiters = typename W::Queue::Waiter*;
  using Guard = SpinGuard<decltype(W::Queue::lock)>;

  // relaxed: all callers but looksIdle hold the lock
  Phase phase() const noexcept { return phase_.load(std::memory_order_relaxed); }
  void setPhase(Phase phase) noexcept { phase_.store(phase, std::memory_order_relaxed); }

  // preconditions: locked
  bool isEnding() const noexcept { return phase() >= Phase::closing || phase() == Phase::abandoned; }
  Place begin(const Ref<O>& opening) noexcept;
  /// The users to wake when there is neither an opening nor an instance.
  [[nodiscard]] Waiters promise() noexcept;

  void end(O* opening, OpeningResult result, std::exception_ptr error) noexcept;

  typename W::Queue queue_;  ///< its lock also guards the following members
  std::atomic<Phase> phase_{Phase::idle};
  std::size_t users_ = 0;  ///< of the instance
  Ref<O> opening_;         ///< null unless an opening for a user is under way
};

template <class W, class O>
template <class F>
auto BasicSharedGate<W, O>::enter(Ref<O>& opening, bool promised, bool& within, F isWithin) noexcept
    -> Place {
  Ref<O> unneeded;  // is destroyed without the lock
  const Guard guard(queue_.lock);
  within = false;
  if (phase() == Phase::open) {
    ++users_;
    return Place::admitted;
  }
  if (phase() == Phase::idle || promised) return opening ? begin(opening) : Place::vacant;
  unneeded = std::exchange(opening, phase() == Phase::opening ? opening_ : nullptr);
  if (opening) {
    ++opening->users_;
    within = isWithin(*opening);
    if (within) ++opening->within_;
  }
  return Place::waiting;
}

template <class W, class O>
auto BasicSharedGate<W, O>::begin(const Ref<O>& opening) noexcept -> Place {
  setPhase(Phase::opening);
  opening_ = opening;
  ++opening->users_;
  for (Waiters waiter = queue_.first(); waiter; waiter = waiter->nextWaiter) {
    static_cast<User*>(waiter)->opening_ = opening;
    ++opening->users_;
  }
  return Place::opener;
}

template <class W, class O>
auto BasicSharedGate<W, O>::promise() noexcept -> Waiters {
  Waiters opener = nullptr;
  for (Waiters waiter = queue_.first(); waiter; waiter = waiter->nextWaiter) {
    auto& user = static_cast<User&>(*waiter);
    if (user.opening_ && user.opens)
      opener = waiter;
    else
      user.opening_ = nullptr;
  }
  if (opener) queue_.take(*opener);
  const Waiters first = queue_.pop();
  setPhase(first ? Phase::promised : Phase::idle);
  if (!first) return opener;
  static_cast<User*>(first)->promised_ = true;
  first->nextWaiter = opener;
  return first;
}

template <class W, class O>
void BasicSharedGate<W, O>::decline() noexcept {
  Waiters woken = nullptr;
  {
    const Guard guard(queue_.lock);
    woken = promise();
  }
  wakeAll(woken);
}

template <class W, class O>
OpeningResult BasicSharedGate<W, O>::depart(O& opening, bool within) noexcept {
  {
    const Guard guard(queue_.lock);
    if (opening.result() != OpeningResult::pending) return opening.result();
    --opening.users_;
    if (within) --opening.within_;
    if (phase() != Phase::opening || opening.users_ != opening.within_) return OpeningResult::pending;
    setPhase(Phase::abandoned);
  }
  opening.request();
  return OpeningResult::pending;
}

template <class W, class O>
bool BasicSharedGate<W, O>::opened(O& opening) noexcept {
  Waiters waiters = nullptr;
  Ref<O> kept;
  {
    const Guard guard(queue_.lock);
    kept = std::move(opening_);
    if (phase() == Phase::abandoned) return false;
    setPhase(Phase::open);
    users_ = opening.users_;
    opening.end(OpeningResult::opened);
    waiters = queue_.popAll();
  }
  wakeAll(waiters);
  return true;
}

template <class W, class O>
void BasicSharedGate<W, O>::end(O* opening, OpeningResult result, std::exception_ptr error) noexcept {
  Waiters woken = nullptr;
  Ref<O> kept;
  {
    const Guard guard(queue_.lock);
    kept = std::move(opening_);
    const bool fails = result == OpeningResult::failed && phase() == Phase::opening;
    if (opening) {
      opening->failure_ = std::move(error);
      opening->end(result);
    }
    if (fails) setPhase(Phase::idle);
    woken = fails ? queue_.popAll() : promise();
  }
  wakeAll(woken);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
