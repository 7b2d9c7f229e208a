// Defines SupervisorState, the children of a supervisor, and Child, a child of any value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <unordered_set>
#include <utility>

#include "tapestry/concurrent/detail/completion_cell.hpp"
#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/monad/errors.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class SupervisorState;

/// A run that a supervisor has started, and the state that its handle keeps when it has ended.
class Child : public DetachedRun {
 public:
  /// For a handle that delivers the child's error, which does not fail the supervisor then, unless each
  /// handle that has delivered it drops it again.
  void noteJoined() const noexcept;
  void noteDropped() const noexcept;

  const std::string name;
  const Ref<CompletionCell> ended = makeRef<CompletionCell>();

 protected:
  Child(Ref<SupervisorState> supervisor, const Run& starter, std::string childName);

  /// The last action of the child's run; the error is null if it has not failed.
  void end(Ref<const Node> result, std::exception_ptr error) noexcept;
  /// The error of joining a child that was cancelled.
  std::exception_ptr cancellation() const;

 private:
  friend class ChildList;
  friend SupervisorState;

  const Ref<SupervisorState> supervisor_;
  std::exception_ptr error_;
  std::uint64_t failure_ = 0;   ///< the number of the error among those of the supervisor's children
  std::size_t deliveries_ = 0;  ///< the number of handles that have the error
  Child* next_ = nullptr;
  Child* previous_ = nullptr;
  enum class In { none, running, asked, failed } in_ = In::none;
};

/// Children in order. Guarded by the lock of the supervisor.
class ChildList {
 public:
  void push(Child& child) noexcept { insertAfter(last_, child); }
  /// Inserts a child that has failed among others, which are in the order of their failures.
  void insertByFailure(Child& child) noexcept;
  void remove(Child& child) noexcept;
  Child* first() const noexcept { return first_; }

 private:
  void insertAfter(Child* previous, Child& child) noexcept;

  Child* first_ = nullptr;
  Child* last_ = nullptr;
};

/// The state that a supervisor takes over from the run that opens its scope.
struct Opener {
  Ref<StopState> stop;         ///< null if the run cannot be asked to stop
  std::uintptr_t branch;       ///< the run's branch of that state
  Ref<const DetachedRun> run;  ///< the innermost detached run that opens the scope, or null
  bool confined;               ///< within the scope of a confined slot, such as a pass
};

/// The stop state of the body of `supervised`, asked to stop with the scope, or at the first error of a
/// child. Scopes within the body listen to it, also while they end.
class BodyState final : public StopState, public Environment {
 public:
  explicit BodyState(const Run& run) : Environment(run.environment(), static_cast<StopState&>(*this)) {
    linkTo(run.environment()->stop());
  }
};

/// Listens for requests to stop the scope, which stop the children also while the scope waits for them.
class SupervisorState final : public ScopeListener {
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
  void noteJoined(Child& child) noexcept;
  void noteDropped(Child& child) noexcept;

  /// Takes no more children, and asks the present children to stop.
  void cancelAll() noexcept;
  /// Takes no more children once there are none; `allEnded` is set then.
  void closeWhenEmpty() noexcept;
  /// The errors that this supervisor itself raises: in a spawn that comes too late, and in a join of a child
  /// that was cancelled. Errors that only follow from asking all children to stop do not count as errors of
  /// children.
  std::exception_ptr refusal() const;
  std::exception_ptr cancellation() noexcept;

  /// Begins the body, whose state is asked to stop at the first error of a child if that stops the others.
  Ref<BodyState> beginBody(const Run& run);
  /// Whether the first error of a child has stopped the others.
  bool hasFailed() noexcept;
  /// The scope's error: the first error of a child if that has stopped the others, and after it the body's
  /// own, unless that follows from the first. Null if there is none.
  std::exception_ptr errorWith(const std::exception_ptr& own);
  /// Takes the errors of children that no handle has delivered, except those that the scope has already.
  Errors takeErrors();

  const Ref<CompletionCell> allEnded = makeRef<CompletionCell>();

 private:
  void onStop() noexcept override { cancelAll(); }
  /// Precondition: locked, and the child has failed.
  void keepFailed(Child& child) noexcept;
  /// The error without those that this supervisor has given because the child or the body was too late; null
  /// if nothing is left.
  std::exception_ptr withoutOwn(const std::exception_ptr& error) const;
  bool gave(const std::exception_ptr& error) const noexcept;
  /// Appends the errors that the scope does not have yet.
  void tell(const std::exception_ptr& error, Errors& to);

  static std::uint64_t nextId() noexcept;
  bool isOver() const noexcept { return closing_ && !running_.first() && !asked_.first(); }

  const std::uint64_t id_ = nextId();  ///< of no other supervisor, also after the end of this one
  SpinLock lock_;
  ChildList running_;
  ChildList asked_;   ///< asked to stop
  ChildList failed_;  ///< holds references
  std::uint64_t failures_ = 0;
  Ref<Child> firstFailed_;
  const bool failFast_;
  const Opener opener_;
  bool closing_ = false;    ///< no children may come once there are none
  bool cancelled_ = false;  ///< no children may come
  bool told_ = false;       ///< the scope has its errors
  Ref<BodyState> body_;     ///< of `supervised`
  /// The addresses of the errors that the scope has. Used by the scope's run alone.
  std::unordered_set<const void*> toldErrors_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
