// Defines TypedState, the state of a node whose data and delta have known types, with TapeLink, its tapes,
// and the functions that fill in the details of a node.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tapestry/deeplearning/delta.hpp"
#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/node/held.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/tape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The shape, null if it is not known, and the size of the elements of the data of a node.
template <class Data>
void describeType(extend::NodeDetails& details, const Shape* known) {
  if (known) details.shape = *known;
  if constexpr (std::floating_point<Data>) {
    details.shape = Shape();
    details.elementBytes = sizeof(Data);
  } else if constexpr (requires { sizeof(typename Data::Value); }) {
    details.elementBytes = sizeof(typename Data::Value);
  }
}

/// The shape and the value of data.
template <class Data>
void describeData(extend::NodeDetails& details, const Data& data) {
  if constexpr (std::floating_point<Data> || isHostTensor<Data>) details.value = data;
  if constexpr (HasShape<Data>) details.shape = data.shape();
}

/// The attributes and the number of multiplications, which the operation or its rule for shapes states, of an
/// operation on `operands` operands, whose shapes are in the details or left out.
template <std::size_t operands, class Op>
void describeOperation(extend::NodeDetails& details, const Op& operation) {
  if constexpr (requires { operation.attributes(); })
    details.attributes = operation.attributes();
  else if constexpr (requires { operation.shapes.attributes(); })
    details.attributes = operation.shapes.attributes();
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    if constexpr (requires { operation.shapes.multiplications(*details.operands[i]...); })
      if (details.operands.size() == operands && (... && details.operands[i]))
        details.multiplications = operation.shapes.multiplications(*details.operands[i]...);
  }(std::make_index_sequence<operands>());
}

/// For a node whose derivative needs no memory of its own.
struct NoMemory {};

template <class Data, class Delta>
struct TypedState : NodeState {
  using NodeState::NodeState;

  /// Adds a delta from an operation that uses the node. If deltas are checked, throws DeltaNotFinite for an
  /// incoming delta, and std::range_error for a sum, that is not finite.
  void accept(Delta&& incoming) {
    if (isNothing(incoming)) return;
    // in this order: data that the last user reads were written before it became the last
    if (!pass().closing() || !hasOneUser() || delta) return acceptShared(std::move(incoming));
    if (isChecked()) requireFinite(incoming);
    delta.emplace(std::move(incoming));
  }

  /// The same, from any thread. The additions run outside the lock: take, add, put back.
  void acceptShared(Delta&& incoming) {
    if (isNothing(incoming)) return;
    if (isChecked()) requireFinite(incoming);
    Held<Delta> sum(std::move(incoming));
    for (;;) {
      Held<Delta> other;
      {
        const SpinGuard guard(queue.lock);
        std::swap(delta, delta ? other : sum);
      }
      if (!other) return;
      addDelta(*sum, std::move(*other));
      if (isChecked()) requireFiniteSum(*sum);
    }
  }

  void putTape(Run& run, const Ref<Pass>& owner, std::exception_ptr reason) override;

  void clear() noexcept override {
    data.reset();
    delta.reset();
  }

  void dropData() noexcept override { data.reset(); }

  bool hasDelta() const noexcept override { return delta.has_value(); }
  void describe(extend::NodeDetails& details) const override {
    if (data) describeData(details, *data);
  }
  std::string nonFiniteData() const override { return data ? nonFinite(*data) : std::string(); }

  Held<Data> data;
  Held<Delta> delta;

 private:
  /// Whether the delta is TensorDelta(), which has no shape. Rows of a table touch it even if there are none.
  static bool isNothing([[maybe_unused]] const Delta& delta) noexcept {
    if constexpr (isHostTensor<Data> && std::same_as<Delta, DeltaOf<Data>>)
      return delta.empty();
    else
      return false;
  }
  bool isChecked() const noexcept {
    const Watch* watch = pass().watch();
    return watch && watch->checksFinite;
  }
  // out of line, so that accept, which seldom calls them, is inlined
  [[gnu::noinline]] static void requireFinite(const Delta& incoming) {
    if (std::string got = nonFinite(incoming); !got.empty()) throw DeltaNotFinite(std::move(got));
  }
  [[gnu::noinline]] void requireFiniteSum(const Delta& sum) const {
    if (const std::string got = nonFinite(sum); !got.empty())
      throw notFinite(node->name(), "the sum of its deltas", got);
  }
};

/// A user of a node through a tape: the tape's target, and the program that leaves the node.
template <class Data, class Delta>
class TapeLink final : public TapeTarget<Delta> {
  using State = TypedState<Data, Delta>;

 public:
  TapeLink(Ref<GraphNode> node, State& state, Ref<Pass> pass) noexcept
      : node_(std::move(node)), state_(state), pass_(std::move(pass)) {}

  /// After its release the tape takes every delta, to report the error; the state may be gone, as it is after
  /// the pass.
  bool wantsDelta() const noexcept override { return left_ || stateWantsDelta(); }

  std::optional<UnitContinuation<void>> send(Delta&& delta) override {
    try {
      if (left_)
        throw std::logic_error(
            "tapestry::Tape::backward: the tape was released, expected use within its scope");
      if (stateWantsDelta()) state_.acceptShared(std::move(delta));
    } catch (...) {
      pass_->fail(std::current_exception());
    }
    return std::nullopt;
  }
  UnitContinuation<void> backward(const Do<Delta>& delta) override {
    return delta.attempt().run().acquire().map([self = Ref<TapeLink>::share(this)](auto acquired) {
      Try<Try<Delta>>& outer = acquired.value;
      if (!outer.hasValue()) return self->pass_->fail(outer.error());
      if (!outer.get().hasValue()) return self->pass_->fail(outer.get().error());
      self->send(std::move(outer.get().get()));
    });
  }
  NodeState* source() const noexcept override { return &state_; }

  /// The release of the tape.
  void step(Run& run, Keeper::Raw keeper) const override {
    constexpr auto done = [](Run& r) { r.put(Errors()); };
    run.push<done>(Keeper(keeper));
    left_ = true;
    // a shared tape may outlive its pass, and then has no state any more
    if (pass_->hasEnded()) return;
    // the node lives until the pass ends; a reference from here would look like a user that can ask for its
    // data
    if (!state_.uncounted) node_ = nullptr;
    ReadyList ready;
    leaveNode(state_, ready);
    flushAll(run, ready);
  }

 private:
  bool stateWantsDelta() const noexcept { return !pass_->hasEnded() && state_.wantsDelta; }

  mutable Ref<GraphNode> node_;
  State& state_;
  const Ref<Pass> pass_;
  mutable std::atomic<bool> left_{false};
};

template <class Data, class Delta>
void TypedState<Data, Delta>::putTape(Run& run, const Ref<Pass>& owner, std::exception_ptr reason) {
  using Acquired = typename Do<Tape<Data, Delta>>::Acquired;
  using Result = Try<Tape<Data, Delta>>;
  if (reason) return run.put(Acquired{Result::failure(std::move(reason)), {}});
  auto link = makeRef<TapeLink<Data, Delta>>(Ref<GraphNode>::share(node), *this, owner);
  UnitContinuation<Errors> release{Ref<const ProgramNode>(link)};
  run.put(Acquired{Result::success(Tape<Data, Delta>(*data, std::move(link))), std::move(release)});
}

// Compiled once, in the library.
extern template struct TypedState<double, DeltaOf<double>>;
extern template struct TypedState<float, DeltaOf<float>>;
extern template struct TypedState<Tensor<float>, DeltaOf<Tensor<float>>>;
extern template struct TypedState<Tensor<double>, DeltaOf<Tensor<double>>>;
extern template class TapeLink<double, DeltaOf<double>>;
extern template class TapeLink<float, DeltaOf<float>>;
extern template class TapeLink<Tensor<float>, DeltaOf<Tensor<float>>>;
extern template class TapeLink<Tensor<double>, DeltaOf<Tensor<double>>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
