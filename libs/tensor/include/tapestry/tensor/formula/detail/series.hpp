// Defines the parts of functions of numbers: the bits of a number, series, and the reductions of their
// arguments.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <numbers>

#include <tapestry/tensor/formula/number.hpp>

#pragma GCC visibility push(default)
namespace tapestry::formula::detail {

/// How a T lies in its bits, and constants that depend on its precision.
template <class T>
struct Format {
  using Bits = typename Mask<T>::Bits;
  static constexpr bool isFloat = sizeof(T) == 4;
  static constexpr int mantissaBits = std::numeric_limits<T>::digits - 1;
  static constexpr Bits bias = std::numeric_limits<T>::max_exponent - 1;
  static constexpr Bits mantissa = (Bits{1} << mantissaBits) - 1;
  /// Adding this to a number rounds the number to a whole number, whose bits are then the lowest bits of the
  /// sum.
  static constexpr T rounder = static_cast<T>(Bits{3} << (mantissaBits - 1));
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  // ln 2 in two parts, of which the first times a whole number below 2048 is exact
  static constexpr T ln2High = isFloat ? T(0x1.63p-1) : T(0x1.62e42feep-1);
  static constexpr T ln2Low = isFloat ? T(-0x1.bd0105c610ca8p-13) : T(0x1.a39ef35793c76p-33);
  /// Above it, exp overflows; below lowestExponent, it is 0.
  static constexpr T highestExponent = isFloat ? T(88.72283172607422) : T(709.782712893384);
  static constexpr T lowestExponent = isFloat ? T(-104) : T(-746);
};

template <class T>
[[gnu::always_inline]] inline Number<T> fromBits(typename Mask<T>::Bits bits) noexcept {
  return std::bit_cast<T>(bits);
}
template <class T>
[[gnu::always_inline]] inline typename Mask<T>::Bits bitsOf(Number<T> x) noexcept {
  return std::bit_cast<typename Mask<T>::Bits>(x.value());
}

/// The nearest whole number; of magnitudes below 2^22.
template <class T>
[[gnu::always_inline]] inline Number<T> rounded(Number<T> x) noexcept {
  return (x + Format<T>::rounder) - Format<T>::rounder;
}

/// 2^k of a whole number k between the smallest and the largest exponent of normal numbers.
template <class T>
[[gnu::always_inline]] inline Number<T> powerOfTwo(Number<T> k) noexcept {
  using F = Format<T>;
  return fromBits<T>((bitsOf(k + F::rounder) + F::bias) << F::mantissaBits);
}

/// The sum of c[i] x^i, written out: a loop within the loop over elements would not become vectors.
template <std::size_t i = 0, std::size_t n, class T>
[[gnu::always_inline]] inline Number<T> polynomial(const std::array<double, n>& c, Number<T> x) noexcept {
  if constexpr (i + 1 == n)
    return c[i];
  else
    return polynomial<i + 1>(c, x) * x + c[i];
}

/// 1 / (first + i)!, by which e^r - 1 or a part of sin and cos is a polynomial of r.
template <std::size_t n>
constexpr std::array<double, n> inverseFactorials(int first, int step, bool alternating = false) {
  std::array<double, n> c{};
  double factorial = 1;
  int next = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const int of = first + step * static_cast<int>(i);
    for (; next <= of; ++next) factorial *= next;
    c[i] = (alternating && i % 2 == 1 ? -1 : 1) / factorial;
  }
  return c;
}

/// x = k ln 2 + r, where |r| <= ln 2 / 2; and expm1(r), by the series.
template <class T>
struct ReducedExponent {
  using F = Format<T>;
  [[gnu::always_inline]] explicit ReducedExponent(Number<T> x) noexcept
      : k(rounded(x * std::numbers::log2e)) {
    const Number<T> r = (x - k * F::ln2High) - k * F::ln2Low;
    constexpr auto c = inverseFactorials < F::isFloat ? 6 : 12 > (2, 1);
    expm1 = r + r * r * polynomial(c, r);
  }
  Number<T> k;
  Number<T> expm1;
};

/// log of m, as 2 atanh of s = (m - 1) / (m + 1), by the series; of |s| <= 0.1716.
template <class T>
[[gnu::always_inline]] inline Number<T> twiceAtanh(Number<T> s) noexcept {
  constexpr auto c = [] {
    std::array<double, Format<T>::isFloat ? 4 : 10> odd{};
    for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = 2.0 / (2.0 * static_cast<double>(i) + 3);
    return odd;
  }();
  const Number<T> square = s * s;
  return 2 * s + s * square * polynomial(c, square);
}

/// x = 2^e m, where sqrt(1/2) <= m < sqrt(2); of positive finite x.
template <class T>
struct Scaled {
  using F = Format<T>;
  [[gnu::always_inline]] explicit Scaled(Number<T> x) noexcept {
    const Mask<T> isSmall = x < std::numeric_limits<T>::min();
    const auto bits = bitsOf(where(isSmall, x * powerOfTwo(Number<T>(F::mantissaBits + 2)), x));
    // a whole number in the lowest bits of 2^mantissaBits
    const T base = std::bit_cast<T>((F::bias + F::mantissaBits) << F::mantissaBits);
    const Number<T> exponent =
        fromBits<T>((bits >> F::mantissaBits) | ((F::bias + F::mantissaBits) << F::mantissaBits)) - base;
    const Number<T> half = fromBits<T>((bits & F::mantissa) | ((F::bias - 1) << F::mantissaBits));
    const Mask<T> isLow = half < std::numbers::sqrt2 / 2;
    m = where(isLow, half + half, half);
    e = exponent - where(isLow, F::bias, F::bias - 1) - where(isSmall, F::mantissaBits + 2, 0);
  }
  Number<T> m;
  Number<T> e;
};

/// A logarithm y of x, of which the values at the ends are: -inf at 0, NaN below, inf at inf, NaN of NaN.
template <class T>
[[gnu::always_inline]] inline Number<T> logarithm(Number<T> x, Number<T> y) noexcept {
  constexpr T infinity = Format<T>::infinity;
  const Number<T> end =
      where(x == 0, -infinity, where(x == infinity, infinity, std::numeric_limits<T>::quiet_NaN()));
  return where((x > 0) & (x < infinity), y, end);
}

/// x - k pi/2 of the nearest k, by three parts of pi/2, and k in the lowest bits.
template <class T>
struct ReducedAngle {
  using F = Format<T>;
  [[gnu::always_inline]] explicit ReducedAngle(Number<T> angle) noexcept {
    const Number<T> x =
        where(abs(angle) <= (F::isFloat ? 1e4 : 1e6), angle, std::numeric_limits<T>::quiet_NaN());
    const Number<T> shifted = x * (2 / std::numbers::pi) + F::rounder;
    const Number<T> k = shifted - F::rounder;
    quadrant = bitsOf(shifted);
    if constexpr (F::isFloat)
      r = ((x - k * 0x1.92p0) - k * 0x1.fb4p-12) - k * 0x1.4442d18469899p-24;
    else
      r = ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    const Number<T> square = r * r;
    constexpr auto s = inverseFactorials < F::isFloat ? 4 : 8 > (3, 2, true);
    constexpr auto c = inverseFactorials < F::isFloat ? 5 : 9 > (2, 2, true);
    sin = r - r * square * polynomial(s, square);
    cos = 1 - square * polynomial(c, square);
  }
  /// The sine of the angle plus `quarters` quarter turns.
  [[gnu::always_inline]] Number<T> sineAfter(typename Mask<T>::Bits quarters) const noexcept {
    using Bits = typename Mask<T>::Bits;
    const Bits q = quadrant + quarters;
    const Number<T> y = where(Mask<T>((q & 1) != 0), cos, sin);
    return fromBits<T>(bitsOf(y) ^ ((q & 2) << (sizeof(T) * 8 - 2)));
  }
  Number<T> r, sin, cos;
  typename Mask<T>::Bits quadrant;
};

}  // namespace tapestry::formula::detail
#pragma GCC visibility pop
