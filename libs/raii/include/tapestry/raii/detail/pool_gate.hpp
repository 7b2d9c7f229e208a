// Defines PoolGate, the places of a pool, its idle instances of any type, and its shutdown; PoolOpening, the
// run in which a pool makes an instance; and PoolPlace, the place of the instance.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class PoolGate;

/// A place of a pool, for one instance. A user holds it until the end of its scope, unless the opening of its
/// instance has taken it over.
struct PoolPlace final : Node {
  explicit PoolPlace(UnitContinuation<Errors> release) noexcept : giving(std::move(release)) {}
  const UnitContinuation<Errors> giving;  ///< releases it
  bool takenOver = false;                 ///< set when the user leaves, before its run continues
};

/// A separate run that makes an instance on behalf of one user. If the user leaves before its end, the run
/// takes over the user's place, and the instance belongs to the pool; the run is asked to stop as soon as no
/// run waits for a place of the pool. The user's run parks at an
/// OpenWaiter of this opening, whose phase is open when the run has ended, in whatever way.
class PoolOpening : public DetachedRun, public OpenOnce {
 public:
  PoolOpening(Ref<PoolGate> gate, Ref<PoolPlace> place, const Run& user) noexcept;
  ~PoolOpening() override;

  /// To be called by a user that ends its wait; false if the opening has ended for it.
  [[nodiscard]] bool leave() noexcept;
  /// Whether the user need not wait, as the opening has ended.
  bool hasEnded() noexcept;

 protected:
  /// To be called by the run with an instance, an error or neither as its result, for the user; false if the
  /// user has left.
  [[nodiscard]] bool endForUser() noexcept;
  /// For a run whose user has left, as its last step: frees the place.
  void givePlace(Run& run) noexcept;

 private:
  const Ref<PoolGate> gate_;
  const Ref<PoolPlace> place_;
  bool userLeft_ = false;  ///< guarded by the queue's lock
};

/// An instance of a pool; it is in the queue of idle instances while no run uses it.
class PooledInstance : public Node {
  friend class PoolGate;
  Ref<PooledInstance> next_;
};

/// open     a new user waits for a place
/// closing  waiting users are served; new users are refused
/// closed   all users are gone, and so are the instances
class PoolGate : public Node {
 public:
  /// Throws std::invalid_argument for a size of 0.
  static void checkSize(std::size_t size);

  explicit PoolGate(std::size_t size) : places_(size) {}

  std::size_t size() const noexcept { return places_.permits(); }

  /// Holds a place until the end of the scope. Fails with PoolClosed.
  Do<Ref<PoolPlace>> place(Location location);
  /// Refuses new users, and holds all places as soon as no other user holds a place or waits for one.
  Do<void> allPlaces(Location location);
  /// To be called by the holder of all places, after it has taken the idle instances.
  void closed() noexcept;

  /// For the holder of a place: the instance that has been idle for longest, or null.
  Ref<PooledInstance> takeIdle() noexcept;
  void putIdle(Ref<PooledInstance> instance) noexcept;

 private:
  friend PoolOpening;
  enum class Phase { open, closing, closed };
  Phase phase() noexcept;

  /// Adds an opening without a user, which is asked to stop as soon as no run waits for a place.
  void add(PoolOpening& opening);
  void remove(PoolOpening& opening) noexcept;
  void stopUnawaited() noexcept;

  const Semaphore places_;
  SpinLock lock_;
  Phase phase_ = Phase::open;
  Ref<PooledInstance> oldest_;
  PooledInstance* newest_ = nullptr;
  std::vector<Ref<PoolOpening>> unused_;  ///< openings without users that have not been asked to stop
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
