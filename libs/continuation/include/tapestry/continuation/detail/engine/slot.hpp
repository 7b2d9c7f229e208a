// Defines Slot, which stores a run's value until a frame takes it.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "tapestry/continuation/detail/engine/node_pool.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Values up to `size` bytes are stored inline, larger ones on the heap. Each value that was put is taken
/// exactly once, as the same type.
class Slot {
 public:
  static constexpr std::size_t size = 48;

  template <class A>
  void put(A value) {
    if constexpr (inlined<A>)
      ::new (static_cast<void*>(bytes_)) A(std::move(value));
    else
      ::new (static_cast<void*>(bytes_)) A*(new A(std::move(value)));
  }

  template <class A>
  A take() {
    const Taken<A> taken{valueIn<A>(bytes_)};
    return std::move(*taken.value);
  }

  /// The value that was put; it stays. Precondition: it is an A.
  template <class A>
  const A& look() const noexcept {
    return *valueIn<A>(const_cast<std::byte*>(bytes_));
  }

 private:
  template <class A>
  static constexpr bool inlined = sizeof(A) <= size && alignof(A) <= alignof(void*);

  template <class A>
  static A* valueIn(std::byte* bytes) {
    if constexpr (inlined<A>)
      return std::launder(reinterpret_cast<A*>(bytes));
    else
      return *std::launder(reinterpret_cast<A**>(bytes));
  }
  template <class A>
  struct Taken {
    ~Taken() {
      if constexpr (inlined<A>)
        value->~A();
      else
        delete value;
    }
    A* value;
  };

  alignas(void*) std::byte bytes_[size];
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
