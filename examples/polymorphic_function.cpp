// One function for numbers, weights and layers, scalars and tensors: polymorphicDifferentiableFunction of the
// paper "Monadic Deep Learning" (section 4).
#include <tapestry/concurrent/barrier.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include <concepts>
#include <iostream>
#include <string>
#include <utility>

#include "support/options.hpp"
#include "support/text.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

/// Listing "hypothetical differentiable types": what a product is, by what its operands are.
template <class A, class B, class Product>
concept Multiplies = std::convertible_to<decltype(std::declval<A>() * std::declval<B>()), Product>;
static_assert(Multiplies<DoubleWeight, double, DoubleLayer> && Multiplies<DoubleLayer, double, DoubleLayer> &&
              Multiplies<DoubleWeight, DoubleLayer, DoubleLayer> &&
              Multiplies<DoubleLayer, DoubleWeight, DoubleLayer> &&
              Multiplies<DoubleWeight, Tensor<float>, TensorLayer> &&
              Multiplies<DoubleLayer, TensorWeight, TensorLayer> &&
              Multiplies<DoubleLayer, TensorLayer, TensorLayer>);

// [function]
/// The products are independent, so they are evaluated in parallel.
TensorLayer parallelByDefault(const TensorLayer& a, const TensorLayer& b, const TensorLayer& c,
                              const TensorLayer& d) {
  return a * b + c * d;
}

/// Listing "INDArrayExpression": all types whose values evaluate to a tensor.
template <class T>
concept TensorExpression = Differentiable<T> && std::same_as<DataOf<T>, Tensor<float>>;
static_assert(TensorExpression<Tensor<float>> && TensorExpression<TensorWeight> &&
              TensorExpression<TensorLayer>);

/// The operands are tensor expressions, or any other types that can be multiplied and added.
template <Differentiable A, Differentiable B, Differentiable C, Differentiable D>
auto polymorphicDifferentiableFunction(const A& a, const B& b, const C& c, const D& d) {
  return a * b + c * d;
}
// [/function]

std::string text(double value) { return shortest(value); }

std::string text(const Tensor<float>& tensor) {
  std::string list;
  for (const float value : tensor.values()) list += (list.empty() ? "[" : ", ") + shortest(double{value});
  return list + "]";
}

}  // namespace

int main(int argc, char** argv) {
  Options options("polymorphic_function", "Applies one function to numbers, weights, layers and tensors.");
  options.unused("--seed", "nothing is drawn");
  options.traced(tracePasses);
  return options.run(argc, argv, [&] {
    ThreadPool workers(static_cast<unsigned>(options.threads()));
    const DoubleWeight w(2);
    const TensorWeight v(Tensor<float>({3}, {1, 2, 3}));
    const Tensor<float> t({3}, {1, 10, 100});

    const auto show = [&](const std::string& operands, const auto& result) {
      const auto derived = gradients(result).blockingAwait(workers);
      std::cout << operands << ": " << text(derived.loss) << ", d/dw = " << text(derived.of(w))
                << ", d/dv = " << text(derived.of(v)) << '\n';
    };

    const std::same_as<double> auto number = polymorphicDifferentiableFunction(2.0, 3.0, 4.0, 5.0);
    std::cout
        << "w = 2, v = [1, 2, 3], t = [1, 10, 100]; the result, or the sum of its elements, is derived\n"
        << "f(2, 3, 4, 5), four numbers: " << text(number) << '\n';
    show("f(w, 3, 4, 5), a weight", polymorphicDifferentiableFunction(w, 3.0, 4.0, 5.0));
    show("f(w, w, w, w), a weight four times", polymorphicDifferentiableFunction(w, w, w, w));
    show("f(w + 1, exp(w - 2), w, 5), layers", polymorphicDifferentiableFunction(w + 1, exp(w - 2), w, 5.0));
    show("f(t, 2, t, w), tensors and scalars", polymorphicDifferentiableFunction(t, 2.0, t, w));
    show("f(v, v, w, t), weights of both kinds", polymorphicDifferentiableFunction(v, v, w, t));
    const auto inner = polymorphicDifferentiableFunction(v, w, 1.0, t);
    show("f(f(v, w, 1, t), v, w, 1), itself", polymorphicDifferentiableFunction(inner, v, w, 1.0));

    show("parallelByDefault(v + t, t, v * v, v + 1)", parallelByDefault(v + t, t, v * v, v + 1.0F));

    // Either of these is there only when both have begun: had one product to wait for the other, this would
    // not end.
    const Barrier both(2);
    const auto late = [&](double factor) {
      return DoubleLayer(both.arriveAndWait().flatMap([w, factor] { return forward(w * factor); }));
    };
    show("f(late 3 w, 1, late 5 w, 1), which wait for each other",
         polymorphicDifferentiableFunction(late(3), 1.0, late(5), 1.0));
  });
}
