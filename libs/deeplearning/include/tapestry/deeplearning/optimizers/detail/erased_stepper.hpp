// Defines ErasedTensor, a tensor of another library whose type is hidden, for the rules of optimizers, with
// ErasedOptimizers, optimizers of one rule for such tensors, and steppedBy, which takes such an optimizer for
// a known type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

// The elementwise kernels that rules of optimizers may call.
#define TAPESTRY_UNARY(F) F(negate) F(abs) F(sign) F(sqrt)
#define TAPESTRY_BINARY(F) F(add) F(subtract) F(multiply) F(divide) F(maximum) F(minimum)

/// Whether X has all kernels of an ErasedTensor.
#define TAPESTRY_REQUIRE_UNARY(name) X(kernels::name(x));
#define TAPESTRY_REQUIRE_BINARY(name) X(kernels::name(x, x));
template <class X>
concept Erasable = OwnKernels<X> && requires(X x, typename X::Value number) {
  { x.shape() } -> std::convertible_to<const Shape&>;
  X::full(x.shape(), number);
  TAPESTRY_UNARY(TAPESTRY_REQUIRE_UNARY)
  TAPESTRY_BINARY(TAPESTRY_REQUIRE_BINARY)
};
#undef TAPESTRY_REQUIRE_UNARY
#undef TAPESTRY_REQUIRE_BINARY

/// An immutable handle on a tensor of any Erasable type with elements T. Its kernels are those of that type;
/// their operands must have one type. So a rule, which is a template, reaches weights whose type is not known
/// where the rule is.
template <class T>
class ErasedTensor {
 public:
  using Value = T;
  struct Kernels;

  template <Erasable X>
    requires std::same_as<typename X::Value, T>
  explicit ErasedTensor(X tensor) : any_(std::make_shared<const Of<X>>(std::move(tensor))) {}

  const Shape& shape() const { return any_->shape(); }

  /// Precondition: X is the type of the tensor.
  template <class X>
  const X& as() const {
    return static_cast<const Of<X>&>(*any_).tensor;
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual const Shape& shape() const = 0;
    virtual ErasedTensor filled(const Shape& shape, T number) const = 0;
#define TAPESTRY_DECLARE(name) virtual ErasedTensor name() const = 0;
    TAPESTRY_UNARY(TAPESTRY_DECLARE)
#undef TAPESTRY_DECLARE
#define TAPESTRY_DECLARE(name) virtual ErasedTensor name(const ErasedTensor& other) const = 0;
    TAPESTRY_BINARY(TAPESTRY_DECLARE)
#undef TAPESTRY_DECLARE
  };

  template <class X>
  struct Of;

  std::shared_ptr<const Any> any_;
};

template <class T>
template <class X>
struct ErasedTensor<T>::Of final : Any {
  using E = ErasedTensor;

  explicit Of(X whole) : tensor(std::move(whole)) {}

  const Shape& shape() const override { return tensor.shape(); }
  E filled(const Shape& shape, T number) const override { return E(X::full(shape, number)); }
#define TAPESTRY_DEFINE(name) \
  E name() const override { return E(X(kernels::name(tensor))); }
  TAPESTRY_UNARY(TAPESTRY_DEFINE)
#undef TAPESTRY_DEFINE
#define TAPESTRY_DEFINE(name) \
  E name(const E& other) const override { return E(X(kernels::name(tensor, other.template as<X>()))); }
  TAPESTRY_BINARY(TAPESTRY_DEFINE)
#undef TAPESTRY_DEFINE

  const X tensor;
};

/// The functions of tapestry/tensor/kernels that rules of optimizers call.
template <class T>
struct ErasedTensor<T>::Kernels {
  using E = ErasedTensor;

  static E filledLike(const E& x, T number) { return x.any_->filled(x.shape(), number); }
#define TAPESTRY_DEFINE(name) \
  static E name(const E& x) { return x.any_->name(); }
  TAPESTRY_UNARY(TAPESTRY_DEFINE)
#undef TAPESTRY_DEFINE
#define TAPESTRY_DEFINE(name)                                                    \
  static E name(const E& a, const E& b) { return a.any_->name(b); }              \
  static E name(const E& a, T b) { return a.any_->name(a.any_->filled({}, b)); } \
  static E name(T a, const E& b) { return b.any_->filled({}, a).any_->name(b); }
  TAPESTRY_BINARY(TAPESTRY_DEFINE)
#undef TAPESTRY_DEFINE
};
#undef TAPESTRY_UNARY
#undef TAPESTRY_BINARY

struct ErasedOptimizers {
  Optimizer<ErasedTensor<float>> ofFloats;
  Optimizer<ErasedTensor<double>> ofDoubles;
};

/// Whether the rule makes an optimizer for data of all these types.
template <class Rule, class... V>
concept RuleOf = (... && std::constructible_from<Optimizer<V>, const Rule&>);
/// Whether it makes one for tensors of other libraries.
template <class Rule>
concept RuleOfErased = RuleOf<Rule, ErasedTensor<float>, ErasedTensor<double>>;

/// A rule for ErasedTensors, with its state, as the stepper of a weight of type V.
template <Erasable V>
class ErasedStepper final : public Stepper<V> {
  using Erased = ErasedTensor<ElementOf<V>>;

 public:
  explicit ErasedStepper(Ref<const Stepper<Erased>> inner) : inner_(std::move(inner)) {}

  Stepped<V> step(const V& weight, V gradient) const override {
    auto [stepped, next] = inner_->step(Erased(weight), Erased(std::move(gradient)));
    return {stepped.template as<V>(), makeRef<const ErasedStepper>(std::move(next))};
  }
  std::optional<StateParts<V>> parts() const override {
    const auto parts = inner_->parts();
    if (!parts) return std::nullopt;
    return convertParts<V, Erased>(*parts, [](const Erased& part) { return part.template as<V>(); });
  }
  Ref<const Stepper<V>> with(const StateParts<V>& parts) const override {
    auto next = inner_->with(convertParts<Erased, V>(parts, [](const V& part) { return Erased(part); }));
    if (!next) return nullptr;
    return makeRef<const ErasedStepper>(std::move(next));
  }
  std::string kind() const override { return inner_->kind(); }
  void settle() const noexcept override { inner_->settle(); }

 private:
  Ref<const Stepper<Erased>> inner_;
};

/// The optimizer for a weight of type V, in its initial state.
template <Erasable V>
Ref<const Stepper<V>> steppedBy(const ErasedOptimizers& optimizers) {
  if constexpr (std::same_as<ElementOf<V>, float>)
    return makeRef<const ErasedStepper<V>>(optimizers.ofFloats.initial());
  else
    return makeRef<const ErasedStepper<V>>(optimizers.ofDoubles.initial());
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
