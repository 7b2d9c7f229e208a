#include "kernels/product/plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "kernels/one_dnn.hpp"
#include "kernels/product/backends.hpp"
#include "tapestry/tensor/kernels/product_cost.hpp"

namespace tapestry::kernels {

namespace {

// Chooses the loop for a product of vectors or of no elements; returns nothing for matrices. The loops do not
// scale, and add at most a row.
std::optional<Backend> loopOf(const ProductShape& shape, const ProductForm& form) {
  const auto& [transposeA, transposeB, m, n, k] = shape;
  if (m == 0 || n == 0) return Backend::none;
  if (k == 0) return Backend::noTerms;
  const bool alone = !form.isScaled && (form.addend == Addend::none || form.addend == Addend::row);
  if (!alone || (m > 1 && n > 1)) return std::nullopt;
  if (m == n) return Backend::dot;
  return m == 1 ? Backend::rowTimesMatrix : Backend::matrixTimesColumn;
}

bool canUseTiles(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine) {
  return machine.hasTiles && !form.isDouble && (!shape.transposeB || shape.k <= tileDepth);
}

// docs/decisions/matrix-products.md: tiles.
bool prefersTiles(const ProductShape& shape, const ProductMachine& machine) {
  const auto& [transposeA, transposeB, m, n, k] = shape;
  if (transposeB) return !transposeA && m <= 64 && k <= tileDepth;
  const std::size_t shallow = transposeA && machine.oneDnnHasAvx512 ? 64 : 32;
  return n >= 16 && n <= 64 && (k <= shallow || m <= (transposeA ? 128 : 64));
}

// docs/decisions/matrix-products.md: small products.
bool isSmall(const ProductShape& shape) {
  constexpr std::size_t multiplications = 128 * 1024;
  return shape.m * shape.n <= multiplications / shape.k;
}

// docs/decisions/matrix-products.md: rows that contend for the same lines of the cache.
bool prefersOneDnn(const ProductShape& shape, const ProductMachine& machine) {
  if (!machine.hasOneDnn || isSmall(shape)) return false;
  const bool contends = (!shape.transposeB && shape.n % 256 == 0) || (shape.transposeA && shape.m % 256 == 0);
  return machine.oneDnnHasAvx512 || !contends || shape.k <= 32;
}

// Chooses the backend for matrices where OpenBLAS is missing.
Backend withoutOpenBlas(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine) {
  const bool byOneDnn = machine.hasOneDnn && !form.isDouble;
  if (canUseTiles(shape, form, machine) && (!byOneDnn || isSmall(shape))) return Backend::tiles;
  return byOneDnn ? Backend::oneDnn : Backend::blocks;
}

// Chooses the backend for matrices.
Backend backendOf(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine) {
  if (canUseTiles(shape, form, machine) && prefersTiles(shape, machine)) return Backend::tiles;
  if (!machine.hasOpenBlas) return withoutOpenBlas(shape, form, machine);
  return !form.isDouble && prefersOneDnn(shape, machine) ? Backend::oneDnn : Backend::openBlas;
}

std::size_t costOf(const ProductShape& shape) {
  constexpr std::size_t unit = ProductCost::part;
  const std::size_t size = shape.m * shape.n;
  return size / unit * shape.k + size % unit * shape.k / unit;
}

// docs/decisions/shared-products.md: at least four parts of a unit of cost each, and at most eight; along the
// depth if it is the longest extent and the result is small.
ProductCut cutOf(const ProductShape& shape, std::size_t cost) {
  using Along = ProductCut::Along;
  const auto& [transposeA, transposeB, m, n, k] = shape;
  const bool byDepth = k > std::max(m, n) && m * n <= 16 * 1024;
  const std::size_t extent = byDepth ? k : std::max(m, n);
  const Along along = byDepth ? Along::depth : m >= n ? Along::rows : Along::columns;
  if (cost < ProductCost::shared / ProductCost::part) return {along, extent, extent, 1};
  const std::size_t step = (byDepth ? 64 : 16) * std::bit_floor(std::min<std::size_t>(cost, 8));
  const std::size_t length = (extent + step - 1) / step * (byDepth ? 64 : 16);
  return {along, extent, length, (extent + length - 1) / length};
}

void requireFits(const ProductShape& shape) {
  const std::size_t largest = std::max({shape.m, shape.n, shape.k});
  if (largest > std::numeric_limits<int>::max())
    throw std::length_error("tapestry::matmul: extent too large, got " + std::to_string(largest) +
                            ", expected at most " + std::to_string(std::numeric_limits<int>::max()));
}

ProductMachine findMachine() {
  if constexpr (hasOpenBlas) keepOpenBlasOnOneThread();
  ProductMachine machine{tileProduct() != nullptr, hasOneDnn, false, hasOpenBlas};
  if constexpr (hasOneDnn) machine.oneDnnHasAvx512 = oneDnnHasAvx512();
  return machine;
}

}  // namespace

const ProductMachine& thisMachine() {
  static const ProductMachine found = findMachine();
  return found;
}

Plan plan(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine) {
  const bool hasRow = form.addend == Addend::row;
  if (const auto backend = loopOf(shape, form)) return {.backend = *backend, .addsRowLast = hasRow};
  const Backend backend = backendOf(shape, form, machine);
  if (backend == Backend::oneDnn || backend == Backend::openBlas) requireFits(shape);
  const std::size_t cost = costOf(shape);
  // Deeper tiles are added up in the result in several passes, and the row would be added before the first
  // pass.
  return {backend, hasRow && (backend != Backend::tiles || shape.k > tileDepth), cost, cutOf(shape, cost)};
}

}  // namespace tapestry::kernels
