// Defines OperationNode, an operation on operands of known types as a node.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/derivatives.hpp"
#include "tapestry/deeplearning/detail/node/operands_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/pack.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Whether the operation's forward uses the pass, and stores data of its own for its derivative:
///   Data forward(const A&, Pass&, Memory&) and Data derivative(Data delta, const Memory&).
template <class Op>
concept Remembers = requires { typename Op::Memory; };

/// What an operation on operands of these types keeps in a pass for its derivative.
template <class... As>
struct KeptShapes {
  [[no_unique_address]] Pack<ShapeFor<As>...> shapes;
};
/// The same for an operation that Remembers.
template <class Memory, class A>
struct KeptMemory {
  void clear() noexcept { memory.reset(); }

  [[no_unique_address]] Pack<ShapeFor<A>> shapes;
  std::optional<Memory> memory;
};

template <class Op, class... As>
struct StateOfOperation {
  using Data = ForwardOf<Op, As...>;
  using Type = OperandsState<Data, DeltaOf<Data>, sizeof...(As), KeptShapes<As...>>;
};
template <Remembers Op, class A>
struct StateOfOperation<Op, A> {
  using Type = OperandsState<A, DeltaOf<A>, 1, KeptMemory<typename Op::Memory, A>>;
};

/// `Op` has a name, a Keep `kept`, `forward(x...)`, a Pack `derivatives` with a function for each operand,
/// and a rule `shapes`; or it Remembers.
template <class Op, class... As>
class OperationNode final : public OperandsNode<typename StateOfOperation<Op, As...>::Type> {
  using Base = OperandsNode<typename StateOfOperation<Op, As...>::Type>;
  using State = typename Base::State;
  using Indices = std::index_sequence_for<As...>;
  template <std::size_t i>
  using Operand = std::tuple_element_t<i, std::tuple<As...>>;

 public:
  using Data = typename Base::Data;

  explicit OperationNode(Op operation, Ref<TypedNode<As, DeltaOf<As>>>... operands)
      : OperationNode(Indices(), std::move(operation), std::move(operands)...) {}

  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void describe(extend::NodeDetails& details) const override {
    Base::describe(details);
    describeOperation<sizeof...(As)>(details, operation_);
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
  template <std::size_t... i>
  OperationNode(std::index_sequence<i...>, Op operation, Ref<TypedNode<As, DeltaOf<As>>>... operands)
      : Base({std::move(operands)...}),
        operation_(std::move(operation)),
        known_(resultShape<Data>(operation_, this->template operand<As>(i)...),
               {shapeOf(this->template operand<As>(i))...}) {
    this->addCost(operationCost(operation_, known_, this->template operand<As>(i).knownShape()...));
  }

  template <std::size_t... i>
  void computeFrom(std::index_sequence<i...>, State& state) {
    (..., valueAt<i>(state.kept.shapes).remember(data<i>(state), this->template operand<As>(i)));
    if constexpr (Remembers<Op>) {
      state.kept.memory.emplace();
      state.data.emplace(operation_.forward(data<i>(state)..., state.pass(), *state.kept.memory));
      if (!state.wantsDelta) state.kept.memory.reset();
    } else {
      state.data.emplace(applyForward(operation_, data<i>(state)...));
    }
  }

  template <std::size_t... i>
  void sendAll(State& state, const DenseOf<Data>& delta, std::index_sequence<i...>) {
    const std::array wanted{state.template operand<Operand<i>>(i).wantsDelta...};
    auto deltas =
        valueAt<0>(operation_.derivatives)
            .all(delta, wanted, operandFor<typename MeetingElement<As...>::Type>(data<i>(state))...);
    (..., (wanted[i] ? state.template operand<Operand<i>>(i).accept(
                           fitDelta<Operand<i>>(std::move(deltas[i]), valueAt<i>(state.kept.shapes).get()))
                     : void()));
  }

  template <std::size_t i>
  void sendTo(State& state, DenseOf<Data>& delta) {
    if constexpr (!std::same_as<decltype(derivative<i>(state, delta, Indices())), NoDelta>) {
      auto& operand = state.template operand<Operand<i>>(i);
      if (operand.wantsDelta)
        operand.accept(fitDelta<Operand<i>>(derivative<i>(state, delta, Indices()),
                                            valueAt<i>(state.kept.shapes).get()));
    }
  }

  template <std::size_t i, std::size_t... all>
  auto derivative(State& state, DenseOf<Data>& delta, std::index_sequence<all...>) const {
    if constexpr (Remembers<Op>) {
      return operation_.derivative(std::move(delta), *state.kept.memory);
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
        return function(std::forward<Passed>(passed), valueAt<all>(state.kept.shapes).get()...);
      else
        return function(std::forward<Passed>(passed));
    }
  }

  template <std::size_t i>
  static const Operand<i>& data(State& state) noexcept {
    return *state.template operand<Operand<i>>(i).data;
  }

  [[no_unique_address]] Op operation_;
  [[no_unique_address]] KnownShape<Data> known_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
