// Defines ask and local, with which a program reads and sets typed slots of its run's environment.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class Slot>
class [[nodiscard("a program does nothing until it is run")]] Ask : public ProgramOperations<Ask<Slot>> {
 public:
  using ValueType = typename Slot::Type;

  explicit Ask(Location location) noexcept : location_(location) {}

  void step(Run& run, Keeper) const {
    if (!run.stopIfRequested()) {
      const auto* value = run.environment()->template find<Slot>();
      run.put<ValueType>(noThrow("ask", location_, "slot",
                                 [value]() -> ValueType { return value ? *value : Slot::initial(); }));
    }
  }

 private:
  Location location_;
};

/// Sets the slot to the value until everything above has been left.
template <class Slot>
struct EnterSlot {
  void operator()(Run& run) const {
    run.enter(makeRef<const SlotEnvironment<Slot>>(run.environment(), copyNoThrow("local", location, value)));
  }
  typename Slot::Type value;
  Location location;
};

}  // namespace detail

/// Yields the slot's innermost value. A slot is a type with a copyable member type `Type` and a static
/// function `initial()` that gives the value where no `local` encloses the run.
template <class Slot>
[[nodiscard("a program does nothing until it is run")]] auto ask(
    detail::Location location = detail::Location::current()) {
  return detail::Ask<Slot>(location);
}

/// Runs the program, and the parallel branches that it starts, with the slot set to the value.
template <class Slot, detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto local(
    typename Slot::Type value, P program, detail::Location location = detail::Location::current()) {
  return detail::Within<P, detail::EnterSlot<Slot>>(std::move(program), {std::move(value), location});
}

template <class...>
void local(...) = delete;  // expected local<Slot>(value of the slot, program)

}  // namespace tapestry
#pragma GCC visibility pop
