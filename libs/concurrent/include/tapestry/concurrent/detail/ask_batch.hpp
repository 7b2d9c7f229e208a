// Defines AskBatch, the program with which a run requests one result of a batch.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/concurrent/detail/batch_run.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/trace.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Yields the result for the argument. Begins a batch if none is open.
template <class X, class Y>
class [[nodiscard("a program does nothing until it is run")]] AskBatch
    : public ProgramOperations<AskBatch<X, Y>> {
  using State = BatchState<X, Y>;
  using Batch = BatchRun<X, Y>;
  using Request = BatchRequest<X, Y>;

 public:
  using ValueType = extend::Acquired<Y>;

  AskBatch(Ref<State> state, X argument, Location location)
      : state_(std::move(state)), argument_(std::move(argument)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (run.stopIfRequested()) return;
    Ref<Batch> fresh;
    Ref<Request> request;
    try {
      request = join(run, fresh);
    } catch (...) {
      return run.put(ValueType{Try<Y>::failure(std::current_exception()), {}});
    }
    if (fresh && fresh->start(run, *request)) return run.stop(Errors());
    run.park(run.push<&goOn, &refused>(std::move(request)), {"batched", location_});
  }

 private:
  /// Sets `fresh` to the batch if it has to be started. Throws the exceptions of copying the argument.
  Ref<Request> join(Run& run, Ref<Batch>& fresh) const {
    for (;;) {
      const auto current = state_->current.get();
      if (current) {
        auto request = makeRef<Request>(current, argument_, location_);
        if (current->join(*request)) return request;
      }
      fresh = makeRef<Batch>(state_, run);
      auto request = makeRef<Request>(fresh, argument_, location_);
      static_cast<void>(fresh->join(*request));
      if (state_->current.replace(current.get(), fresh)) return request;
      request->depart();
      fresh = nullptr;
    }
  }

  static void goOn(Request& request, Run& run) {
    if (request.leave()) {
      request.depart();
      return run.stop(Errors());
    }
    extend::notePlace(request.result->error(), "batched", request.location);
    run.put(ValueType{*std::move(request.result), {}});
  }
  /// The run's executor refused to continue the run, which is an error.
  static void refused(Request& request, Run& run) {
    if (request.leave()) {
      request.depart();
      return run.stop(Errors());
    }
    if (run.stopRequested()) return;
    run.put(ValueType{Try<Y>::failure(run.takeStop().toException()), {}});
  }

  Ref<State> state_;
  X argument_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
