// Defines Number, a value of an elementwise formula, and Mask, the truth of a comparison of two.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Before a statement: its calls are inlined, so that a loop over elements becomes vectors. By g++ it is
/// enough that the function of the loop is `flatten`.
#if defined(__clang__)
#define TAPESTRY_INLINE_CALLS [[clang::always_inline]]
#else
#define TAPESTRY_INLINE_CALLS
#endif

#pragma GCC visibility push(default)
namespace tapestry::formula {

template <class C>
concept Constant = std::is_arithmetic_v<C>;

template <std::floating_point T>
class Number;

/// All bits set, or none: compilers make vector instructions of a choice by bits, and a branch of a choice by
/// a bool. Masks combine by &, | and !.
template <std::floating_point T>
class Mask {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

  constexpr Mask(bool condition) noexcept : bits_(Bits{0} - Bits{condition}) {}
  explicit operator bool() const = delete;  // expected where(condition, a, b): a formula cannot branch

  /// a where the condition holds, else b. The operand that is not chosen has no effect, even if it is NaN.
  friend constexpr Number<T> where(Mask condition, Number<T> a, Number<T> b) noexcept {
    return std::bit_cast<T>((std::bit_cast<Bits>(a.value()) & condition.bits_) |
                            (std::bit_cast<Bits>(b.value()) & ~condition.bits_));
  }
  friend constexpr Mask operator&(Mask a, Mask b) noexcept { return Mask(a.bits_ & b.bits_, {}); }
  friend constexpr Mask operator|(Mask a, Mask b) noexcept { return Mask(a.bits_ | b.bits_, {}); }
  friend constexpr Mask operator!(Mask a) noexcept { return Mask(~a.bits_, {}); }

 private:
  struct OfBits {};
  constexpr Mask(Bits bits, OfBits) noexcept : bits_(bits) {}

  Bits bits_;
};

/// A value of one element. Arithmetic with constants of any type is arithmetic of T.
template <std::floating_point T>
class Number {
 public:
  using Value = T;

  constexpr Number() noexcept = default;
  template <Constant C>
  constexpr Number(C value) noexcept : value_(static_cast<T>(value)) {}

  constexpr T value() const noexcept { return value_; }

  friend constexpr Number operator+(Number a) noexcept { return a; }
  friend constexpr Number operator-(Number a) noexcept { return -a.value_; }
  friend constexpr Number operator+(Number a, Number b) noexcept { return a.value_ + b.value_; }
  friend constexpr Number operator-(Number a, Number b) noexcept { return a.value_ - b.value_; }
  friend constexpr Number operator*(Number a, Number b) noexcept { return a.value_ * b.value_; }
  friend constexpr Number operator/(Number a, Number b) noexcept { return a.value_ / b.value_; }

  friend constexpr Mask<T> operator<(Number a, Number b) noexcept { return a.value_ < b.value_; }
  friend constexpr Mask<T> operator>(Number a, Number b) noexcept { return a.value_ > b.value_; }
  friend constexpr Mask<T> operator<=(Number a, Number b) noexcept { return a.value_ <= b.value_; }
  friend constexpr Mask<T> operator>=(Number a, Number b) noexcept { return a.value_ >= b.value_; }
  friend constexpr Mask<T> operator==(Number a, Number b) noexcept { return a.value_ == b.value_; }
  friend constexpr Mask<T> operator!=(Number a, Number b) noexcept { return a.value_ != b.value_; }

  friend constexpr Mask<T> isZero(Number a) noexcept { return a == 0; }
  /// The larger of a and b; NaN if either is NaN.
  friend constexpr Number max(Number a, Number b) noexcept { return where((a > b) | (a != a), a, b); }
  /// The smaller of a and b; NaN if either is NaN.
  friend constexpr Number min(Number a, Number b) noexcept { return where((a < b) | (a != a), a, b); }
  friend constexpr Number abs(Number a) noexcept {
    using Bits = typename Mask<T>::Bits;
    return std::bit_cast<T>(std::bit_cast<Bits>(a.value_) & (std::numeric_limits<Bits>::max() >> 1));
  }

 private:
  T value_{};
};

}  // namespace tapestry::formula
#pragma GCC visibility pop
