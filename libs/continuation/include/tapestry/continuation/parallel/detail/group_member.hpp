// Defines GroupMember, the membership of a run in the group for which an executor waits.
#pragma once

#include "tapestry/continuation/stop.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class RunGroup;

/// The stop state of one run of a group, requested by the run's own token and by the group.
class GroupMember final : public StopState {
 public:
  GroupMember(RunGroup& group, StopToken token) noexcept;
  /// Leaves the group if that was not done because the run could not be created.
  ~GroupMember() override;
  /// Called when the run has ended: it gets no more requests to stop.
  void unlinkAll() noexcept;
  /// Afterwards the group may be destroyed.
  void leave() noexcept;

 private:
  struct Listener final : detail::StopListener {
    explicit Listener(GroupMember& m) noexcept : member(m) {}
    void onStop() noexcept override { member.request(); }
    GroupMember& member;
  };

  const StopToken token_;
  RunGroup& group_;
  Listener listener_{*this};
  bool left_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
