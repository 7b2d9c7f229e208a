#include "tapestry/deeplearning/detail/pass/run_reduced.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "tapestry/deeplearning/no_pass.hpp"
#include "tapestry/deeplearning/seed.hpp"
#include "tapestry/tensor/split_mix.hpp"

namespace tapestry::detail {

namespace {

std::uint64_t nextSeed() noexcept {
  static std::atomic<std::uint64_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

/// Makes a pass as the run's environment requires.
class NewPass : public ProgramOperations<NewPass> {
 public:
  using ValueType = Ref<Pass>;
  explicit NewPass(PassOptions options) noexcept : options_(std::move(options)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (run.stopIfRequested()) return;
    const Environment& environment = *run.environment();
    const auto* mode = environment.find<ModeSlot>();
    const auto* seed = environment.find<SeedSlot>();
    const auto& [kind, whole, part, exchange] = options_;
    const Mode usual = kind == PassKind::accumulating ? Mode::train : Mode::predict;
    const std::uint64_t drawn = whole ? splitMix(whole->seed(), part) : seed ? *seed : nextSeed();
    auto pass = makeRef<Pass>(kind, mode ? *mode : usual, drawn, Watch::of(environment), whole,
                              environment.workers(), exchange.get());
    if (const Watch* watch = pass->watch()) watch->opened(*pass);
    run.put(std::move(pass));
  }

 private:
  PassOptions options_;
};

/// Closes the pass; then fails if the pass has failed, and is cancelled if the pass was cancelled.
class Close : public ProgramOperations<Close> {
 public:
  using ValueType = Do<void>::Acquired;
  explicit Close(Pass& pass) noexcept : pass_(pass) {}

  void step(Run& run, Keeper keeper) const {
    run.push<&Close::closed>(this, std::move(keeper));
    enterMask(run);
    flushAll(run, pass_.close());
  }

 private:
  void closed(Run& run) const {
    if (!pass_.hasFailed())
      run.put(ValueType{Try<void>::success({}), {}});
    else if (auto error = pass_.error())
      run.put(ValueType{Try<void>::failure(std::move(error)), {}});
    else
      run.stop(Errors());
  }

  Pass& pass_;
};

/// Closes the pass, if it is still open, and ends it.
class End : public ProgramOperations<End> {
 public:
  using ValueType = Errors;
  explicit End(Ref<Pass> pass) noexcept : pass_(std::move(pass)) {}

  void step(Run& run, Keeper keeper) const {
    run.push<&End::closed, &End::refused>(this, std::move(keeper));
    if (pass_->closing()) return;
    // the program has failed or was cancelled: its remaining nodes are released, and no deltas flow
    pass_->fail(nullptr);
    enterMask(run);
    flushAll(run, pass_->close());
  }

 private:
  void closed(Run& run) const {
    pass_->end();
    run.put(Errors());
  }
  /// Called if the executor takes no more work while deltas flow.
  void refused(Run&) const { pass_->end(); }

  Ref<Pass> pass_;
};

}  // namespace

Do<Ref<Pass>> openPass(PassOptions options) {
  using Acquired = Do<Ref<Pass>>::Acquired;
  return Do<Ref<Pass>>(UnitContinuation<Acquired>(NewPass(std::move(options)).map([](Ref<Pass> pass) {
    UnitContinuation<Errors> end = End(pass);
    return Acquired{Try<Ref<Pass>>::success(std::move(pass)), std::move(end)};
  })));
}

Do<Ref<Pass>> currentPass() {
  using Acquired = Do<Ref<Pass>>::Acquired;
  return Do<Ref<Pass>>(UnitContinuation<Acquired>(ask<PassSlot>().map([](const Ref<Pass>& pass) {
    return Acquired{
        pass ? Try<Ref<Pass>>::success(pass) : Try<Ref<Pass>>::failure(std::make_exception_ptr(NoPass())),
        {}};
  })));
}

Do<void> closePass(Pass& pass) { return Do<void>(UnitContinuation<Do<void>::Acquired>(Close(pass))); }

}  // namespace tapestry::detail

namespace tapestry {

Do<Mode> currentMode() {
  return detail::currentPass().map([](const detail::Ref<detail::Pass>& pass) { return pass->mode(); });
}

}  // namespace tapestry
