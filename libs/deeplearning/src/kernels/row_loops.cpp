#include "row_loops.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

// What a sum adds up: whole(i) is the vector of terms from i on, first(i, n) its first n lanes, the others 0.
template <class T>
struct Values {
  const T* x;
  HWY_INLINE Vector<T> whole(std::size_t i) const { return hn::LoadU(Tag<T>(), x + i); }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const { return loadFirst(Tag<T>(), x + i, n); }
};

template <class T>
struct Products {
  const T* a;
  const T* b;
  HWY_INLINE Vector<T> whole(std::size_t i) const {
    return hn::Mul(hn::LoadU(Tag<T>(), a + i), hn::LoadU(Tag<T>(), b + i));
  }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    return hn::Mul(loadFirst(Tag<T>(), a + i, n), loadFirst(Tag<T>(), b + i, n));
  }
};

template <class T>
struct Exps {
  const T* x;
  T shift;
  HWY_INLINE Vector<T> whole(std::size_t i) const { return term(hn::LoadU(Tag<T>(), x + i)); }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    const Tag<T> d;
    return hn::IfThenElseZero(hn::FirstN(d, n), term(loadFirst(d, x + i, n)));
  }
  HWY_INLINE Vector<T> term(Vector<T> value) const {
    const Tag<T> d;
    return exp(d, hn::Sub(value, hn::Set(d, shift)));
  }
};

template <class T>
struct StoredExps {
  Exps<T> exps;
  T* out;
  HWY_INLINE Vector<T> whole(std::size_t i) const {
    const Vector<T> terms = exps.whole(i);
    hn::StoreU(terms, Tag<T>(), out + i);
    return terms;
  }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    const Vector<T> terms = exps.first(i, n);
    storeFirst(Tag<T>(), terms, out + i, n);
    return terms;
  }
};

// The terms begin .. end - 1, in four accumulators, of which pairwiseSum gives each at most 32 vectors.
template <class T, class Terms>
T linearSum(const Terms& terms, std::size_t begin, std::size_t end) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  Vector<T> s0 = hn::Zero(d);
  Vector<T> s1 = s0;
  Vector<T> s2 = s0;
  Vector<T> s3 = s0;
  std::size_t i = begin;
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    s0 = hn::Add(s0, terms.whole(i));
    s1 = hn::Add(s1, terms.whole(i + lanes));
    s2 = hn::Add(s2, terms.whole(i + 2 * lanes));
    s3 = hn::Add(s3, terms.whole(i + 3 * lanes));
  }
  for (; i + lanes <= end; i += lanes) s0 = hn::Add(s0, terms.whole(i));
  if (i < end) s1 = hn::Add(s1, terms.first(i, end - i));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

// Halves are split where a vector of any instruction set begins.
template <class T, class Terms>
T pairwiseSum(const Terms& terms, std::size_t begin, std::size_t end) {
  if (end - begin <= 4 * 32 * hn::Lanes(Tag<T>())) return linearSum<T>(terms, begin, end);
  const std::size_t middle = begin + (end - begin) / 2 / 64 * 64;
  return pairwiseSum<T>(terms, begin, middle) + pairwiseSum<T>(terms, middle, end);
}

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

template <class T>
void crossEntropy(const T* logits, std::size_t rows, std::size_t n, const std::uint32_t* labels, T* out) {
  for (std::size_t i = 0; i < rows; ++i, logits += n) {
    const T taken = shift(logits, n);
    out[i] = (taken - logits[labels[i]]) + std::log(sumExp(logits, n, taken));
  }
}

template <class T>
void crossEntropyDerivative(const T* delta, const T* logits, std::size_t rows, std::size_t n,
                            const std::uint32_t* labels, T* out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < rows; ++i, logits += n, out += n) {
    const auto factor = hn::Set(d, delta[i] / exps(logits, n, shift(logits, n), out));
    std::size_t j = 0;
    for (; j + lanes <= n; j += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, out + j), factor), d, out + j);
    if (j < n) storeFirst(d, hn::Mul(loadFirst(d, out + j, n - j), factor), out + j, n - j);
    out[labels[i]] -= delta[i];
  }
}

template <class T>
constexpr RowLoops<T> loops{sum<T>,    sums<T>, dot<T>,          shift<T>,
                            sumExp<T>, exps<T>, crossEntropy<T>, crossEntropyDerivative<T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(RowLoops, rowLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(RowLoops, rowLoops)

}  // namespace tapestry::kernels
#endif
