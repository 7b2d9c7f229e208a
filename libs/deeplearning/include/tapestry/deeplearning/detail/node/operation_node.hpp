// Defines OperationNode, an operation on operands of known types as a node.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "tapestry/deeplearning/detail/derivatives.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/pack.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Whether the operation's forward uses the pass, and stores data of its own for its derivative:
///   Data forward(const A&, Pass&, Memory&) and Data derivative(Data delta, const Memory&).
template <class Op>
concept Remembers = requires { typename Op::Memory; };

/// What an operation on operands of these types yields, and remembers in a pass for its derivative.
template <class Op, class... As>
struct OperationTypes {
  using Data = ForwardOf<Op, As...>;
  using Memory = NoMemory;
};
template <Remembers Op, class A>
struct OperationTypes<Op, A> {
  using Data = A;
  using Memory = std::optional<typename Op::Memory>;
};

/// The state of an operation in a pass, compiled once for all operations with these types.
template <class Data, class Memory, class... As>
struct OperationState final : TypedState<Data, DeltaOf<Data>> {
  using TypedState<Data, DeltaOf<Data>>::TypedState;

  void clear() noexcept override {
    TypedState<Data, DeltaOf<Data>>::clear();
    if constexpr (!std::same_as<Memory, NoMemory>) memory.reset();
  }

  std::array<NodeState*, sizeof...(As)> operands{};
  [[no_unique_address]] Pack<ShapeFor<As>...> shapes;  ///< of the operands
  [[no_unique_address]] Memory memory;
};

/// `Op` has a name, a Keep `kept`, `forward(x...)`, a Pack `derivatives` with a function for each operand,
/// and a rule `shapes`; or it Remembers.
template <class Op, class... As>
class OperationNode final : public GraphNode {
 public:
  using Data = typename OperationTypes<Op, As...>::Data;
  using Operands = std::array<Ref<GraphNode>, sizeof...(As)>;

  /// Precondition: the data of the operands have the types As.
  OperationNode(Op operation, Operands&& operands)
      : OperationNode(Indices(), std::move(operation), std::move(operands)) {}

  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void describe(extend::NodeDetails& details) const override {
    describeType<Data>(details, knownShape());
    describeOperation<sizeof...(As)>(details, operation_);
  }

  std::span<const Ref<GraphNode>> operands() const noexcept override { return operands_; }
  std::span<NodeState*> operandStates(NodeState& state) const noexcept override {
    return static_cast<State&>(state).operands;
  }

  void compute(NodeState& base) override { computeFrom(Indices(), static_cast<State&>(base)); }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    auto delta = denseOf(std::move(*state.delta));
    if constexpr (DerivesAll<Op>)
      sendAll(state, delta, Indices());
    else
      [&]<std::size_t... i>(std::index_sequence<i...>) { (..., sendTo<i>(state, delta)); }(Indices());
  }

 private:
  using State = OperationState<Data, typename OperationTypes<Op, As...>::Memory, As...>;
  using Indices = std::index_sequence_for<As...>;
  template <std::size_t i>
  using Operand = std::tuple_element_t<i, std::tuple<As...>>;

  template <std::size_t... i>
  OperationNode(std::index_sequence<i...>, Op&& operation, Operands&& operands)
      : GraphNode(false),
        operands_(std::move(operands)),
        state_(*this),
        operation_(std::move(operation)),
        known_(resultShape<Data, As...>(operation_, shapeOf<As>(*operands_[i])...),
               {shapeOf<As>(*operands_[i])...}) {
    dependOn(operands_, operationCost(operation_, known_, operands_[i]->knownShape()...));
  }

  template <std::size_t... i>
  void computeFrom(std::index_sequence<i...>, State& state) {
    (..., valueAt<i>(state.shapes).remember(data<i>(state), *operands_[i]));
    if constexpr (Remembers<Op>) {
      state.memory.emplace();
      state.data.emplace(operation_.forward(data<i>(state)..., state.pass(), *state.memory));
      if (!state.wantsDelta) state.memory.reset();
    } else {
      state.data.emplace(applyForward(operation_, data<i>(state)...));
    }
  }

  template <std::size_t... i>
  void sendAll(State& state, const DenseOf<Data>& delta, std::index_sequence<i...>) {
    const std::array wanted{operandOf<i>(state).wantsDelta...};
    auto deltas =
        valueAt<0>(operation_.derivatives)
            .all(delta, wanted, operandFor<typename MeetingElement<As...>::Type>(data<i>(state))...);
    (..., (wanted[i] ? operandOf<i>(state).accept(
                           fitDelta<Operand<i>>(std::move(deltas[i]), valueAt<i>(state.shapes).get()))
                     : void()));
  }

  template <std::size_t i>
  void sendTo(State& state, DenseOf<Data>& delta) {
    if constexpr (!std::same_as<decltype(derivative<i>(state, delta, Indices())), NoDelta>) {
      auto& operand = operandOf<i>(state);
      if (operand.wantsDelta)
        operand.accept(
            fitDelta<Operand<i>>(derivative<i>(state, delta, Indices()), valueAt<i>(state.shapes).get()));
    }
  }

  template <std::size_t i, std::size_t... all>
  auto derivative(State& state, DenseOf<Data>& delta, std::index_sequence<all...>) const {
    if constexpr (Remembers<Op>) {
      return operation_.derivative(std::move(delta), *state.memory);
    } else {
      const auto& function = valueAt<i>(operation_.derivatives);
      auto&& passed = static_cast<DeltaArgument<Op, As...>>(delta);
      using Passed = decltype(passed);
      if constexpr (Op::kept == Keep::output)
        return function(std::forward<Passed>(passed), *state.data);
      else if constexpr (Op::kept == Keep::operands)
        return function(std::forward<Passed>(passed),
                        operandFor<typename MeetingElement<As...>::Type>(data<all>(state))...);
      else if constexpr (Op::kept == Keep::shapes)
        return function(std::forward<Passed>(passed), valueAt<all>(state.shapes).get()...);
      else
        return function(std::forward<Passed>(passed));
    }
  }

  template <std::size_t i>
  static TypedState<Operand<i>, DeltaOf<Operand<i>>>& operandOf(State& state) noexcept {
    return static_cast<TypedState<Operand<i>, DeltaOf<Operand<i>>>&>(*state.operands[i]);
  }
  template <std::size_t i>
  static const Operand<i>& data(State& state) noexcept {
    return *operandOf<i>(state).data;
  }

  NodeState& slot() noexcept override { return state_; }
  std::unique_ptr<NodeState> makeState() override { return std::make_unique<State>(*this); }

  const Operands operands_;
  State state_;
  [[no_unique_address]] Op operation_;
  [[no_unique_address]] KnownShape<Data> known_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
