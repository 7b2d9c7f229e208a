// Defines LocalCollective, one collective of ranks in one process, from its first rank's arrival to its end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collective_call.hpp"
#include "pending.hpp"
#include "tapestry/continuation/extend/timer.hpp"

namespace tapestry::detail {

class LocalCollective;
class LocalGroup;
class LocalRank;

/// What one rank brings to a collective.
struct LocalArrival {
  CollectiveCall call;
  std::shared_ptr<const void> owner;  ///< of the bytes
  std::span<const std::byte> bytes;
  std::size_t color = 0;
};

/// A timer that keeps its owner alive while it waits.
class LocalTimer final : public extend::Timer {
 public:
  using Function = void (*)(const std::shared_ptr<LocalCollective>&) noexcept;
  explicit LocalTimer(Function function) noexcept : function_(function) {}

  void start(Clock& clock, Clock::Duration duration, std::shared_ptr<LocalCollective> owner);
  /// Also allowed before the timer has been started.
  void cancel() noexcept;

 private:
  void expired() noexcept override;

  const Function function_;
  Clock* clock_ = nullptr;
  std::shared_ptr<LocalCollective> owner_;
};

class LocalCollective final : public Pending, public std::enable_shared_from_this<LocalCollective> {
 public:
  LocalCollective(std::shared_ptr<LocalGroup> group, std::uint64_t number);

  /// The ranks that have not arrived. Precondition: the group's lock.
  std::vector<std::size_t> missing() const;

  /// Called once, when the last rank has arrived, or the collective fails; without the group's lock.
  void complete(Clock& clock);
  void fail(Failure failure);

  // After the end, on any rank's thread.
  const std::vector<std::byte>& reduced() const noexcept { return reduced_; }
  /// The rank's part of a split, for the rank alone.
  std::shared_ptr<LocalRank> takePart(std::size_t rank) noexcept { return std::move(parts_[rank]); }

  const std::shared_ptr<LocalGroup> group;
  const std::uint64_t number;
  std::vector<std::optional<LocalArrival>> arrivals;  ///< guarded by the group's lock, until all have come
  std::size_t arrived = 0;                            ///< guarded by the group's lock
  LocalTimer limit{&LocalCollective::overdue};

 private:
  static void overdue(const std::shared_ptr<LocalCollective>& self) noexcept;
  static void delivered(const std::shared_ptr<LocalCollective>& self) noexcept { self->finish(); }

  std::optional<Failure> mismatch() const;
  void end(Clock& clock);
  void compute();
  void split();

  std::vector<std::byte> reduced_;  ///< constant after the end, like the next
  std::vector<std::shared_ptr<LocalRank>> parts_;
  LocalTimer delay_{&LocalCollective::delivered};
};

}  // namespace tapestry::detail
