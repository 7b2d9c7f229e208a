#include <tapestry/tensor/kernels/softmax.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/dispatch.hpp"
#include "kernels/rows/exponentials_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Short rows leave most lanes of a vector idle: as many rows as it has lanes are processed at once, one per
// lane.
template <class T>
class ShortRows {
 public:
  // fewer or longer rows are faster one by one
  static constexpr std::size_t fewest = 4, longest = 32;

  /// Returns the number of rows to process at once; 0 if the rows are faster one by one.
  static std::size_t count(std::size_t rows, std::size_t n) {
    return rows < fewest || n > longest ? 0 : std::min(rows, hn::Lanes(Tag<T>()));
  }

  /// Computes the exponentials of `rows` rows, as `exps` does for each.
  ShortRows(const T* x, std::size_t rows, std::size_t n) {
    const Tag<T> d;
    for (std::size_t j = 0; j < n; ++j) {
      hn::Store(hn::Zero(d), d, terms_[j]);
      for (std::size_t i = 0; i < rows; ++i) terms_[j][i] = x[i * n + j];
    }
    Vector<T> largest = hn::Load(d, terms_[0]);
    for (std::size_t j = 1; j < n; ++j) largest = hn::Max(largest, hn::Load(d, terms_[j]));
    const Vector<T> shift = hn::IfThenElseZero(hn::IsFinite(largest), largest);
    Vector<T> total = hn::Zero(d);
    for (std::size_t j = 0; j < n; ++j) {
      const Vector<T> term = exp(d, hn::Sub(hn::Load(d, terms_[j]), shift));
      hn::Store(term, d, terms_[j]);
      total = hn::Add(total, term);
    }
    hn::Store(shift, d, shifts);
    hn::Store(total, d, totals);
  }

  const T* term(std::size_t j) const { return terms_[j]; }

  HWY_ALIGN T shifts[hn::MaxLanes(Tag<T>())];
  HWY_ALIGN T totals[hn::MaxLanes(Tag<T>())];

 private:
  HWY_ALIGN T terms_[longest][hn::MaxLanes(Tag<T>())];
};

// out[i] = log(sum exp(row i)) - row i [label i]. Precondition: labels are less than n.
template <class T>
void crossEntropyLoop(const T* logits, std::size_t rows, std::size_t n, const std::uint32_t* labels, T* out) {
  const Tag<T> d;
  while (const std::size_t count = ShortRows<T>::count(rows, n)) {
    ShortRows<T> block(logits, count, n);
    hn::Store(log(d, hn::Load(d, block.totals)), d, block.totals);
    for (std::size_t i = 0; i < count; ++i, logits += n)
      *out++ = (block.shifts[i] - logits[*labels++]) + block.totals[i];
    rows -= count;
  }
  for (; rows > 0; --rows, logits += n) {
    const T taken = shift(logits, n);
    *out++ = (taken - logits[*labels++]) + std::log(sumExp(logits, n, taken));
  }
}

// out = (softmax(row) - oneHot(label)) * delta, for each row.
template <class T>
void crossEntropyDerivativeLoop(const T* delta, const T* logits, std::size_t rows, std::size_t n,
                                const std::uint32_t* labels, T* out) {
  while (const std::size_t count = ShortRows<T>::count(rows, n)) {
    const ShortRows<T> block(logits, count, n);
    for (std::size_t i = 0; i < count; ++i, out += n) {
      const T factor = weightOf(*delta, block.totals[i]);
      for (std::size_t j = 0; j < n; ++j) out[j] = block.term(j)[i] * factor;
      out[*labels++] -= *delta++;
    }
    logits += count * n;
    rows -= count;
  }
  for (; rows > 0; --rows, logits += n, out += n) {
    const T factor = weightOf(*delta, exps(logits, n, shift(logits, n), out));
    multiplyEach(out, factor, n, out);
    out[*labels++] -= *delta++;
  }
}

TAPESTRY_EXPORT_LOOP(crossEntropyLoop)
TAPESTRY_EXPORT_LOOP(crossEntropyDerivativeLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(crossEntropyLoop)
TAPESTRY_DISPATCH_LOOP(crossEntropyDerivativeLoop)

namespace {

struct LogitRows {
  std::size_t count;
  std::size_t length;
  Shape perRow;
};

LogitRows rowsOf(std::string_view operation, const Shape& logits) {
  if (logits.rank() == 1) return {1, logits[0], {}};
  if (logits.rank() == 2) return {logits[0], logits[1], {logits[0]}};
  throw ShapeError(operation, "logits of the wrong rank", toString(logits), "[C] or [B, C]");
}

void requireLabels(const LogitRows& rows, Labels labels) {
  if (labels.size() != rows.count)
    throw ShapeError("softmaxCrossEntropy", "the number of labels differs from the number of rows",
                     std::to_string(labels.size()), std::to_string(rows.count));
  for (std::size_t row = 0; row < labels.size(); ++row)
    if (labels[row] >= rows.length)
      throw std::out_of_range("tapestry::softmaxCrossEntropy: label out of range, got " +
                              std::to_string(labels[row]) + " in row " + std::to_string(row) +
                              ", expected a label below " + std::to_string(rows.length));
}

}  // namespace

void requireLabels(const Shape& logits, Labels labels) {
  requireLabels(rowsOf("softmaxCrossEntropy", logits), labels);
}

template <class T>
Tensor<T> crossEntropyRows(const Tensor<T>& logits, Labels labels) {
  const LogitRows rows = rowsOf("softmaxCrossEntropy", logits.shape());
  requireLabels(rows, labels);
  auto result = Tensor<T>::uninitialized(rows.perRow);
  crossEntropyLoop<T>()(logits.data(), rows.count, rows.length, labels.data(), result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> crossEntropyRowsDerivative(const Tensor<T>& delta, const Tensor<T>& logits, Labels labels) {
  const LogitRows rows = rowsOf("softmaxCrossEntropy", logits.shape());
  requireLabels(rows, labels);
  if (delta.shape() != rows.perRow)
    throw ShapeError("softmaxCrossEntropy", "a delta of the wrong shape", toString(delta.shape()),
                     toString(rows.perRow));
  auto result = Tensor<T>::uninitialized(logits.shape());
  crossEntropyDerivativeLoop<T>()(delta.data(), logits.data(), rows.count, rows.length, labels.data(),
                                  result.exclusiveData());
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                  \
  template Tensor<T> crossEntropyRows(const Tensor<T>&, Labels); \
  template Tensor<T> crossEntropyRowsDerivative(const Tensor<T>&, const Tensor<T>&, Labels);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
