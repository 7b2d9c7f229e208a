// Defines Handle, access to a value that lives as long as its scope.
#pragma once

#include <atomic>
#include <stdexcept>
#include <utility>

#include "tapestry/continuation/detail/node.hpp"
#include "tapestry/continuation/detail/value_box.hpp"
#include "tapestry/continuation/unit.hpp"

namespace tapestry {

namespace detail {

/// A value, and whether its scope has ended.
template <class A>
class ScopedValue : public Node {
 public:
  explicit ScopedValue(ValueBox<Stored<A>> value) noexcept : value_(std::move(value)) {}

  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// The scope is over: the value is destroyed, and no handle gives it out any more.
  void end() noexcept {
    ended_.store(true, std::memory_order_release);
    value_.reset();
  }
  Stored<A>& value() noexcept { return *value_; }

 private:
  ValueBox<Stored<A>> value_;
  std::atomic<bool> ended_{false};
};

}  // namespace detail

/// A copyable reference to a value in a scope. Access after the scope has ended throws std::logic_error;
/// keeping a plain reference beyond it is undefined, as with any object.
template <class A>
class Handle {
 public:
  explicit Handle(detail::Ref<detail::ScopedValue<A>> scoped) noexcept : scoped_(std::move(scoped)) {}

  Stored<A>& operator*() const { return checked(); }
  Stored<A>* operator->() const { return &checked(); }

 private:
  Stored<A>& checked() const {
    if (scoped_->ended())
      throw std::logic_error(
          "tapestry::Handle: the value was read after its release, expected use within its scope");
    return scoped_->value();
  }

  detail::Ref<detail::ScopedValue<A>> scoped_;
};

}  // namespace tapestry
