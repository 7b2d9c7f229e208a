// Defines Semaphore, a number of permits that runs hold for the time of a scope.
#pragma once

#include <cstddef>

#include "tapestry/raii/detail/permits.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs get permits in the order of arrival, regardless of the number that they request. Copies share the
/// permits. Usable from several threads at once, and by runs on any executors. A waiting run blocks no
/// thread, and continues on its own executor, never inside the release that freed its permits.
class Semaphore {
 public:
  /// Throws std::invalid_argument for 0 permits.
  explicit Semaphore(std::size_t permits);

  /// Takes `count` permits, all at once, as soon as that many are free, and gives them back at the end of the
  /// scope. A request to stop ends the wait, unless masked. Throws std::invalid_argument for 0 permits, and
  /// for more than permits().
  [[nodiscard("a program does nothing until it is run")]] Do<void> permit(
      std::size_t count = 1, detail::Location location = detail::Location::current()) const;

  /// The same without waiting: yields whether it took the permits; false while runs wait.
  [[nodiscard("a program does nothing until it is run")]] Do<bool> tryPermit(std::size_t count = 1) const;

  /// Runs the program in a separate scope, and holds `count` permits from before it begins until it and all
  /// its releases have ended.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<A> withPermit(
      const Do<A>& program, std::size_t count = 1,
      detail::Location location = detail::Location::current()) const {
    return permit(count, location).flatMap([program] { return program; }).run();
  }

  /// The total number of permits.
  std::size_t permits() const noexcept { return permits_->total; }
  /// Whether runs wait for permits; may be outdated on return.
  bool awaited() const noexcept { return permits_->awaited(); }
  /// The number of free permits; may be outdated on return.
  std::size_t available() const noexcept { return permits_->available(); }

 private:
  void check(const char* operation, std::size_t count) const;

  detail::Ref<detail::Permits> permits_;
};

}  // namespace tapestry
#pragma GCC visibility pop
