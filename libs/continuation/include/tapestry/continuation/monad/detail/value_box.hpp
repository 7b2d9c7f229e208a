// Defines ValueBox, an optional value whose moves never throw, even if moving the value may.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/monad/unit.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An optional with a separate allocation, for values whose move may throw.
template <class A>
class OwnBox {
 public:
  OwnBox() noexcept = default;
  OwnBox(OwnBox&&) noexcept = default;
  OwnBox& operator=(OwnBox&&) noexcept = default;
  OwnBox(const OwnBox& other)
    requires std::copy_constructible<A>
      : value_(other.value_ ? std::make_unique<A>(*other.value_) : nullptr) {}
  OwnBox& operator=(const OwnBox& other)
    requires std::copy_constructible<A>
  {
    return *this = OwnBox(other);
  }
  ~OwnBox() = default;

  void emplace(A&& value) { value_ = std::make_unique<A>(std::move(value)); }
  /// Holds the function's result, which is constructed in place and not moved.
  template <class F>
  void emplaceResultOf(const F& function) {
    value_ = std::unique_ptr<A>(new A(function()));
  }
  void reset() noexcept { value_ = nullptr; }
  bool has_value() const noexcept { return value_ != nullptr; }
  A& operator*() noexcept { return *value_; }
  const A& operator*() const noexcept { return *value_; }

 private:
  std::unique_ptr<A> value_;
};

/// An optional number, enumerator, pointer or Unit. Copies its two members one by one: an optional copies 16
/// bytes at once, for which processors wait until the two smaller stores before have reached the cache.
template <class A>
class ScalarBox {
 public:
  ScalarBox() noexcept = default;
  ScalarBox(const ScalarBox& other) noexcept : value_(other.value_), hasValue_(other.hasValue_) {}
  ScalarBox& operator=(const ScalarBox& other) noexcept {
    value_ = other.value_;
    hasValue_ = other.hasValue_;
    return *this;
  }
  ~ScalarBox() = default;

  void emplace(A value) noexcept {
    value_ = value;
    hasValue_ = true;
  }
  void reset() noexcept { hasValue_ = false; }
  bool has_value() const noexcept { return hasValue_; }
  A& operator*() noexcept { return value_; }
  const A& operator*() const noexcept { return value_; }

 private:
  [[no_unique_address]] A value_ = {};
  bool hasValue_ = false;
};

template <class A>
inline constexpr bool isScalar = std::is_same_v<A, Unit> || (std::is_scalar_v<A> && !std::is_const_v<A>);

template <class A>
using ValueBox = std::conditional_t<!std::is_nothrow_move_constructible_v<A>, OwnBox<A>,
                                    std::conditional_t<isScalar<A>, ScalarBox<A>, std::optional<A>>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
