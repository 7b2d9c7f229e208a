// Defines DoNode, the node of a layer that a program makes when it is run.
#pragma once

#include <memory>
#include <source_location>
#include <utility>

#include "tapestry/deeplearning/detail/node/typed_state.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The forward acquires a tape; the backward sends the delta to that tape and releases the tape.
template <class DataT, class Delta>
class DoNode final : public GraphNode {
  using Acquired = typename Do<Tape<DataT, Delta>>::Acquired;

  struct State final : TypedState<DataT, Delta> {
    using TypedState<DataT, Delta>::TypedState;
    void clear() noexcept override {
      TypedState<DataT, Delta>::clear();
      target = nullptr;
    }
    Ref<TapeTarget<Delta>> target;
    NodeState* chosen = nullptr;  ///< the source of the target, until the pass ends
    Release<UnitContinuationMonad> release;
  };

 public:
  using Data = DataT;

  /// The layer is not known before the program has run; it is taken to be worth a fork and to have weights.
  explicit DoNode(Do<Tape<Data, Delta>> program, std::source_location place = {})
      : GraphNode(true, 100'000), acquire_(std::move(program).acquire()), place_(place), state_(*this) {}

  std::string_view name() const noexcept override { return "program"; }
  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, knownShape());
    details.kind = extend::NodeKind::program;
    details.place = place_;
  }
  NodeState* chosenIn(const NodeState& state) const noexcept override {
    return static_cast<const State&>(state).chosen;
  }
  bool flushesInSteps() const noexcept override { return true; }

  void open(Run& run, NodeState& state) override {
    run.push<acquired, stopped>(&static_cast<State&>(state));
    if (const Watch* watch = state.pass().watch(); watch && watch->observer)
      run.next(UnitContinuation<Acquired>(tapestry::local<EnclosingSlot>(&state, acquire_)).node());
    else
      acquire_.step(run, {});
  }

  void flush(Run& run, NodeState& base, ReadyList&) override {
    auto& state = static_cast<State&>(base);
    run.push<leaveTape, leaveTapeAfterStop>(&state);
    run.put(Unit{});
    if (!state.delta || state.pass().hasFailed()) return;
    Held<Delta> delta = std::exchange(state.delta, std::nullopt);
    try {
      auto rest = state.target->send(std::move(*delta));
      if (!rest) return;
      run.take<Unit>();
      run.next(std::move(*rest).node());
    } catch (...) {
      state.pass().fail(std::current_exception());
    }
  }

 private:
  /// The slot may have been in an earlier pass, whose nodes are gone.
  bool enterPass(const Pass&, NodeState& state) noexcept override {
    static_cast<State&>(state).chosen = nullptr;
    return true;
  }

  static void acquired(State& state, Run& run) {
    auto result = run.take<Acquired>();
    if (result.value.hasValue()) {
      Tape<Data, Delta>& tape = result.value.get();
      state.target = tape.target();
      state.chosen = state.target->source();
      state.wantsDelta = state.wantsDelta && state.target->wantsDelta();
      state.data.emplace(std::move(tape.data));
      if (const Watch* watch = state.pass().watch()) tryComputed(*watch, state);
    } else {
      state.error = result.value.error();
    }
    const bool keep = state.data && state.wantsDelta && !state.error;
    if (keep) state.release = std::exchange(result.release, {});
    if (!result.release) return finish(state);
    run.push<released, stopped>(&state);
    run.next(result.release->node());
  }

  static void tryComputed(const Watch& watch, State& state) noexcept {
    try {
      watch.computed(state);
    } catch (...) {
      state.error = std::current_exception();
    }
  }

  static void released(State& state, Run& run) {
    const auto errors = run.take<Errors>();
    if (!errors.empty()) {
      auto all = state.error ? Try<void>::failure(state.error) : Try<void>::success({});
      all.absorb(errors);
      state.error = all.error();
    }
    finish(state);
  }

  static void finish(State& state) {
    if (!state.error) return state.finish(Phase::open);
    extend::notePlace(state.error, "the program of a layer", static_cast<const DoNode*>(state.node)->place_);
    state.failed(state.error);
  }

  static void stopped(State& state, Run& run) { state.failed(run.stopErrors().toException()); }

  static void leaveTape(State& state, Run& run) {
    run.take<Unit>();
    state.clear();
    auto program = std::exchange(state.release, {});
    if (!program) return;
    constexpr auto done = [](State& left, Run& r) {
      if (const auto errors = r.take<Errors>(); !errors.empty()) left.pass().fail(errors.toException());
    };
    constexpr auto stop = [](State& left, Run& r) { left.pass().fail(r.takeStop().toException()); };
    run.push<done, stop>(&state);
    run.next(program->node());
  }

  static void leaveTapeAfterStop(State& state, Run& run) {
    state.pass().fail(run.takeStop().toException());
    run.put(Unit{});
    leaveTape(state, run);
  }

  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  const UnitContinuation<Acquired> acquire_;
  const std::source_location place_;  ///< where the layer was made
  State state_;
};

// Compiled once, in the library.
extern template class DoNode<double, DeltaOf<double>>;
extern template class DoNode<float, DeltaOf<float>>;
extern template class DoNode<Tensor<float>, DeltaOf<Tensor<float>>>;
extern template class DoNode<Tensor<double>, DeltaOf<Tensor<double>>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
