#include "ours/sides.hpp"

#include <tapestry/deeplearning.hpp>

namespace tapestry::benchmarks {

namespace {

/// Differentiates the chain that `makeLoss` makes as often as asked; what the last one came to.
template <class W, class MakeLoss, class TotalOf>
Side repeated(int chains, const W& w, const W& b, MakeLoss makeLoss, TotalOf totalOf) {
  return {.reset = [] {},
          .run =
              [=] {
                double result = 0;
                for (int i = 0; i < chains; ++i) {
                  const auto found = gradients(makeLoss()).blockingAwait();
                  result = found.loss + totalOf(found.of(w)) + totalOf(found.of(b));
                }
                return result;
              }};
}

}  // namespace

Side oursOnScalars(const ScalarChain& chain) {
  const DoubleWeight w(ScalarChain::w), b(ScalarChain::b);
  const auto loss = [w, b, links = chain.links] {
    DoubleLayer x(ScalarChain::start);
    for (int i = 0; i < links; ++i) x = x * w + b;
    return x;
  };
  return repeated(chain.chains, w, b, loss, [](double gradient) { return gradient; });
}

Side oursOnSmall(const SmallChain& chain) {
  const TensorWeight w(chain.w), b(chain.b);
  const auto loss = [w, b, start = chain.start, links = chain.links] {
    TensorLayer x(start);
    for (int i = 0; i < links; ++i) x = tanh(x * w + b);
    return sum(x);
  };
  return repeated(chain.chains, w, b, loss,
                  [](const Tensor<float>& gradient) { return static_cast<double>(sum(gradient)); });
}

}  // namespace tapestry::benchmarks
