// Defines Handle, access to a value that lives as long as its scope.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tapestry/continuation/extend/function.hpp"
#include "tapestry/continuation/extend/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// A scope in which handles give access to a value, which lives at least as long as the scope.
template <class A>
class ValueScope : public Node {
 public:
  explicit ValueScope(Stored<A>* value) noexcept : value_(value) {}

  /// Null when the scope has ended.
  Stored<A>* value() const noexcept { return value_.load(std::memory_order_acquire); }
  void end() noexcept { value_.store(nullptr, std::memory_order_release); }

 protected:
  /// Null from the end of the scope on. acquire/release: a thread that reads null sees what happened before
  /// the end.
  std::atomic<Stored<A>*> value_;
};

/// A value in a separate scope, at whose end it is destroyed.
template <class A>
class ScopedValue final : public ValueScope<A> {
 public:
  explicit ScopedValue(ValueBox<Stored<A>> value) noexcept : ValueScope<A>(nullptr), box_(std::move(value)) {
    // relaxed: no other thread has this yet
    this->value_.store(std::addressof(*box_), std::memory_order_relaxed);
  }

  void end() noexcept {
    ValueScope<A>::end();
    box_.reset();
  }

 private:
  ValueBox<Stored<A>> box_;
};

}  // namespace detail

/// A copyable reference to a value in a scope. Access after the scope has ended throws std::logic_error;
/// keeping a plain reference beyond it is undefined, as with any object.
template <class A>
class Handle {
 public:
  explicit Handle(detail::Ref<detail::ValueScope<A>> scope) noexcept : scope_(std::move(scope)) {}

  Stored<A>& operator*() const { return checked(); }
  Stored<A>* operator->() const { return std::addressof(checked()); }

 private:
  Stored<A>& checked() const {
    Stored<A>* value = scope_->value();
    if (!value)
      throw std::logic_error(
          "tapestry::Handle: the value was read after its release, expected use within its scope");
    return *value;
  }

  detail::Ref<detail::ValueScope<A>> scope_;
};

}  // namespace tapestry
#pragma GCC visibility pop
