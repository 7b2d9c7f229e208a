// Defines Held, an optional value that may be copied, moved and dropped under a lock.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/delta.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An optional behind a counted pointer: copying, moving or overwriting it runs no user code, except that the
/// last owner destroys the value.
template <class T>
class Box {
 public:
  Box() noexcept = default;
  Box(std::nullopt_t) noexcept {}
  explicit Box(T value) : value_(std::make_shared<T>(std::move(value))) {}

  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    value_ = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  }
  void reset() noexcept { value_ = nullptr; }
  bool has_value() const noexcept { return value_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }

 private:
  std::shared_ptr<T> value_;
};

template <class T>
inline constexpr bool runsNoUserCode = std::is_trivially_copyable_v<T>;
template <class T>
inline constexpr bool runsNoUserCode<Tensor<T>> = true;
template <class T>
inline constexpr bool runsNoUserCode<TensorDelta<T>> = true;
template <class T>
inline constexpr bool runsNoUserCode<Table<T>> = true;

template <class T>
using Held = std::conditional_t<runsNoUserCode<T>, std::optional<T>, Box<T>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
