#include "ours/sides.hpp"

#include <tapestry/deeplearning.hpp>

#include <memory>
#include <optional>

#include "support/workers.hpp"
#include "work/length.hpp"

namespace tapestry::benchmarks {

namespace {

/// Evaluates and differentiates what `makeLoss` makes; the derivatives of two weights tell the result.
template <class MakeLoss>
Side differentiate(unsigned threads, const TensorWeight& first, const TensorWeight& second,
                   MakeLoss makeLoss) {
  struct Run {
    explicit Run(unsigned count) : workers(count) {}
    examples::Workers workers;
    std::optional<Gradients<double>> found;
  };
  const auto run = std::make_shared<Run>(threads);
  return {
      .reset = [run] { run->found.reset(); },
      .run = [=] { return run->found.emplace(run->workers.run(gradients(makeLoss()))).loss; },
      .result =
          [=] { return length(run->found->of(first).values()) + length(run->found->of(second).values()); }};
}

}  // namespace

Side oursOnDense(const DenseWork& work, unsigned threads) {
  const Dense<> first(work.first), second(work.second);
  return differentiate(threads, first.weight, second.weight,
                       [first, second, x = work.x] { return sum(second(first(x))); });
}

Side oursOnConvolution(const ConvolutionWork& work, unsigned threads) {
  const TensorWeight images(work.images), filters(work.filters);
  return differentiate(threads, images, filters, [images, filters] {
    return sum(conv2d(images, filters, {.padding = ConvolutionWork::padding}));
  });
}

}  // namespace tapestry::benchmarks
