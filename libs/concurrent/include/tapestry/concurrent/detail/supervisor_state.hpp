// Defines SupervisorState, the children that a supervisor has, and Child, one of them, whatever it yields.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "tapestry/concurrent/detail/completion_cell.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/program.hpp"

namespace tapestry::detail {

class SupervisorState;

/// A run that a supervisor has started, and what its handle keeps of it when it has ended.
class Child : public DetachedRun {
 public:
  /// For a handle: the error of the child is not the supervisor's to tell any more.
  void noteJoined() noexcept;

  const std::string name;
  const Ref<CompletionCell> ended = makeRef<CompletionCell>();

 protected:
  Child(Ref<SupervisorState> supervisor, const Run& starter, std::string childName);

  /// The last thing that the child's run does; null where it has not failed.
  void end(Ref<const Node> result, std::exception_ptr error) noexcept;

 private:
  friend class ChildList;
  friend SupervisorState;

  const Ref<SupervisorState> supervisor_;
  std::exception_ptr error_;
  bool joined_ = false;  ///< a handle has told the error, or will
  Child* next_ = nullptr;
  Child* previous_ = nullptr;
  enum class In { none, running, asked, failed } in_ = In::none;
};

/// Children in order. Whoever holds the lock of the supervisor may use it.
class ChildList {
 public:
  void push(Child& child) noexcept;
  void remove(Child& child) noexcept;
  Child* first() const noexcept { return first_; }

 private:
  Child* first_ = nullptr;
  Child* last_ = nullptr;
};

/// What a supervisor takes over from the run that opens its scope.
struct Opener {
  Ref<StopState> stop;  ///< null where nobody can ask the run to stop
  bool confined;        ///< within the scope of a confined slot, such as a pass
};

/// Hears of requests to stop the scope, which end the children also while the scope waits for them.
class SupervisorState final : public StopListener {
 public:
  SupervisorState(bool stopsAtFailure, Opener opener) noexcept
      : failFast_(stopsAtFailure), opener_(std::move(opener)) {}

  /// Once; until stopListening().
  void startListening() noexcept;
  void stopListening() noexcept;

  bool failsFast() const noexcept { return failFast_; }
  bool isConfined() const noexcept { return opener_.confined; }

  /// False where the supervisor takes no more children.
  bool add(Child& child) noexcept;
  void remove(Child& child, std::exception_ptr error) noexcept;
  void noteJoined(Child& child) noexcept;

  /// Takes no more children, and asks those that are there to stop.
  void cancelAll() noexcept;
  /// Takes no more children once there are none; `allEnded` is set then.
  void closeWhenEmpty() noexcept;
  /// The errors of children that no handle has told, which are forgotten.
  Errors takeErrors();

  /// The first error of a child, which is told now, and after it the body's own, unless that follows from
  /// the first. Precondition: `failed` is set.
  std::exception_ptr firstErrorBefore(const std::exception_ptr& own);

  const Event allEnded;
  const Event failed;  ///< set at the first error, where that stops the others

 private:
  void onStop() noexcept override { cancelAll(); }
  bool isOver() const noexcept { return closing_ && !running_.first() && !asked_.first(); }

  SpinLock lock_;
  ChildList running_;
  ChildList asked_;   ///< to stop
  ChildList failed_;  ///< keeps them
  Ref<Child> firstFailed_;
  const bool failFast_;
  const Opener opener_;
  bool closing_ = false;    ///< children may still come from those that are there
  bool cancelled_ = false;  ///< no child may come
};

}  // namespace tapestry::detail
