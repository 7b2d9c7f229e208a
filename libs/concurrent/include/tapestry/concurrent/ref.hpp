// Defines Ref, a variable that runs share and modify atomically.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/detail/shared_cell.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The state that the copies of a Ref share.
struct RefState final : Node, SharedCell<const Node> {
  using SharedCell::SharedCell;
};

template <class A>
struct RefValue final : Node {
  template <class... Arguments>
  explicit RefValue(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  const A value;
};

template <class T, class A>
inline constexpr bool isPairWith = false;
template <class A, class B>
inline constexpr bool isPairWith<std::pair<A, B>, A> = true;

/// Whether f(const A&) returns the new value, or a pair of the new value and a result.
template <class F, class A>
concept ModifiesTo = std::is_invocable_r_v<A, const F&, const A&>;
template <class F, class A>
concept ModifiesWithResult = std::invocable<const F&, const A&> && !ModifiesTo<F, A> &&
                             isPairWith<std::remove_cvref_t<std::invoke_result_t<const F&, const A&>>, A>;

}  // namespace detail

/// Holds one value at a time, in an immutable node that readers share; a change replaces the node. Copies
/// share the variable. Usable from several threads at once; no operation waits, and no user function, copy
/// constructors included, runs under a lock.
template <class A>
  requires std::copy_constructible<A>
class Ref {
  using Value = detail::RefValue<A>;

 public:
  explicit Ref(A value)
      : state_(detail::makeRef<detail::RefState>(detail::makeRef<const Value>(std::move(value)))) {}

  /// Yields a copy of the value.
  [[nodiscard("a program does nothing until it is run")]] Do<A> get() const {
    return Do<A>::delay([state = state_]() -> A { return valueOf(state->get()); });
  }

  /// Replaces the value.
  [[nodiscard("a program does nothing until it is run")]] Do<void> set(A value) const {
    return Do<void>::delay(
        [state = state_, node = detail::Ref<const detail::Node>(
                             detail::makeRef<const Value>(std::move(value)))] { state->set(node); });
  }

  /// Atomically replaces the value by f(value), and yields a copy of the new value. If another run has
  /// changed the value meanwhile, f is called again with the later value; some run succeeds each time, but a
  /// slow f may be overtaken again and again, and belongs under a Mutex. If f throws, this fails, and nothing
  /// changes.
  template <class F>
    requires detail::ModifiesTo<F, A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> modify(F function) const {
    return Do<A>::delay([state = state_, function = std::move(function)]() -> A {
      for (;;) {
        const auto before = state->get();
        const auto after = detail::makeRef<const Value>(function(valueOf(before)));
        A result = after->value;
        if (state->replace(before.get(), after)) return result;
      }
    });
  }
  /// As above, for an f that returns a std::pair of the new value and a result; yields the result.
  template <class F>
    requires detail::ModifiesWithResult<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto modify(F function) const {
    using B = typename std::remove_cvref_t<std::invoke_result_t<const F&, const A&>>::second_type;
    return Do<B>::delay([state = state_, function = std::move(function)]() -> B {
      for (;;) {
        const auto before = state->get();
        auto [value, result] = function(valueOf(before));
        if (state->replace(before.get(), detail::makeRef<const Value>(std::move(value))))
          return std::move(result);
      }
    });
  }
  void modify(...) const = delete;  // expected f(const A&), const, that returns an A or a std::pair<A, B>

 private:
  static const A& valueOf(const detail::Ref<const detail::Node>& node) noexcept {
    return static_cast<const Value&>(*node).value;
  }

  detail::Ref<detail::RefState> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
