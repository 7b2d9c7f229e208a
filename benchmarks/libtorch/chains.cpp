#include "libtorch/sides.hpp"

#include "libtorch/tensors.hpp"

namespace tapestry::benchmarks::libtorch {

namespace {

/// Differentiates the chain that `makeLoss` makes as often as asked; what the last one came to.
template <class MakeLoss>
Side repeated(int chains, ::torch::Tensor w, ::torch::Tensor b, unsigned threads, MakeLoss makeLoss) {
  w.set_requires_grad(true);
  b.set_requires_grad(true);
  return {.reset = [] {},
          .run =
              [=] {
                const Threads scope(threads);
                double result = 0;
                for (int i = 0; i < chains; ++i) {
                  w.mutable_grad() = ::torch::Tensor();
                  b.mutable_grad() = ::torch::Tensor();
                  const auto loss = makeLoss(w, b);
                  loss.backward();
                  result = (loss.detach() + w.grad().sum() + b.grad().sum()).template item<double>();
                }
                return result;
              }};
}

}  // namespace

Side scalars(const ScalarChain& chain, unsigned threads) {
  const auto number = [](double value) { return ::torch::tensor(value, ::torch::kDouble); };
  return repeated(chain.chains, number(ScalarChain::w), number(ScalarChain::b), threads,
                  [start = number(ScalarChain::start), links = chain.links](const ::torch::Tensor& w,
                                                                            const ::torch::Tensor& b) {
                    auto x = start;
                    for (int i = 0; i < links; ++i) x = x * w + b;
                    return x;
                  });
}

Side small(const SmallChain& chain, unsigned threads) {
  return repeated(chain.chains, view(chain.w).clone(), view(chain.b).clone(), threads,
                  [start = view(chain.start).clone(), links = chain.links](const ::torch::Tensor& w,
                                                                           const ::torch::Tensor& b) {
                    auto x = start;
                    for (int i = 0; i < links; ++i) x = ::torch::tanh(x * w + b);
                    return x.sum();
                  });
}

}  // namespace tapestry::benchmarks::libtorch
