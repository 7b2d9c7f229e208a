// Defines SupervisorState, the children of a supervisor, and Child, a child of any value type.
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

/// A run that a supervisor has started, and the state that its handle keeps when it has ended.
class Child : public DetachedRun {
 public:
  /// For a handle that delivers the child's error, which does not fail the supervisor then; or, with false,
  /// for one that has dropped it again.
  void noteJoined(bool isJoined = true) const noexcept;

  const std::string name;
  const Ref<CompletionCell> ended = makeRef<CompletionCell>();

 protected:
  Child(Ref<SupervisorState> supervisor, const Run& starter, std::string childName);

  /// The last action of the child's run; the error is null if it has not failed.
  void end(Ref<const Node> result, std::exception_ptr error) noexcept;

 private:
  friend class ChildList;
  friend SupervisorState;

  const Ref<SupervisorState> supervisor_;
  std::exception_ptr error_;
  bool joined_ = false;  ///< a handle has the error
  Child* next_ = nullptr;
  Child* previous_ = nullptr;
  enum class In { none, running, asked, failed } in_ = In::none;
};

/// Children in order. Guarded by the lock of the supervisor.
class ChildList {
 public:
  void push(Child& child) noexcept;
  void remove(Child& child) noexcept;
  Child* first() const noexcept { return first_; }

 private:
  Child* first_ = nullptr;
  Child* last_ = nullptr;
};

/// The state that a supervisor takes over from the run that opens its scope.
struct Opener {
  Ref<StopState> stop;         ///< null if the run cannot be asked to stop
  Ref<const DetachedRun> run;  ///< the innermost detached run that opens the scope, or null
  bool confined;               ///< within the scope of a confined slot, such as a pass
};

/// Listens for requests to stop the scope, which stop the children also while the scope waits for them.
class SupervisorState final : public StopListener {
 public:
  SupervisorState(bool stopsAtFailure, Opener opener) noexcept
      : failFast_(stopsAtFailure), opener_(std::move(opener)) {}

  /// To be called once; listens until stopListening().
  void startListening() noexcept;
  void stopListening() noexcept;

  bool failsFast() const noexcept { return failFast_; }
  bool isConfined() const noexcept { return opener_.confined; }
  /// The run that waits for the children.
  const Ref<const DetachedRun>& run() const noexcept { return opener_.run; }

  /// False if the supervisor takes no more children.
  bool add(Child& child) noexcept;
  void remove(Child& child, std::exception_ptr error) noexcept;
  void noteJoined(Child& child, bool isJoined) noexcept;

  /// Takes no more children, and asks the present children to stop.
  void cancelAll() noexcept;
  /// Takes no more children once there are none; `allEnded` is set then.
  void closeWhenEmpty() noexcept;
  /// Takes the errors of children that no handle has delivered.
  Errors takeErrors();

  /// Delivers the first error of a child, and after it the body's own, unless that follows from the first.
  /// Precondition: `failed` is set.
  std::exception_ptr firstErrorBefore(const std::exception_ptr& own);

  const Event allEnded;
  const Event failed;  ///< set at the first error, if that stops the others

 private:
  void onStop() noexcept override { cancelAll(); }
  /// Precondition: locked, and the child has failed.
  void keepFailed(Child& child) noexcept;
  bool isOver() const noexcept { return closing_ && !running_.first() && !asked_.first(); }

  SpinLock lock_;
  ChildList running_;
  ChildList asked_;   ///< asked to stop
  ChildList failed_;  ///< holds references
  Ref<Child> firstFailed_;
  const bool failFast_;
  const Opener opener_;
  bool closing_ = false;    ///< no children may come once there are none
  bool cancelled_ = false;  ///< no children may come
  bool told_ = false;       ///< the scope has its errors
};

}  // namespace tapestry::detail
