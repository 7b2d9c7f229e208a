// Defines kernelFunctions, the functions that all kernels may call, for numbers of type T.
#pragma once

#include <string_view>

namespace tapestry::detail {

inline constexpr std::string_view kernelFunctions = R"(
FUNCTION T sigmoidOf(T x) {
  const T tail = exp(-fabs(x));
  return (x < 0 ? tail : (T)1) / (1 + tail);
}
FUNCTION T clamped(T x, T most) { return x > most ? most : x < -most ? -most : x; }
FUNCTION T siluOf(T x) { return (x < -MOST ? -MOST : x) * sigmoidOf(x); }
FUNCTION T siluSlope(T x) {
  const T s = sigmoidOf(x);
  return s * (1 + clamped(x, MOST) * (1 - s));
}
FUNCTION T geluOf(T x) {
  return (x < -MOST ? -MOST : x) * sigmoidOf(x * ((T)1.5957691216057308 + (T)0.07135481627260025 * x * x));
}
FUNCTION T geluSlope(T x) {
  const T a = (T)1.5957691216057308, b = (T)0.07135481627260025, near = clamped(x, (T)100);
  const T s = sigmoidOf(near * (a + b * near * near));
  return s + near * s * (1 - s) * (a + 3 * b * near * near);
}
FUNCTION T powerOf(T a, T b) {
  return b == 1 ? a : b == 2 ? a * a : a != a ? a : b != b ? b : pow(a, b);
}
FUNCTION T powerSlope(T a, T b) {
  const T c = powerOf(a, b);
  return (c == 0 && a >= 0) || (a == 0 && b == 0) ? (T)0 : c * log(a);
}
FUNCTION ulong splitMix(ulong seed, ulong place) {
  ulong x = seed + (place + 1) * 0x9e3779b97f4a7c15UL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
  return x ^ (x >> 31);
}
FUNCTION T dropped(ulong key, ulong threshold, T kept, uint place) {
  const ulong draws = splitMix(key, place / 2);
  return (place % 2 == 0 ? draws & 0xffffffffUL : draws >> 32) < threshold ? (T)0 : kept;
}
FUNCTION float uniformFloat(ulong seed, uint place) {
  return (float)(splitMix(seed, place) >> 40) * (1.0f / 16777216);
}
)";

/// Only where the type is double, which a device may lack.
inline constexpr std::string_view doubleFunctions = R"(
FUNCTION double uniformDouble(ulong seed, uint place) {
  return (double)(splitMix(seed, place) >> 11) * (1.0 / 9007199254740992);
}
)";

}  // namespace tapestry::detail
