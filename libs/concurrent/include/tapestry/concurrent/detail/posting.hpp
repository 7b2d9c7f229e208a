// Defines Posting, a program that waits in a dispatcher for its turn, and AnsweringChild, its run with a
// callback.
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <utility>

#include "tapestry/concurrent/detail/child_of.hpp"
#include "tapestry/continuation/outcome.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A program of any value type. Started once, or dropped.
class Posting : public Node {
 public:
  /// Starts the program as a child, and returns the cell that its end completes; null if the supervisor takes
  /// no more children. Precondition: the caller is being driven.
  virtual Ref<CompletionCell> start(const Ref<SupervisorState>& supervisor, const Run& starter) = 0;
};

/// In place of a callback: an error of the program fails the supervisor's scope.
struct FailScope {
  template <class A>
  void operator()(const Outcome<A>&) const noexcept {}
};

template <class A, class F>
class PostedCall;

/// Passes its outcome to the callback of the posting after all releases.
template <class A, class F>
class AnsweringChild final : public Child {
  using Acquired = extend::Acquired<A>;

 public:
  AnsweringChild(Ref<SupervisorState> supervisor, const Run& starter, Ref<const ProgramNode> program,
                 Ref<PostedCall<A, F>> posting)
      : Child(std::move(supervisor), starter, {}),
        program_(std::move(program)),
        posting_(std::move(posting)) {}

  void start(const Location& location) noexcept {
    startBeside(frameOf<&AnsweringChild::hasEnded, &AnsweringChild::wasStopped>(this), *program_, location);
  }

 private:
  void hasEnded(Run& run) {
    settle(run, flattened(Outcome<Try<A>>::value(std::move(run.take<Acquired>().value))));
  }
  void wasStopped(Run& run) {
    const Errors errors = run.takeStop();
    settle(run, errors.empty() ? Outcome<A>::cancelled() : Outcome<A>::error(errors.toException()));
  }
  void settle(Run& run, Outcome<A> outcome) {
    program_ = nullptr;
    std::exception_ptr error;
    if constexpr (std::same_as<F, FailScope>) error = withoutCancelled(outcome.error());
    std::exchange(posting_, nullptr)->answer(std::move(outcome));
    end(nullptr, std::move(error));
    run.put(Unit{});
  }

  Ref<const ProgramNode> program_;  ///< until it has ended
  Ref<PostedCall<A, F>> posting_;   ///< until it has ended
};

/// If the posting is dropped, its callback gets the outcome cancelled. The callback, which must not throw,
/// stays in its place, since moving it may throw.
template <class A, class F>
class PostedCall final : public Posting {
 public:
  PostedCall(const Do<A>& program, F callback, Location location)
      : program_(program.run().acquire().node()), callback_(std::move(callback)), location_(location) {}
  PostedCall(const PostedCall&) = delete;
  PostedCall& operator=(const PostedCall&) = delete;
  ~PostedCall() override {
    if (callback_) answer(Outcome<A>::cancelled());
  }

  /// Drops the callback, without calling it.
  void forget() noexcept { callback_.reset(); }

  /// Precondition: the callback has not been dropped or called.
  void answer(Outcome<A> outcome) noexcept {
    noThrow("Dispatcher::post", location_, "callback", [&] { (*callback_)(std::move(outcome)); });
    callback_.reset();
  }

  Ref<CompletionCell> start(const Ref<SupervisorState>& supervisor, const Run& starter) override {
    const auto child =
        makeRef<AnsweringChild<A, F>>(supervisor, starter, std::move(program_), Ref<PostedCall>::share(this));
    if (!supervisor->add(*child)) return nullptr;
    child->start(location_);
    return child->ended;
  }

 private:
  Ref<const ProgramNode> program_;  ///< until it starts
  std::optional<F> callback_;
  const Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
