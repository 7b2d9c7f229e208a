#include "kernels/rows/row_loops.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/row_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/rows/pairwise_sum_inl.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
T sum(const T* x, std::size_t n) {
  return pairwiseSum<T>(Values<T>{x}, 0, n);
}

template <class T>
void sums(const T* x, std::size_t rows, std::size_t n, T* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = sum(x + i * n, n);
}

template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  return pairwiseSum<T>(Products<T>{a, b}, 0, n);
}

template <class T>
T maximum(const T* x, std::size_t n) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector<T> lowest = hn::Neg(hn::Inf(d));
  Vector<T> largest = lowest;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) largest = hn::Max(largest, hn::LoadU(d, x + i));
  if (i < n) {
    const Vector<T> rest = loadFirst(d, x + i, n - i);
    largest = hn::Max(largest, hn::IfThenElse(hn::FirstN(d, n - i), rest, lowest));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// As integers, absolute values are ordered as the numbers are, with NaN above inf.
template <class T>
T magnitude(const T* x, std::size_t n) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> bits;
  const std::size_t lanes = hn::Lanes(d);
  const auto at = [&](std::size_t i) { return hn::BitCast(bits, hn::Abs(hn::LoadU(d, x + i))); };
  auto m0 = hn::Zero(bits);
  auto m1 = m0;
  auto m2 = m0;
  auto m3 = m0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    m0 = hn::Max(m0, at(i));
    m1 = hn::Max(m1, at(i + lanes));
    m2 = hn::Max(m2, at(i + 2 * lanes));
    m3 = hn::Max(m3, at(i + 3 * lanes));
  }
  for (; i + lanes <= n; i += lanes) m0 = hn::Max(m0, at(i));
  if (i < n) m1 = hn::Max(m1, hn::BitCast(bits, hn::Abs(loadFirst(d, x + i, n - i))));
  HWY_ALIGN T all[hn::MaxLanes(Tag<T>())];
  hn::Store(hn::BitCast(d, hn::Max(hn::Max(m0, m1), hn::Max(m2, m3))), d, all);
  T largest = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (!(all[lane] <= largest)) largest = std::isnan(largest) ? largest : all[lane];
  return largest;
}

template <class T>
T sumExp(const T* x, std::size_t n, T shift) {
  return pairwiseSum<T>(Exps<T>{x, shift}, 0, n);
}

template <class T>
T exps(const T* x, std::size_t n, T shift, T* out) {
  return pairwiseSum<T>(StoredExps<T>{{x, shift}, out}, 0, n);
}

template <class T>
T shift(const T* x, std::size_t n) {
  const T largest = maximum(x, n);
  return std::isfinite(largest) ? largest : T{0};
}

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

template <class T>
void crossEntropy(const T* logits, std::size_t rows, std::size_t n, const std::uint32_t* labels, T* out) {
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

template <class T>
void crossEntropyDerivative(const T* delta, const T* logits, std::size_t rows, std::size_t n,
                            const std::uint32_t* labels, T* out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
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
    const auto factor = hn::Set(d, weightOf(*delta, exps(logits, n, shift(logits, n), out)));
    std::size_t j = 0;
    for (; j + lanes <= n; j += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, out + j), factor), d, out + j);
    if (j < n) storeFirst(d, hn::Mul(loadFirst(d, out + j, n - j), factor), out + j, n - j);
    out[*labels++] -= *delta++;
  }
}

template <class T>
constexpr RowLoops<T> loops{sum<T>,   sums<T>, dot<T>,          magnitude<T>,
                            shift<T>, exps<T>, crossEntropy<T>, crossEntropyDerivative<T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(RowLoops, rowLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(RowLoops, rowLoops)

}  // namespace tapestry::kernels
#endif
