// Defines the functions of numbers in formulas, without branches, so that compilers make vectors of them.
#pragma once

#include <limits>

#include <tapestry/tensor/formula/detail/series.hpp>

#pragma GCC visibility push(default)
namespace tapestry::formula {

// NaN gives NaN. A result that is not exact is within 4 ulp, unless said otherwise.

/// e to the power of x.
template <class T>
[[gnu::always_inline]] inline Number<T> exp(Number<T> x) noexcept {
  using F = detail::Format<T>;
  const detail::ReducedExponent<T> reduced(max(min(x, F::highestExponent), F::lowestExponent));
  // in two steps, since 2^k may be out of range where the result is not
  const Number<T> half = detail::rounded(reduced.k / 2);
  const Number<T> y = (1 + reduced.expm1) * detail::powerOfTwo(half) * detail::powerOfTwo(reduced.k - half);
  return where(x > F::highestExponent, F::infinity, y);
}

/// exp(x) - 1, within 4 ulp near 0 too.
template <class T>
[[gnu::always_inline]] inline Number<T> expm1(Number<T> x) noexcept {
  using F = detail::Format<T>;
  const detail::ReducedExponent<T> reduced(max(min(x, F::highestExponent), -50));
  const Number<T> half = detail::rounded(reduced.k / 2);
  const Number<T> near = detail::powerOfTwo(half), far = detail::powerOfTwo(reduced.k - half);
  const Number<T> y = reduced.expm1 * near * far + (near * far - 1);
  const Number<T> large = (1 + reduced.expm1) * near * far;
  return where(x > F::highestExponent, F::infinity, where(x > 60, large, where(x == 0, x, y)));
}

/// -inf at 0, NaN below.
template <class T>
[[gnu::always_inline]] inline Number<T> log(Number<T> x) noexcept {
  using F = detail::Format<T>;
  const detail::Scaled<T> scaled(x);
  const Number<T> series = detail::twiceAtanh((scaled.m - 1) / (scaled.m + 1));
  return detail::logarithm(x, scaled.e * F::ln2High + (series + scaled.e * F::ln2Low));
}

/// log(1 + x), within 4 ulp near 0 too; -inf at -1, NaN below.
template <class T>
[[gnu::always_inline]] inline Number<T> log1p(Number<T> x) noexcept {
  using F = detail::Format<T>;
  const Number<T> u = 1 + x;
  const detail::Scaled<T> scaled(u);
  const Mask<T> isNear = scaled.e == 0;
  // what the sum has lost, for the digits of u
  const Number<T> lost = where(u < F::infinity, (x - (u - 1)) / u, 0);
  const Number<T> s = where(isNear, x / (2 + x), (scaled.m - 1) / (scaled.m + 1));
  const Number<T> far = scaled.e * F::ln2High + (detail::twiceAtanh(s) + scaled.e * F::ln2Low + lost);
  return detail::logarithm(u, where(isNear, detail::twiceAtanh(s), far));
}

/// The square root.
template <class T>
[[gnu::always_inline]] inline Number<T> sqrt(Number<T> x) noexcept {
  using F = detail::Format<T>;
  using Bits = typename F::Bits;
  constexpr Bits seed = F::isFloat ? Bits{0x5f375a86} : Bits(0x5fe6eb50c7b537a9);
  // away from both ends of the range, by a power of 4
  constexpr int shift = F::mantissaBits / 2 + 2;
  const Mask<T> isSmall = x<std::numeric_limits<T>::min(), isLarge = x> std::numeric_limits<T>::max() / 16;
  const Number<T> up = detail::powerOfTwo(Number<T>(2 * shift)), down = detail::powerOfTwo(Number<T>(-shift));
  const Number<T> a = x * where(isSmall, up, where(isLarge, 0.0625, 1));
  // the inverse root by Newton's method, from a guess by halving the exponent
  const auto next = [a](Number<T> inverse) { return inverse * (1.5 - 0.5 * a * inverse * inverse); };
  const Number<T> third = next(next(next(detail::fromBits<T>(seed - (detail::bitsOf(a) >> 1)))));
  const Number<T> inverse = F::isFloat ? third : next(third);
  const Number<T> near = a * inverse;
  const Number<T> root = near + 0.5 * inverse * (a - near * near);
  const Number<T> end = where((x == 0) | (x == F::infinity), x, std::numeric_limits<T>::quiet_NaN());
  return where((x > 0) & (x < F::infinity), root * where(isSmall, down, where(isLarge, 4, 1)), end);
}

/// The sine, and the cosine, of an angle in radians, up to 10,000 for floats and 1,000,000 for doubles; NaN
/// beyond. The absolute error is less than the machine epsilon, so that a result near 0 may be off by more
/// than 4 ulp.
template <class T>
[[gnu::always_inline]] inline Number<T> sin(Number<T> x) noexcept {
  return detail::ReducedAngle<T>(x).sineAfter(0);
}
template <class T>
[[gnu::always_inline]] inline Number<T> cos(Number<T> x) noexcept {
  return detail::ReducedAngle<T>(x).sineAfter(1);
}

/// The hyperbolic tangent.
template <class T>
[[gnu::always_inline]] inline Number<T> tanh(Number<T> x) noexcept {
  const Number<T> e = expm1(2 * max(min(x, 22), -22));
  return where(x == 0, x, e / (e + 2));
}

/// 1 / (1 + exp(-x)), without overflow at either end.
template <class T>
[[gnu::always_inline]] inline Number<T> sigmoid(Number<T> x) noexcept {
  const Number<T> tail = exp(-abs(x));
  return where(x < 0, tail, 1) / (1 + tail);
}

/// -1, 0 or 1.
template <class T>
[[gnu::always_inline]] inline Number<T> sign(Number<T> x) noexcept {
  return where(x > 0, 1, where(x < 0, -1, x));
}

}  // namespace tapestry::formula
#pragma GCC visibility pop
