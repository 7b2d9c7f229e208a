// Defines BatchState, the state that the copies of a batched function share, and BatchRun, one call of it.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/batch_gate.hpp"
#include "tapestry/concurrent/detail/shared_cell.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/extend/function.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of a request if the call of its batch was cancelled, as by the end of a pool that it ran on.
struct BatchStopped final : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

std::exception_ptr wrongBatchResults(std::size_t got, std::size_t expected);

template <class X, class Y>
class BatchRun;

template <class X, class Y>
struct BatchState final : Node {
  using Function = std::function<Do<std::vector<Y>>(std::vector<X>)>;

  BatchState(Function f, std::size_t most, Clock::Duration time)
      : function(std::move(f)), size(most), window(time) {}

  const Function function;
  const std::size_t size;
  const Clock::Duration window;
  SharedCell<BatchRun<X, Y>> current;
};

/// The argument and the result of one run's request.
template <class X, class Y>
struct BatchRequest final : BatchEntry {
  BatchRequest(Ref<BatchRun<X, Y>> run, const X& x, const Location& where)
      : BatchEntry(std::move(run)), argument(x), location(where) {}

  void succeed(Y&& y) {
    result.emplace(Try<Y>::of([&]() -> Y { return std::move(y); }));
  }
  void fail(const std::exception_ptr& error) { result.emplace(Try<Y>::failure(error)); }

  std::optional<X> argument;
  const Location location;       ///< of the request in the user's source
  std::optional<Try<Y>> result;  ///< for its run, when the batch has ended
};

template <class X, class Y>
class BatchRun final : public BatchGate {
  using Results = std::vector<Y>;
  using Called = typename Do<Results>::Acquired;
  using Request = BatchRequest<X, Y>;

 public:
  BatchRun(Ref<BatchState<X, Y>> state, const Run& starter)
      : BatchGate(starter, state->size), state_(std::move(state)), program_(program()) {}

  /// Returns true if the starter has left.
  bool start(Run& starter, BatchEntry& entry) {
    return startAndLeave(starter, frameOf<&BatchRun::called, &BatchRun::stopped>(this), *program_.node(),
                         [&entry] { return entry.depart(); });
  }

 private:
  /// Waits until the batch is full or its time is over, then calls the function, as a separate scope.
  UnitContinuation<Called> program() {
    const auto gathered = timeout(full.wait().acquire(), state_->window).map([](const auto&) {});
    return Do<void>::lift(gathered).flatMap([this] { return call(); }).run().acquire();
  }

  Do<Results> call() {
    std::vector<X> arguments;
    each([&](Request& request) {
      arguments.push_back(*std::move(request.argument));
      request.argument.reset();
    });
    if (arguments.empty()) return Do<Results>::delay([] { return Results(); });
    return state_->function(std::move(arguments));
  }

  template <class F>
  void each(const F& function) {
    if (!isTaken_) {
      first_ = take();
      state_->current.replace(this, nullptr);
      isTaken_ = true;
    }
    for (BatchEntry* entry = first_; entry; entry = next(*entry)) function(static_cast<Request&>(*entry));
  }

  void called(Run& run) {
    auto ended = run.take<Called>();
    // the program is a scope, so its result holds no resources
    if (ended.value.hasValue())
      give(ended.value.get());
    else
      fail(ended.value.error());
    run.put(Unit{});
  }
  void stopped(Run& run) {
    fail(run.takeStop().toException());
    run.put(Unit{});
  }

  void give(Results& results) {
    std::size_t count = 0;
    each([&](const Request&) { ++count; });
    if (results.size() != count) return fail(wrongBatchResults(results.size(), count));
    auto result = results.begin();
    each([&](Request& request) {
      if constexpr (std::same_as<Y, bool>)
        request.succeed(bool(*result++));
      else
        request.succeed(std::move(*result++));
    });
    end();
  }
  /// No error, and Cancelled alone, are those of a call that was cancelled, which does not cancel the
  /// requests.
  void fail(std::exception_ptr error) {
    error = withoutCancelled(error);
    if (!error) error = std::make_exception_ptr(BatchStopped());
    each([&](Request& request) { request.fail(error); });
    end();
  }

  const Ref<BatchState<X, Y>> state_;
  const UnitContinuation<Called> program_;
  // used only by the run
  BatchEntry* first_ = nullptr;
  bool isTaken_ = false;
};

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
