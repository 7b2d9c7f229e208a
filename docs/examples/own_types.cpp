// What the guides define: operations, a differentiable type, and a rule of optimization.
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

using namespace tapestry;

// [operation]
inline constexpr auto cube = unaryOperation<"cube", Keep::operands>(
    [](double x) { return x * x * x; }, [](double delta, double x) { return delta * 3 * x * x; });
// [/operation]

// [elementwise]
inline constexpr auto swish = elementwise<"swish">([](auto x) { return x * sigmoid(x); });
// [/elementwise]

// [composed]
template <Differentiable X, Differentiable Y>
auto squaredDistance(const X& x, const Y& y) {
  const auto difference = x - y;
  return sum(difference * difference);
}
// [/composed]

// [type]
/// A direction of the plane; 2 pi is the same as 0.
struct Angle {
  double radians = 0;
};

/// What flows back to an angle: the derivative of the loss with respect to the radians.
struct AngleDelta {
  double radians = 0;
  AngleDelta& operator+=(const AngleDelta& other) {
    radians += other.radians;
    return *this;
  }
};
// [/type]

// [instance]
template <>
struct tapestry::DeltaTraits<Angle> {
  using Type = AngleDelta;
};

template <>
struct tapestry::DeepLearning<Angle> {
  using Data = Angle;
  using Delta = AngleDelta;
  static Do<Tape<Data, Delta>> forward(const Angle& angle) { return tapestry::forward(Layer<Angle>(angle)); }
};
// [/instance]

// [form]
template <>
struct tapestry::TensorForm<Angle> {
  static Tensor<double> toTensor(const Angle& angle) { return Tensor<double>::scalar(angle.radians); }
  static Angle fromTensor(const Tensor<double>& saved) { return {saved.item()}; }
};
// [/form]

// [cosine]
inline constexpr auto cosine = unaryOperation<"cosine", Keep::operands>(
    [](const Angle& x) { return std::cos(x.radians); },
    [](double delta, const Angle& x) { return AngleDelta{-delta * std::sin(x.radians)}; });
// [/cosine]

// [turn]
/// Turns an angle by a share of its gradient, and keeps it in one round.
struct Turning {
  double rate;

  template <class V>
  struct State {};

  Angle step(const Angle& angle, const AngleDelta& gradient, State<Angle>&) const {
    return {std::remainder(angle.radians - rate * gradient.radians, 2 * 3.141592653589793)};
  }
};
// [/turn]

// [rule]
/// Steps by the sign of an average of the gradients: of numbers and tensors, as adam is.
struct SignDescent {
  double rate = 0.01, decay = 0.9;

  template <class V>
  struct State {
    std::optional<V> average;  // none before the first step
    static void parts(auto& state, const auto& f) { f("average", state.average); }
  };

  template <class V>
  V step(const V& weight, V gradient, State<V>& state) const {
    V average = kernels::scale(std::move(gradient), 1 - decay);
    if (state.average) average = kernels::add(std::move(average), kernels::scale(*state.average, decay));
    state.average = average;
    return kernels::subtract(weight, kernels::scale(kernels::sign(std::move(average)), rate));
  }
};
// [/rule]

int main() {
  // [operations]
  const DoubleWeight w(2);
  const auto result = gradients(cube(w) + 5 * w).blockingAwait();
  std::printf("%g %g\n", result.loss, result.of(w));
  std::printf("%.4f\n", gradients(swish(w)).blockingAwait().of(w));
  const TensorWeight v(Tensor<float>({2}, {1, 2}));
  std::printf("%g\n", predict(squaredDistance(v, Tensor<float>({2}, {4, 6}))).blockingAwait());
  // [/operations]

  // [train]
  const Weight<Angle> heading(Angle{2}, Turning{0.5});
  const auto miss = 1 - cosine(heading);  // 0 if it points to 0
  for (int i = 0; i < 50; ++i) train(miss).blockingAwait();
  std::printf("%.3f\n", heading.data().radians);
  const Weights weights{{"heading", heading}};
  std::printf("%zu number\n", weights.elements());
  // [/train]

  // [descent]
  const DoubleWeight x(0, SignDescent{.rate = 0.1});
  const TensorWeight y(Tensor<float>::zeros({2}), chain(clipByValue(1), SignDescent{.rate = 0.1}));
  const auto loss = (x - 3) * (x - 3) + sum((y + 1) * (y + 1));
  for (int i = 0; i < 200; ++i) train(loss).blockingAwait();
  std::printf("%d\n", std::abs(x.data() - 3) < 0.5 && std::abs(y.data()(0) + 1) < 0.5);
  // [/descent]
}
