// Defines GroupMember, by which a run belongs to the runs that an executor waits for.
#pragma once

#include "tapestry/continuation/stop.hpp"

namespace tapestry::detail {

class RunGroup;

/// The stop of one run of a group, requested by its own token and by the group.
class GroupMember final : public StopState {
 public:
  GroupMember(RunGroup& group, StopToken token) noexcept;
  /// Leaves, if that was not done: its run could not be made.
  ~GroupMember() override;
  /// The run has ended: it hears of no request any more.
  void unlinkAll() noexcept;
  /// Afterwards the group may be gone.
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
