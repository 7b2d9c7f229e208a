// Defines Semaphore, a number of permits of which each run holds some for a while.
#pragma once

#include <cstddef>

#include "tapestry/raii/detail/permits.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Runs get permits in the order of arrival, whatever number they want. Copies share the permits. Usable from
/// several threads at once, and by runs on any executors. A waiting run blocks no thread, and goes on on its
/// own executor, never inside the release that made that possible.
class Semaphore {
 public:
  /// Throws std::invalid_argument for 0 permits.
  explicit Semaphore(std::size_t permits);

  /// Takes so many permits, all at once, as soon as there are enough, and gives them back at the end of the
  /// scope. A request to stop ends the wait, unless masked. Throws std::invalid_argument for 0 permits, and
  /// for more than there are in all.
  [[nodiscard("a program does nothing until it is run")]] Do<void> permit(
      std::size_t count = 1, detail::Location location = detail::Location::current()) const;

  /// The same without waiting: yields whether it has them; false where runs wait.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> tryPermit(std::size_t count = 1) const;

  /// The program in a scope of its own, which holds so many permits from before it begins until it, and the
  /// release of all that it acquired, have ended.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withPermit(
      const Do<A>& program, std::size_t count = 1,
      detail::Location location = detail::Location::current()) const {
    return permit(count, location).flatMap([program] { return program; }).run();
  }

  /// How many there are in all.
  std::size_t permits() const noexcept { return permits_->total; }
  /// Whether a run waited for permits a moment ago.
  bool awaited() const noexcept { return permits_->awaited(); }
  /// How many were free a moment ago.
  std::size_t available() const noexcept { return permits_->available(); }

 private:
  void check(const char* operation, std::size_t count) const;

  detail::Ref<detail::Permits> permits_;
};

}  // namespace tapestry
