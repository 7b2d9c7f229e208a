#include "kernels/product/product.hpp"

#include <algorithm>
#include <concepts>
#include <memory>
#include <new>
#include <utility>

#include "kernels/one_dnn.hpp"
#include "kernels/product/backends.hpp"
#include "tapestry/tensor/for_each_part.hpp"

namespace tapestry::kernels {

namespace {

template <class T>
void multiplyMatrices([[maybe_unused]] Backend backend, const Product<T>& x) noexcept {
  if constexpr (std::same_as<T, float>) {
    if (backend == Backend::tiles) return tileProduct()(x);
    if constexpr (hasOneDnn)
      if (backend == Backend::oneDnn && multiplyByOneDnn(x)) return;
  }
  if constexpr (hasOpenBlas)
    if (backend != Backend::blocks) return multiplyByOpenBlas(x);
  multiplyByBlocks(x);
}

// Returns part i of a product. If the product is cut along the depth, each part but the first goes to `sums`.
template <class T>
Product<T> partOf(Product<T> part, const ProductCut& cut, std::size_t i, T* sums) {
  using Along = ProductCut::Along;
  auto& [transposeA, transposeB, m, n, k] = part.shape;
  const ProductSteps& steps = part.steps;
  const std::size_t begin = i * cut.length;
  const std::size_t length = std::min(cut.length, cut.extent - begin);
  const bool byRows = cut.along == Along::rows;
  const bool byDepth = cut.along == Along::depth;
  if (cut.along != Along::columns) part.a += begin * (byRows == transposeA ? 1 : steps.a);
  if (!byRows) part.b += begin * (byDepth == transposeB ? 1 : steps.b);
  (byDepth ? k : byRows ? m : n) = length;
  if (byDepth) {
    if (i > 0) part.from = nullptr, part.to = sums + (i - 1) * m * n;
  } else {
    if (part.from) part.from += begin * (byRows ? steps.from : 1);
    part.to += begin * (byRows ? steps.c : 1);
  }
  return part;
}

// Parts along the depth are computed separately and added up in order; without memory for them, the calling
// thread computes the whole product.
template <class T>
void multiplyParts(const Plan& plan, const Product<T>& whole) {
  const ProductCut& cut = plan.cut;
  if (!hasHelpers() || cut.parts == 1) return multiplyMatrices(plan.backend, whole);
  const std::size_t size = whole.shape.m * whole.shape.n;
  std::unique_ptr<T[]> sums;
  if (cut.along == ProductCut::Along::depth) {
    sums.reset(new (std::nothrow) T[(cut.parts - 1) * size]);
    if (!sums) return multiplyMatrices(plan.backend, whole);
  }
  forEachPart(cut.parts, [&](std::size_t i) noexcept {
    multiplyMatrices(plan.backend, partOf(whole, cut, i, sums.get()));
  });
  for (std::size_t i = 0; sums && i + 1 < cut.parts; ++i) addRow(sums.get() + i * size, 1, size, whole.to);
}

template <class T>
void compute(const Plan& plan, const Product<T>& x) {
  const auto& [transposeA, transposeB, m, n, k] = x.shape;
  switch (plan.backend) {
    case Backend::none:
      return;
    case Backend::noTerms:
      if (!x.from) std::fill_n(x.to, m * n, T{0});
      return;
    case Backend::dot:
      *x.to = dot(x.a, x.b, k);
      return;
    case Backend::rowTimesMatrix:
      return timesVector(x.b, transposeB ? n : k, transposeB ? k : n, !transposeB, x.a, x.to);
    case Backend::matrixTimesColumn:
      return timesVector(x.a, transposeA ? k : m, transposeA ? m : k, transposeA, x.b, x.to);
    default:
      return multiplyParts(plan, x);
  }
}

template <class T>
ProductForm formOf(const Product<T>& product) {
  return {.isDouble = std::same_as<T, double>,
          .isScaled = product.alpha != 1,
          .addend = product.from == nullptr   ? Addend::none
                    : product.steps.from == 0 ? Addend::row
                                              : Addend::matrix};
}

}  // namespace

template <class T>
void run(const Plan& plan, Product<T> product) {
  const T* const row = plan.addsRowLast ? std::exchange(product.from, nullptr) : nullptr;
  // Only tiles can read the addend from a place other than the one they write to.
  if (plan.backend != Backend::tiles && product.from && product.from != product.to) {
    std::copy_n(product.from, product.shape.m * product.shape.n, product.to);
    product.from = product.to;
  }
  compute(plan, product);
  if (row) addRow(row, product.shape.m, product.shape.n, product.to);
}

template <class T>
void multiply(const Product<T>& product) {
  run(plan(product.shape, formOf(product), thisMachine()), product);
}

template void run(const Plan&, Product<float>);
template void run(const Plan&, Product<double>);
template void multiply(const Product<float>&);
template void multiply(const Product<double>&);

}  // namespace tapestry::kernels
