// Defines UnaryNode, an operation on one operand as a node.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

namespace tapestry::detail {

template <class Op, class A>
using UnaryResult = decltype(std::declval<const Op&>().forward(std::declval<const A&>()));

/// Whether the operation's forward takes the data, and gives some.
template <class Op, class A>
concept ComputesUnary = requires(const Op& operation, const A& a) {
  operation.forward(a);
  requires !std::is_void_v<decltype(operation.forward(a))>;
};
/// Whether its derivative is of the form that its Keep asks for.
template <class Op, class A>
concept DerivesUnary =
    ComputesUnary<Op, A> && requires(const Op& operation, DenseOf<UnaryResult<Op, A>> delta,
                                     const UnaryResult<Op, A>& y, const A& x, const Shape& shape) {
      requires Op::kept != Keep::output || requires {
        { operation.derivative(std::move(delta), y) } -> DerivativeOf<A>;
      };
      requires Op::kept != Keep::operands || requires {
        { operation.derivative(std::move(delta), x) } -> DerivativeOf<A>;
      };
      requires Op::kept != Keep::shapes || requires {
        { operation.derivative(std::move(delta), shape) } -> DerivativeOf<A>;
      };
      requires Op::kept != Keep::nothing || requires {
        { operation.derivative(std::move(delta)) } -> DerivativeOf<A>;
      };
    };

template <class Op, class A, class Data = UnaryResult<Op, A>>
struct UnaryState final : OperationState<Data, DeltaOf<Data>, 1> {
  using OperationState<Data, DeltaOf<Data>, 1>::OperationState;

  [[no_unique_address]] ShapeFor<A> shape;
};

template <class Op, class A>
class UnaryNode final : public OperationNode<UnaryState<Op, A>> {
  using Base = OperationNode<UnaryState<Op, A>>;
  using State = typename Base::State;
  using Operand = TypedNode<A, DeltaOf<A>>;
  using OperandState = TypedState<A, DeltaOf<A>>;

 public:
  using Data = typename Base::Data;

  UnaryNode(Op operation, Ref<Operand> operand)
      : Base({std::move(operand)}),
        operation_(std::move(operation)),
        known_(resultShape<Data>(operation_, only()), {shapeOf(only())}) {
    this->addCost(costOf(known_));
  }

  std::string_view name() const noexcept override { return Op::name; }
  Keep keep() const noexcept override { return Op::kept; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    const A& operand = *state.template as<OperandState>(0).data;
    state.shape.remember(operand, only());
    state.data.emplace(operation_.forward(operand));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    auto& operand = state.template as<OperandState>(0);
    if (!state.delta || !operand.wantsDelta) return;
    auto delta = denseOf(std::move(*state.delta));
    operand.accept(fitDelta<A>(derivative(std::move(delta), state, operand), state.shape.get()));
  }

 private:
  auto derivative(DenseOf<Data> delta, State& state, OperandState& operand) const {
    if constexpr (Op::kept == Keep::output)
      return operation_.derivative(std::move(delta), *state.data);
    else if constexpr (Op::kept == Keep::operands)
      return operation_.derivative(std::move(delta), *operand.data);
    else if constexpr (Op::kept == Keep::shapes)
      return operation_.derivative(std::move(delta), state.shape.get());
    else
      return operation_.derivative(std::move(delta));
  }

  const Operand& only() const noexcept { return static_cast<const Operand&>(*this->operands_[0]); }

  [[no_unique_address]] Op operation_;
  [[no_unique_address]] KnownShape<Data> known_;
};

}  // namespace tapestry::detail
