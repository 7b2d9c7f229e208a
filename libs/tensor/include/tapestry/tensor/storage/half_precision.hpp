// Defines fromHalf and fromBfloat16, which widen numbers of 16 bits to float without loss.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#pragma GCC visibility push(default)
namespace tapestry {

/// IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction. A NaN keeps its payload.
inline float fromHalf(std::uint16_t bits) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = std::ldexp(static_cast<float>(fraction), -24);  // 0 or subnormal
  return sign ? -magnitude : magnitude;
}

/// The upper half of a float.
inline float fromBfloat16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace tapestry
#pragma GCC visibility pop
