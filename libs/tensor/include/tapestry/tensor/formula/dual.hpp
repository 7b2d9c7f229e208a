// Defines Dual, a value of a formula together with its derivatives with respect to the operands.
#pragma once

#include <cstddef>
#include <utility>

#include <tapestry/tensor/formula/functions.hpp>

#pragma GCC visibility push(default)
namespace tapestry::formula {

/// A dual number: x + sum of d[i] e[i], where the product of two e is 0 (Clifford, 1873). A formula that is
/// called with duals yields its value and, by the rules below, its derivatives, which the compiler keeps in
/// registers. X is a Number, a Term, or a Dual, for derivatives of derivatives. Where a formula has a kink,
/// the derivative is the mean of both sides for max, min and abs, and that of the chosen side for `where`.
template <class X, std::size_t n>
class Dual {
  using Truth = decltype(std::declval<X>() < std::declval<X>());

 public:
  constexpr Dual() = default;
  /// A constant.
  constexpr Dual(X value) : value_(value) {}
  template <Constant C>
  constexpr Dual(C value) : value_(value) {}
  // not the compiler's own, which may copy two floats as one word, and then keeps no vectors
  [[gnu::always_inline]] constexpr Dual(const Dual& other) : Dual(other.value_) { take(other); }
  [[gnu::always_inline]] constexpr Dual& operator=(const Dual& other) {
    value_ = other.value_;
    take(other);
    return *this;
  }
  /// The operand of that index.
  template <std::size_t index>
  [[gnu::always_inline]] static constexpr Dual operand(X value) {
    Dual result(value);
    result.partials_[index] = X(1);
    return result;
  }

  constexpr const X& value() const noexcept { return value_; }
  /// The derivative with respect to the operand of that index.
  template <std::size_t index>
  constexpr const X& partial() const noexcept {
    return partials_[index];
  }

  /// The dual of a function of this, from its value and its derivative there.
  [[gnu::always_inline]] constexpr Dual chain(X value, X slope) const {
    return combined(value, *this, *this, [&](const X& d, const X&) { return along(d, slope); });
  }

  [[gnu::always_inline]] friend constexpr Dual operator+(Dual a) { return a; }
  [[gnu::always_inline]] friend constexpr Dual operator-(Dual a) {
    return combined(-a.value_, a, a, [](const X& d, const X&) { return -d; });
  }
  [[gnu::always_inline]] friend constexpr Dual operator+(Dual a, Dual b) {
    return combined(a.value_ + b.value_, a, b, [](const X& da, const X& db) { return da + db; });
  }
  [[gnu::always_inline]] friend constexpr Dual operator-(Dual a, Dual b) {
    return combined(a.value_ - b.value_, a, b, [](const X& da, const X& db) { return da - db; });
  }
  [[gnu::always_inline]] friend constexpr Dual operator*(Dual a, Dual b) {
    return combined(a.value_ * b.value_, a, b,
                    [&](const X& da, const X& db) { return along(da, b.value_) + along(db, a.value_); });
  }
  [[gnu::always_inline]] friend constexpr Dual operator/(Dual a, Dual b) {
    const X quotient = a.value_ / b.value_;
    return combined(quotient, a, b,
                    [&](const X& da, const X& db) { return over(da - along(db, quotient), b.value_); });
  }

  /// Whether the value and its derivatives are 0.
  [[gnu::always_inline]] friend constexpr Truth isZero(const Dual& a)
    requires requires(X x) { isZero(x); }
  {
    return a.areZero(isZero(a.value_));
  }
  friend constexpr Truth operator<(const Dual& a, const Dual& b) { return a.value_ < b.value_; }
  friend constexpr Truth operator>(const Dual& a, const Dual& b) { return a.value_ > b.value_; }
  friend constexpr Truth operator<=(const Dual& a, const Dual& b) { return a.value_ <= b.value_; }
  friend constexpr Truth operator>=(const Dual& a, const Dual& b) { return a.value_ >= b.value_; }
  friend constexpr Truth operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend constexpr Truth operator!=(const Dual& a, const Dual& b) { return a.value_ != b.value_; }

  [[gnu::always_inline]] friend constexpr Dual where(Truth condition, Dual a, Dual b) {
    return combined(where(condition, a.value_, b.value_), a, b,
                    [&](const X& da, const X& db) { return where(condition, da, db); });
  }
  [[gnu::always_inline]] friend constexpr Dual max(Dual a, Dual b) {
    return chosen(max(a.value_, b.value_), a > b, a < b, a, b);
  }
  [[gnu::always_inline]] friend constexpr Dual min(Dual a, Dual b) {
    return chosen(min(a.value_, b.value_), a<b, a> b, a, b);
  }
  [[gnu::always_inline]] friend constexpr Dual abs(const Dual& a) {
    return a.chain(abs(a.value_), sign(a.value_));
  }
  [[gnu::always_inline]] friend constexpr Dual sign(const Dual& a) { return Dual(sign(a.value_)); }

  [[gnu::always_inline]] friend Dual exp(const Dual& a) {
    const X y = exp(a.value_);
    return a.chain(y, y);
  }
  [[gnu::always_inline]] friend Dual expm1(const Dual& a) {
    const X y = expm1(a.value_);
    return a.chain(y, y + 1);
  }
  [[gnu::always_inline]] friend Dual log(const Dual& a) { return a.chain(log(a.value_), 1 / a.value_); }
  [[gnu::always_inline]] friend Dual log1p(const Dual& a) {
    return a.chain(log1p(a.value_), 1 / (1 + a.value_));
  }
  [[gnu::always_inline]] friend Dual sqrt(const Dual& a) {
    const X y = sqrt(a.value_);
    return a.chain(y, 0.5 / y);
  }
  [[gnu::always_inline]] friend Dual sin(const Dual& a) { return a.chain(sin(a.value_), cos(a.value_)); }
  [[gnu::always_inline]] friend Dual cos(const Dual& a) { return a.chain(cos(a.value_), -sin(a.value_)); }
  [[gnu::always_inline]] friend Dual tanh(const Dual& a) {
    const X y = tanh(a.value_);
    return a.chain(y, 1 - y * y);
  }
  [[gnu::always_inline]] friend Dual sigmoid(const Dual& a) {
    const X y = sigmoid(a.value_);
    return a.chain(y, y * (1 - y));
  }

 private:
  /// The derivative d of an operand times a slope; 0 if d is 0, even if the slope is infinite: a function
  /// that does not depend on the operand has the derivative 0.
  [[gnu::always_inline]] static constexpr X along(const X& d, const X& slope) {
    if constexpr (requires { isZero(d); })
      return where(isZero(d), X(0), d * slope);
    else
      return d * slope;
  }
  /// d / divisor, and 0 if d is 0, even if the divisor is 0, for the same reason.
  [[gnu::always_inline]] static constexpr X over(const X& d, const X& divisor) {
    if constexpr (requires { isZero(d); })
      return where(isZero(d), X(0), d / divisor);
    else
      return d / divisor;
  }

  // by recursion, since loops and the lambdas of fold expressions are inlined too late

  template <std::size_t i = 0>
  [[gnu::always_inline]] constexpr void take(const Dual& other) {
    partials_[i] = other.partials_[i];
    if constexpr (i + 1 < n) take<i + 1>(other);
  }
  template <std::size_t i = 0>
  [[gnu::always_inline]] constexpr Truth areZero(Truth before) const {
    const Truth now = before & isZero(partials_[i]);
    if constexpr (i + 1 < n)
      return areZero<i + 1>(now);
    else
      return now;
  }
  template <std::size_t i = 0, class F>
  [[gnu::always_inline]] constexpr void derive(const Dual& a, const Dual& b, const F& derivative) {
    partials_[i] = derivative(a.partials_[i], b.partials_[i]);
    if constexpr (i + 1 < n) derive<i + 1>(a, b, derivative);
  }
  template <class F>
  [[gnu::always_inline]] static constexpr Dual combined(X value, const Dual& a, const Dual& b,
                                                        const F& derivative) {
    Dual result(value);
    result.derive(a, b, derivative);
    return result;
  }
  [[gnu::always_inline]] static constexpr Dual chosen(X value, Truth isA, Truth isB, const Dual& a,
                                                      const Dual& b) {
    return combined(value, a, b, [&](const X& da, const X& db) {
      return where(isA, da, where(isB, db, 0.5 * (da + db)));
    });
  }

  X value_{};
  X partials_[n]{};
};

}  // namespace tapestry::formula
#pragma GCC visibility pop
