// Defines Posting, a program that waits in a dispatcher for its turn, and AnsweringChild, its run with a
// callback.
#pragma once

#include <optional>
#include <string>
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

/// Its errors fail the supervisor's scope.
template <class A>
class PostedProgram final : public Posting {
 public:
  explicit PostedProgram(Do<A> program) : program_(std::move(program)) {}

  Ref<CompletionCell> start(const Ref<SupervisorState>& supervisor, const Run& starter) override {
    const auto child = makeRef<ChildOf<A>>(supervisor, starter, program_, std::string());
    if (!supervisor->add(*child)) return nullptr;
    child->start({});
    return child->ended;
  }

 private:
  Do<A> program_;
};

/// Passes its outcome to the callback after all releases. The callback must not throw.
template <class A, class F>
class AnsweringChild final : public Child {
  using Acquired = extend::Acquired<A>;

 public:
  AnsweringChild(Ref<SupervisorState> supervisor, const Run& starter, const Do<A>& program, Location location)
      : Child(std::move(supervisor), starter, {}),
        program_(program.run().acquire().node()),
        location_(location) {}

  void start(F callback) noexcept {
    callback_.emplace(std::move(callback));
    startBeside(frameOf<&AnsweringChild::hasEnded, &AnsweringChild::wasStopped>(this), *program_, location_);
  }

  static void answer(F callback, Outcome<A> outcome, const Location& location) noexcept {
    noThrow("Dispatcher::post", location, "callback", [&] { callback(std::move(outcome)); });
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
    answer(*std::move(callback_), std::move(outcome), location_);
    callback_.reset();
    end(nullptr, nullptr);
    run.put(Unit{});
  }

  Ref<const ProgramNode> program_;  ///< until it has ended
  std::optional<F> callback_;       ///< while it runs
  const Location location_;
};

/// If the posting is dropped, its callback gets the outcome cancelled.
template <class A, class F>
class PostedCall final : public Posting {
 public:
  PostedCall(Do<A> program, F callback, Location location)
      : program_(std::move(program)), callback_(std::move(callback)), location_(location) {}
  PostedCall(const PostedCall&) = delete;
  PostedCall& operator=(const PostedCall&) = delete;
  ~PostedCall() override {
    if (callback_) AnsweringChild<A, F>::answer(*std::move(callback_), Outcome<A>::cancelled(), location_);
  }

  /// Drops the callback, without calling it.
  void forget() noexcept { callback_.reset(); }

  Ref<CompletionCell> start(const Ref<SupervisorState>& supervisor, const Run& starter) override {
    const auto child = makeRef<AnsweringChild<A, F>>(supervisor, starter, program_, location_);
    if (!supervisor->add(*child)) return nullptr;
    child->start(*std::move(callback_));
    callback_.reset();
    return child->ended;
  }

 private:
  Do<A> program_;
  std::optional<F> callback_;
  const Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
